import Foundation
import TestCommands
import TestSignals
import Testing

@Suite struct CommandLineFuzzTests {
    private static let sane: [String: [String]] = [
        "accent": ["4", "3+2+2", "X.x.", "none", "3,1,2"], "meter": ["7/8", "4/4", "2+2+3/8"],
        "sub": ["8th", "triplet", "4:0101"],
        "swing": ["60", "2:1"], "poly": ["3:4", "5:4:3"], "polymeter": ["4:3"], "step": ["+5/4b..160", "-2/1b..60"],
        "map": ["song.map", "bad.map"], "speed": ["0.8", "4/5"], "count-in": ["2", "4beats"],
        "gap": ["3:1", "3:1..1:3", "random:30"],
        "mute": ["30", "0..50/32b"], "seed": ["7"], "bars": ["4", "100"], "for": ["2s", "1m", "2:30", "999h"],
        "from": ["2", "5"], "label": ["verse"], "sound": ["clave", "click.wav", "wood"], "cross-sound": ["cowbell"],
        "volume": ["-6", "accent=0,normal=-9"], "render": ["out.wav", "out.flac", "out.mid", "out.ogg", "-"],
        "bits": ["16", "24"], "csv": ["table.csv", "-"], "device": ["default", "hw:0"], "rate": ["8000", "44.1", "48"],
        "channels": ["1", "2"], "period": ["64", "512"], "config": ["config.toml"],
    ]
    private static let words = [
        "120", "97.3", "100/3", "80..160/32b", "80-120/10", "8.=96", "7/8", "3/4", "8", "X.x", "song.map", "1000",
        "over",
        "32", "bars",
    ]

    @Test func `500 random command lines end with an exit status of ours and one sentence for what is wrong`() throws {
        // Printed, so that a failure can be repeated.
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        let metronome = BuiltCommand("metronome")
        try withTemporaryFolder { folder in
            for (name, text) in [
                ("song.map", "intro: 2 4/4 120\nverse: 8 3/4 120-140 X.x 0.5\n"), ("bad.map", "2 4/0 120\n"),
                ("config.toml", "[metronome]\naccent = 3\n"),
            ] { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let click = try metronome.run(["60", "--bars", "1", "--render", "click.wav"], in: folder)
            try #require(click.status == 0, "\(click.errors)")
            let grammar = try CommandGrammar(of: metronome, sane: Self.sane, words: Self.words)
            let (seen, untried) = try metronome.runLines(500, of: grammar, in: folder, using: &generator) {
                line, outcome in
                #expect([0, 2, 66, 69, 73].contains(outcome.status), "\(line): \(outcome.status) \(outcome.errors)")
                let complaints = outcome.errors.split(separator: "\n")
                #expect(
                    complaints.allSatisfy { $0.hasPrefix("metronome: ") } && complaints.count <= 1
                        || line.contains { $0 == "--verbose" || $0 == "-v" }, "\(line): \(outcome.errors)")
                #expect(outcome.status == 0 || !complaints.isEmpty, "\(line) failed without a word")
                #expect(!outcome.errors.contains("\u{1B}"), "\(line): escapes")
            }
            print("metronome command lines: seed \(seed), exit statuses \(seen.sorted { $0.key < $1.key })")
            #expect(untried.isEmpty, "no line had \(untried)")
            #expect(
                seen[0, default: 0] >= 50 && seen[2, default: 0] >= 50 && seen[69, default: 0] >= 10, "of many kinds")
        }
    }
}
