import Foundation
import TestCommands
import Testing

@Suite struct BadInputTests {
    private let metronome = BuiltCommand("metronome")

    @Test func `Each wrong command line has a message of its own and status 2`() throws {
        let lines: [[String]] = [
            [], ["0"], ["-5"], ["abc"], ["1e9"], ["120,5"], ["100/0"], ["120", "--accent", "0"],
            ["120", "--accent", "-1"], ["120", "--accent", "x,y"], ["120", "--nope"], ["120", "--bars", "0"],
            ["120", "--for", "soon"], ["120", "--bars", "4", "--for", "1m"], ["120", "--render", "click.txt"],
            ["120", "--render", "x.wav", "-r", "1"], ["120", "--render", "x.wav", "-c", "0"],
            ["4/4"], ["60", "3/4"], ["120", "--render"], ["120", "--verify", "--render", "x.wav"], ["120", "--json"],
        ]
        var messages: Set<String> = []
        for line in lines {
            let outcome = try metronome.run(line)
            #expect(outcome.status == 2, "\(line): \(outcome.status)")
            #expect(outcome.output.isEmpty, "\(line)")
            #expect(
                outcome.errors.hasPrefix("metronome: ") && outcome.errors.split(separator: "\n").count == 1, "\(line)")
            messages.insert(outcome.errors)
        }
        #expect(messages.count == lines.count)
    }

    @Test(arguments: ["--render - > /dev/full", "--render - >&-", "--csv - > /dev/full", "--csv /dev/full"])
    func `Clicks that nobody can keep are an error, not a success`(end: String) throws {
        let outcome = try BuiltCommand(shell: ()).run([
            "-c", "\"$0\" 120 --bars 1 \(end)", BuiltCommand("metronome").executable.path(),
        ])
        #expect(outcome.status == 73, "\(outcome.errors)")
        let named = end.hasSuffix("--csv /dev/full") ? "cannot write \"/dev/full\"" : "cannot write to standard output"
        #expect(outcome.errors.hasPrefix("metronome: \(named)"), "\(outcome.errors)")
    }

    @Test func `A file that cannot be written is status 73, a device that is not there 69`() throws {
        let file = try metronome.run(["120", "--render", "/nonexistent/click.wav"])
        #expect(file.status == 73 && file.errors.contains("/nonexistent/click.wav"))
        let device = try metronome.run(["120", "-D", "nosuchdevice"])
        #expect(device.status == 69 && device.errors.contains("nosuchdevice"))
    }

    @Test func `Help and version go to standard output with status 0`() throws {
        let help = try metronome.run(["--help"])
        #expect(help.status == 0 && help.errors.isEmpty && help.output.contains("--accent"))
        let version = try metronome.run(["--version"])
        #expect(version.status == 0 && version.errors.isEmpty && !version.output.isEmpty)
    }
}
