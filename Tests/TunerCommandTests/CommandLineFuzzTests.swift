import Foundation
import TestCommands
import TestSignals
import Testing

@Suite struct CommandLineFuzzTests {
    private static let words = [
        "listen", "analyze", "tone", "config", "--a4", "--a4=auto", "--a4=415", "442", "auto", "--temperament",
        "vallotti",
        "19edo", "0edo", "--key", "Eb", "--scale", "--mapping", "--sweeten", "E2=-2", "--names", "german", "korean",
        "--octaves", "helmholtz", "--transpose", "Bb clarinet", "--instrument", "guitar", "-i", "--tuning", "DADGAD",
        "--capo", "2", "-1", "--string", "--clock", "nan", "inf", "--view", "strobe", "--line", "--json", "--csv",
        "--summary", "--plot", "--render", "/no/such/dir/x.wav", "--for", "0.01", "--level", "-20", "--color", "sine",
        "--rate",
        "8000", "--channels", "--channel", "0", "--format", "S16_LE", "cd", "--duration", "1e-9", "--method", "yin",
        "-", "--",
        "missing.wav", "", " ", "é", "\u{1B}[31m", "--example", "--no-config", "--config", "--help", "--version", "-l",
        "-L",
        "--list-instruments", "--list-temperaments", "--=", "-Z", "99999999999999999999", "-0", "--verbose", "--tone",
        "A4",
    ]

    @Test func `500 random command lines end with an exit status of ours and at most one sentence a file`() throws {
        // Printed, so that a failure can be repeated.
        let seed: UInt64 = 20_261_121
        print("command lines: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let tuner = BuiltCommand("tuner")
        var seen: [Int32: Int] = [:]
        for _ in 0..<500 {
            let arguments = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                Self.words.randomElement(using: &generator) ?? ""
            }
            let outcome = try tuner.run(
                arguments,
                environment: ["ALSA_CONFIG_PATH": "/dev/null", "XDG_CONFIG_HOME": "/no/such"], limit: 20)
            seen[outcome.status, default: 0] += 1
            #expect(
                [0, 2, 66, 69, 73, 75].contains(outcome.status), "\(arguments): \(outcome.status) \(outcome.errors)")
            let complaints = outcome.errors.split(separator: "\n")
            #expect(complaints.allSatisfy { $0.hasPrefix("tuner: ") }, "\(arguments): \(outcome.errors)")
            #expect(outcome.status == 0 || !complaints.isEmpty, "\(arguments) failed without a word")
        }
        print("command lines: exit statuses \(seen.sorted { $0.key < $1.key })")
        #expect(seen.count >= 3, "the lines are of many kinds")
    }
}
