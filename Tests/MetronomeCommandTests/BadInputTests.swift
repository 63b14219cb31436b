import AudioIO
import Foundation
import Music
import TestCommands
import Testing

@Suite struct BadInputTests {
    private let metronome = BuiltCommand("metronome")

    @Test func `Each wrong command line has a message of its own and status 2`() throws {
        let lines: [[String]] = [
            [], ["0"], ["-5"], ["abc"], ["1e9"], ["120,500"], ["100/0"], ["120", "--accent", "0"],
            ["120", "--accent", "-1"], ["120", "--accent", "x,y"], ["120", "--nope"], ["120", "--bars", "0"],
            ["120", "--for", "soon"], ["120", "--bars", "4", "--for", "1m"], ["120", "--render", "click.txt"],
            ["120", "--render", "x.wav", "-r", "1"], ["120", "-D", "null", "-r", "3999"],
            ["120", "--render", "x.wav", "-c", "0"],
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

    @Test func `Modes that do not play check the sounds too, and exclusive options are refused`() throws {
        let lines: [([String], String)] = [
            (["120", "--dry-run", "--volume", "7"], "--volume '7'"),
            (["120", "--dry-run", "--sound", "bell"], "--sound 'bell'"),
            (["120", "--csv", "-", "--cross-sound", "bell"], "--cross-sound 'bell'"),
            (["3/4", "120", "--meter", "4/4", "--dry-run"], "--meter and a meter before the tempo"),
            (["120", "X.x", "--accent", "4", "--dry-run"], "--accent and a pattern after the tempo"),
            (["100/x"], "tempo '100/x', column 4"),
            (["5/16", "120", "--sub", "8th", "--dry-run"], "a beat of one 16th into 1 to 12 parts: use"),
            (["500", "--speed", "3", "--dry-run"], "--speed '3' makes 1500 beats per minute of 500"),
            (["80..600", "over", "8", "bars", "--speed", "2", "--dry-run"], "makes 1200 beats per minute of 600"),
            (["90", "--step", "+5/4b..160", "--speed", "1/100", "--dry-run"], "makes 0.9 beats per minute of 90"),
        ]
        for (line, sentence) in lines {
            let outcome = try metronome.run(line)
            #expect(outcome.status == 2 && outcome.output.isEmpty, "\(line): \(outcome.output)")
            #expect(outcome.errors.contains(sentence) && outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        }
        let fast = try metronome.run(["500", "--speed", "2", "--dry-run", "--bars", "1"])
        #expect(fast.status == 0 && fast.output.contains("1000.0 BPM"))
    }

    @Test func `What is wrong in the options is told before a device is opened`() throws {
        for (option, value, sentence) in [
            ("--volume", "7", "--volume '7'"), ("--sound", "nope", "--sound 'nope'"),
            ("--cross-sound", "nope", "--cross-sound 'nope'"),
            ("--clock", "30000", "--clock goes from -20000 to 20000"),
            ("--period", "63", "a power of two"), ("--period", "8192", "a power of two"),
        ] {
            for verifies in [[], ["--verify"]] {
                let outcome = try metronome.run(["120", "-D", "nosuchdevice", option, value] + verifies)
                #expect(outcome.status == 2 && outcome.errors.contains(sentence), "\(outcome)")
            }
        }
        let missing = try metronome.run(["120", "-D", "nosuchdevice", "--sound", "/nonexistent/a.wav"])
        #expect(missing.status == 66 && missing.errors.contains("/nonexistent/a.wav"), "\(missing)")
    }

    @Test(arguments: [Float(1e18), 1e20, 1e30, .greatestFiniteMagnitude])
    func `Samples far beyond any sound end no command`(value: Float) throws {
        try withTemporaryFolder { folder in
            let rendered = folder.appending(path: "click.wav").path()
            #expect(try metronome.run(["120", "--for", "6s", "-r", "48000", "--render", rendered]).status == 0)
            var samples: [Float] = []
            var reader = try AudioFileReader(path: rendered)
            var block = [Float](repeating: 0, count: 4_096)
            while true {
                var span = block.mutableSpan
                let read = try reader.read(into: &span)
                if read.isEnd { break }
                samples += block.prefix(read.count)
            }
            for place in [6_000, 30_000, 30_001, 200_000] { samples[place] = value }
            let file = folder.appending(path: "huge.wav").path()
            var writer = try AudioFileWriter(
                path: file, sampleRate: 48.kilohertz, channelCount: 1, format: .wavFloat32)
            try writer.write(samples.span)
            try writer.finish()
            for words in [["verify", file, "120"], ["review", file, "120"], ["tempo", file]] {
                let outcome = try metronome.run(words)
                // What it says, or that it finds nothing; a crash is 128 and more.
                #expect([0, 66].contains(outcome.status), "\(words): \(outcome)")
                // Nothing of the clicks is hidden.
                if words[0] == "verify" { #expect(outcome.output.contains("12 clicks"), "\(outcome)") }
            }
        }
    }

    @Test func `A label that comes twice is listed once`() throws {
        try withTemporaryFolder { folder in
            let map = folder.appending(path: "song.map")
            try Data("verse: 2 120\nchorus: 2 100\nverse: 2 120\n".utf8).write(to: map)
            let outcome = try metronome.run([map.path(), "--label", "coda", "--dry-run"])
            #expect(
                outcome.status == 2 && outcome.errors.contains("the map, which has verse, chorus\n"),
                "\(outcome.errors)")
        }
    }

    @Test func `A list of cards has rows, or says that there is no card`() throws {
        for program in ["metronome", "tuner"] {
            let outcome = try BuiltCommand(program).run(["-l"])
            let isEmpty = outcome.status == 69 && outcome.errors.contains("has no sound card")
            #expect(outcome.status == 0 ? outcome.output.contains("hw:") : isEmpty, "\(outcome)")
            #expect(!outcome.errors.contains("default"))
        }
    }

    @Test(arguments: ["--render - > /dev/full", "--render - >&-", "--csv - > /dev/full", "--csv /dev/full"])
    func `Clicks that cannot be written are an error`(end: String) throws {
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
