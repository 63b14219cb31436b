import Foundation
import TestCommands
import Testing

/// Each construct of a plan through the built command, read from the text of its bars.
@Suite struct DryRunTests {
    private let metronome = BuiltCommand("metronome")

    /// The bars of a command line: tempo, and the letters of the beats.
    private func bars(_ arguments: [String]) throws -> [(tempo: Double, beats: String)] {
        let outcome = try metronome.run(arguments + ["--dry-run"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
        return try outcome.lines.dropLast().map { line in
            let halves = line.split(separator: " BPM ")
            let tempo = halves[0].split { $0 == " " || $0 == "=" }.last.flatMap { Double($0) }
            return (try #require(tempo), halves[1].trimmingCharacters(in: .whitespaces))
        }
    }

    @Test func `What stands before and behind the tempo goes over the settings that say the same`() throws {
        try withTemporaryFolder { folder in
            let config = folder.appending(path: "config.toml")
            try Data("[metronome]\nmeter = \"3/4\"\naccent = \"X.x\"\nfor = \"2m\"\n".utf8).write(to: config)
            let set = ["--config", config.path()]
            #expect(try bars(["120"] + set)[0].beats == "X . x")
            #expect(try bars(["4/4", "120", "XxXx"] + set)[0].beats == "X x X x")
            #expect(try bars(["2", "120"] + set).count == 2)
        }
    }

    @Test(arguments: ["bits = \"a5\"", "volume = \"-5x\"", "meter = \"x y\""])
    func `A setting that is wrong is told with its place, once`(setting: String) throws {
        try withTemporaryFolder { folder in
            let config = folder.appending(path: "config.toml")
            try Data("[metronome]\n\(setting)\n".utf8).write(to: config)
            let outcome = try metronome.run(["120", "--dry-run", "--config", config.path()])
            #expect(outcome.status == 66 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.components(separatedBy: "line 2: ").count == 2, "\(outcome.errors)")
        }
    }

    @Test func `Without a meter the counted note is the beat, in words and in a map alike`() throws {
        try withTemporaryFolder { folder in
            let map = folder.appending(path: "song.map")
            for (note, beat, parts) in [("8=", "4/8", 2), ("8.=", "4/8.", 3), ("4=", "4/4", 4), ("4..=", "4/4..", 7)] {
                try Data("#!metronome 2\n#: sub=16th\n2 \(note)140\n".utf8).write(to: map)
                let words = try metronome.run(["2", "\(note)140", "--sub", "16th", "--dry-run"])
                #expect(words.lines[0].contains(" \(beat)   140.0 BPM "), "\(words.output)")
                // The same line with the meter of its name.
                #expect(words.lines[0].count { $0 == "'" } == 4 * (parts - 1))
                #expect(try metronome.run([map.path(), "--dry-run"]).output == words.output)
            }
            // In a meter the tempo still counts its own note, and says so.
            for line in [["2", "4/4", "8=140"], [map.path()]] {
                try Data("#!metronome 2\n2 4/4 8=140\n".utf8).write(to: map)
                let bars = try metronome.run(line + ["--dry-run"])
                #expect(bars.lines[0].contains(" 4/4 8=140.0 BPM "), "\(bars.output)")
                #expect(bars.lines[2] == "end  6.857 s")
            }
            #expect(try metronome.run(["2", "8=140", "--dry-run"]).lines[2] == "end  3.429 s")
            let long = try metronome.run(["1", "12/8", "16.=560", "--dry-run"])
            #expect(long.lines[0].contains(" 12/8 16.=560.0 BPM "), "\(long.output)")
        }
    }

    @Test func `A tempo of two decimals is printed with both`() throws {
        #expect(try bars(["97.25", "--bars", "1"])[0].tempo == 97.25)
    }

    @Test func `Named subdivisions have their parts`() throws {
        for (name, parts) in [
            ("8th", 2), ("triplet", 3), ("16th", 4), ("quintuplet", 5), ("sextuplet", 6), ("septuplet", 7), ("32nd", 8),
        ] {
            let beat = String(repeating: "'", count: parts - 1)
            #expect(try bars(["3/4", "90", "--sub", name, "--bars", "1"])[0].beats == "X\(beat) x\(beat) x\(beat)")
        }
    }

    @Test func `Ramps go up and come back down`() throws {
        let up = [80.0, 100, 120, 140, 160, 160]
        #expect(try bars(["80..160/4b", "--bars", "6"]).map(\.tempo) == up)
        let both = [80.0, 100, 120, 140, 160, 140, 120, 100, 80, 80]
        for line in [["80..160/4b", "--bounce"], ["80..160..80/4b"], ["80..160", "over", "4", "bars", "--bounce"]] {
            #expect(try bars(line + ["--bars", "10"]).map(\.tempo) == both, "\(line)")
        }
        #expect(try bars(["80-82/2", "--bars", "5"]).map(\.tempo) == [80, 80.5, 81, 81.5, 82])
        let steps = [100.0, 100, 105, 105, 110, 110, 112, 112, 110, 110, 105, 105, 100, 100]
        #expect(try bars(["100", "--step", "+5/2b..112", "--bounce", "--bars", "14"]).map(\.tempo) == steps)
    }

    @Test func `Gaps widen, mutes grow, and what is muted is still counted`() throws {
        let gaps = try bars(["120", "--gap", "3:1..1:3", "--bars", "17"]).map { $0.beats.hasPrefix("(X)") }
        let words = ["...m", "..mm", ".mmm", ".mmm", "."].joined().map { $0 == "m" }
        #expect(gaps == words)
        for growth in ["0..100/10b", "0..100 over 10 bars"] {
            let mutes = try bars(["120", "--mute", growth, "--seed", "1", "--bars", "16"]).map(\.beats)
            #expect(mutes[0] == "X x x x" && mutes[10...].allSatisfy { $0 == "(X) (x) (x) (x)" })
            func mutedBeats(_ bars: Range<Int>) -> Int { mutes[bars].joined().count { $0 == "(" } }
            #expect(mutedBeats(0..<5) < mutedBeats(5..<10))
        }
    }

    @Test func `Repeats, jumps and labels of a map are played in their order, as often as it takes`() throws {
        try withTemporaryFolder { folder in
            func map(_ text: String) throws -> String {
                let file = folder.appending(path: "song.map")
                try Data(text.utf8).write(to: file)
                return file.path()
            }
            let song = try map(
                "#!metronome 2\nrepeat 2 {\na: 1 120\nb: 1 3/4 90 X.o\n}\n1 60 -> b\nc: 1 2+2+3/8 100/3\n")
            let played = ["a X x x x", "b X . o", "a X x x x", "b X . o", "X x x x", "b X . o", "a X x x x", "b X . o"]
            let words = try bars([song]).map { $0.beats.split(separator: " ").joined(separator: " ") }
            #expect(words == played + ["X x x x", "c X x o x o x x"])
            #expect(try bars([song, "--label", "c"]).map(\.tempo) == [33.3])
            let endless = try map("#!metronome 2\n1 60\nrepeat * {\n2 120\n1 3/4 90\n}\n")
            let tempi = [60.0, 120, 120, 90, 120, 120, 90, 120]
            #expect(try bars([endless, "--bars", "8"]).map(\.tempo) == tempi)
            #expect(try bars([endless, "--from", "7", "--bars", "2"]).map(\.tempo) == [90, 120])
            #expect(try bars([endless, "--from", "7", "--for", "4s"]).map(\.tempo) == [90, 120])
        }
    }
}
