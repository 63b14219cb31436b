import Foundation
import TestCommands
import TestSignals
import Testing

@Suite struct CommandLineFuzzTests {
    private static let sane: [String: [String]] = [
        "midi": ["out.mid"], "musicxml": ["out.musicxml"], "shortest": ["1/8"], "around": ["100"],
        "a4": ["442", "415", "440.01", "auto"], "temperament": ["vallotti", "19edo", "just", "meantone"],
        "key": ["C", "Eb", "F#"], "scale": ["good.scl", "bad.scl"], "mapping": ["good.kbm"], "sweeten": ["E2=-2,F#=1"],
        "names": ["german", "korean", "flats"], "octaves": ["helmholtz"], "transpose": ["Bb clarinet", "F"],
        "instrument": ["guitar", "bass", "violin"], "tuning": ["DADGAD", "open G", "standard"], "capo": ["2", "24"],
        "string": ["1", "6"], "clock": ["-12.5", "100"], "view": ["strobe", "trail"], "plot": ["plot.svg"],
        "render": ["tone.wav", "tone.flac", "tone.ogg"], "for": ["0.01", "0.5"], "level": ["-20"],
        "color": ["sine", "plucked"], "rate": ["8000", "44.1", "96", "44100"], "channels": ["1", "2"],
        "channel": ["1", "2"],
        "format": ["S16_LE", "cd", "FLOAT_LE"], "duration": ["0.5", "1"], "method": ["yin", "harmonic"],
        "config": ["config.toml"], "device": ["default", "hw:0"], "tone": ["A4"],
        "response": ["fast", "slow"], "tolerance": ["5", "10c"], "from": ["0", "0.2"], "to": ["1"],
    ]

    @Test func `800 random command lines end with an exit status of ours and one sentence for what is wrong`() throws {
        // Printed, so that a failure can be repeated.
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        let tuner = BuiltCommand("tuner")
        try withTemporaryFolder { folder in
            for (name, text) in [
                ("good.scl", "! good.scl\ntwo fifths\n 2\n 3/2\n 2/1\n"), ("bad.scl", "bad\n 3\n 3/2\n"),
                ("good.kbm", "0\n0\n127\n60\n69\n440.0\n0\n"), ("config.toml", "[tuner]\na4 = 442\n"),
            ] { try Data(text.utf8).write(to: folder.appending(path: name)) }
            try FileManager.default.copyItem(
                at: repository.appending(path: "samples/ukulele-c4.flac"), to: folder.appending(path: "take.flac"))
            let grammar = try CommandGrammar(of: tuner, sane: Self.sane, words: ["take.flac", "take.flac", "A4", "-"])
            let (seen, untried) = try tuner.runLines(800, of: grammar, in: folder, using: &generator) { line, outcome in
                #expect([0, 2, 66, 69, 73].contains(outcome.status), "\(line): \(outcome.status) \(outcome.errors)")
                let complaints = outcome.errors.split(separator: "\n")
                // Each file has its own message.
                let most = max(1, line.count)
                #expect(
                    complaints.allSatisfy { $0.hasPrefix("tuner: ") } && complaints.count <= most,
                    "\(line): \(outcome.errors)")
                #expect(outcome.status == 0 || !complaints.isEmpty, "\(line) failed without a word")
                #expect(!outcome.errors.contains("\u{1B}") && !outcome.output.contains("\u{1B}"), "\(line): escapes")
            }
            print("tuner command lines: seed \(seed), exit statuses \(seen.sorted { $0.key < $1.key })")
            #expect(untried.isEmpty, "no line had \(untried)")
            #expect(
                seen[0, default: 0] >= 50 && seen[2, default: 0] >= 50 && seen[66, default: 0] >= 10, "of many kinds")
        }
    }
}
