import Foundation
import TestCommands
import TestSignals
import Testing

/// What `TimebaseTests` holds against the types, held against the built command.
@Suite struct WrongNotationTests {
    private let metronome = BuiltCommand("metronome")

    @Test func `Malformed maps end with status 66 and their place, well-formed ones are played as written`() throws {
        let seed: UInt64 = 20_251
        var random = SeededGenerator(seed: seed)
        var (refused, accepted, wrong) = (0, 0, 0)
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "song.map")
            while refused < 200 {
                let (map, at) = WrongNotation.map(using: &random)
                try Data(map.joined(separator: "\n").utf8).write(to: file)
                let outcome = try metronome.run(["--map", file.path(), "--dry-run"])
                let entries = map.compactMap(WrongNotation.klickLine)
                if entries.count == map.count {
                    accepted += 1
                    // The first twenty bars: number, seconds, s, meter, tempo, BPM, perhaps a label, letters.
                    let patterns = entries.flatMap { Array(repeating: $0.pattern, count: min($0.bars, 20)) }.prefix(20)
                    let bars = outcome.lines.dropLast().map { line in
                        String(line.split(separator: " BPM ").last?.filter { "Xx.".contains($0) } ?? "")
                    }
                    if outcome.status != 0 || !outcome.errors.isEmpty
                        || !zip(bars, patterns).allSatisfy({ $0.hasSuffix($1) }) || bars.count != patterns.count
                    {
                        wrong += 1
                        Issue.record("\(map) gave \(outcome)")
                    }
                    continue
                }
                refused += 1
                let place = outcome.errors.firstMatch(
                    of: #/^metronome: (.*song\.map):([0-9]+):([0-9]+): (.+: .+)\n$/#)
                let column = place.flatMap { Int($0.3) } ?? 0
                if outcome.status != 66 || !outcome.output.isEmpty || place?.1.hasPrefix(folder.path()) != true
                    || place.flatMap({ Int($0.2) }) != at + 1 || !(1...(map[at].count + 1)).contains(column)
                {
                    wrong += 1
                    Issue.record("\(map) gave \(outcome)")
                }
            }
        }
        print("maps to the command, seed \(seed): \(refused) refused, \(accepted) accepted, \(wrong) wrongly")
        #expect(accepted > 50 && wrong == 0)
    }

    @Test func `Malformed accents end with status 2 and their column, well-formed ones are played`() throws {
        let seed: UInt64 = 20_252
        var random = SeededGenerator(seed: seed)
        var (refused, accepted, wrong) = (0, 0, 0)
        while refused < 200 {
            let text = WrongNotation.accent(using: &random)
            let played = try metronome.run(["120", "--accent", text, "--bars", "2", "--csv", "-"])
            if let bars = WrongNotation.accentLevels(text) {
                accepted += 1
                let levels = played.lines.dropFirst().compactMap { Int($0.split(separator: ",")[3]) }
                if played.status != 0 || levels != bars[0] + bars[1 % bars.count] {
                    wrong += 1
                    Issue.record("'\(text)' gave \(played)")
                }
                continue
            }
            refused += 1
            let place = played.errors.firstMatch(
                of: #/^metronome: --accent '(.*)', column ([0-9]+): (.+: .+)\n$/#
                    .dotMatchesNewlines())
            let column = place.flatMap { Int($0.2) } ?? 0
            if played.status != 2 || !played.output.isEmpty || place.map({ String($0.1) }) != text
                || !(1...(text.count + 1)).contains(column)
            {
                wrong += 1
                Issue.record("'\(text)' gave \(played)")
            }
        }
        print("accents to the command, seed \(seed): \(refused) refused, \(accepted) accepted, \(wrong) wrongly")
        #expect(accepted > 20 && wrong == 0)
    }
}
