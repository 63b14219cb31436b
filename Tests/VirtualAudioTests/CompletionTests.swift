import Foundation
import TestCommands
import Testing

/// What Tab offers in real shells.
@Suite struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `Options, subcommands, files, instruments, tunings, temperaments, sounds and devices complete`(
        shell: String
    ) throws {
        let rig = repository.appending(path: "Tests/Rigs/completion.py").path()
        let bin = BuiltCommand("tuner").executable.deletingLastPathComponent().path()
        let outcome = try BuiltCommand(shell: ()).run(
            ["-c", "exec python3 \"$@\"", "completion", rig, bin, shell], limit: 300)
        #expect(outcome.status == 0, "\(outcome.lines.filter { $0.hasPrefix("FAILED") })\n\(outcome.errors)")
        #expect(outcome.lines.count { $0.hasPrefix("ok \(shell)") } >= 28)
    }
}
