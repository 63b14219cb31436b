import Foundation
import Music
import TerminalUI
import TestSignals
import Testing

@Suite struct TakeTests {
    /// Ten seconds: five notes of two seconds each, 6 cents sharp, drifting up by 1 cent a second, with a vibrato of 2 cents.
    private func take(name: String = "scale.wav") -> Take {
        var take = Take(name: name, finder: standardFinder)
        for i in 0..<2_000 {
            let seconds = Double(i) / 200
            let midi = 60 + [0, 2, 4, 5, 7][i / 400]
            let cents = 6 + seconds + 2 * sin(2 * .pi * 5 * seconds)
            let hertz = 440 * exp2((Double(midi) - 69 + cents / 100) / 12)
            take.add(reading(at: Int64(i * 240), i % 400 < 20 ? nil : hertz))
        }
        take.finish()
        return take
    }

    @Test func `Notes, their mean and spread, the drift and the best A4 are what was played`() throws {
        let take = take()
        #expect(take.entries.map(\.label) == ["C4", "D4", "E4", "F4", "G4"])
        let notes = take.notes
        #expect(notes.map(\.label) == ["C4", "D4", "E4", "F4", "G4"])
        // The middle of the second note lies at 3.05 s: 9.05 cents.
        #expect(abs(notes[1].mean - 9.05) < 0.1)
        // A sine of 2 cents has a standard deviation of 1.41, a drift of 1.9 cents over the note one of 0.55.
        #expect(abs(notes[1].spread - 1.52) < 0.05)
        let drift = try #require(take.drift)
        #expect(abs(drift.centsPerMinute - 60) < 0.5 && drift.standardError < 0.5 && drift.isSeen)
        // The mean of all is 11.3 cents: 440 · 2^(11.05/1200).
        #expect(abs(try #require(take.bestA4).value - 440 * exp2(11.05 / 1_200)) < 0.05)
        for part in ["C4", "drift +60", "A4 that fits best 442.8"] { #expect(take.text.contains(part), "\(take.text)") }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(take.json.utf8)) as? [String: Any])
        #expect((object["notes"] as? [Any])?.count == 5)
    }

    @Test func `Notes that scatter and do not drift have none, and notes that do are told with their error`() throws {
        // 40 notes of 0.4 s, each 8 cents (standard deviation) off at random: 16 s of them make a line of ± 16 c a minute.
        var generator = SeededGenerator(seed: 20_261_121)
        var (seen, inside) = (0, 0)
        for _ in 0..<200 {
            var take = Take(name: "scatter", finder: standardFinder)
            let offsets = (0..<40).map { _ in
                (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0..<1, using: &generator) } * 8
            }
            for i in 0..<1_600 {
                let note = i / 40
                let hertz = 440 * exp2((Double([60, 64, 67][note % 3]) - 69 + offsets[note] / 100) / 12)
                take.add(reading(at: Int64(i * 480), i % 40 < 4 ? nil : hertz))
            }
            take.finish()
            let drift = try #require(take.drift)
            if drift.isSeen { seen += 1 } else { #expect(drift.text.hasPrefix("no drift to be seen")) }
            if abs(drift.centsPerMinute) < drift.standardError { inside += 1 }
        }
        print("no drift: seen in \(seen) of 200 takes, \(inside) within one standard error")
        // 5 % and 68 % are to be expected; four standard deviations of 200 throws of a coin like that.
        #expect(seen <= 22 && (110...163).contains(inside))
    }

    @Test func `A held tone that sinks is one note that drifts`() throws {
        var take = Take(name: "held", finder: standardFinder)
        for i in 0..<2_400 {
            let seconds = Double(i) / 200
            take.add(reading(at: Int64(i * 240), 440 * exp2((-0.5 * seconds + 2 * sin(40 * seconds)) / 1_200)))
        }
        take.finish()
        let drift = try #require(take.drift)
        // Half a cent a second; the vibrato of 2 cents averages out over each second.
        #expect(take.entries.count == 1 && abs(drift.centsPerMinute + 30) < 1 && drift.isSeen)
    }

    @Test func `The curve of the picture ends where another note begins`() throws {
        let svg = TakePlot(take: take(), spectrogram: nil).svg
        let curves = svg.split(separator: "\n").filter { $0.contains("stroke-width=\"2\"") }
        #expect(curves.count >= 5)
        for curve in curves {
            let path = try #require(curve.split(separator: "\"").first { $0.hasPrefix("M") })
            let heights = path.split { "ML".contains($0) }.compactMap { Double($0.split(separator: " ").last ?? "") }
            // A semitone is 45 dots high here: none of them joins two notes.
            #expect((heights.max() ?? 0) - (heights.min() ?? 0) < 20, "\(curve)")
        }
    }

    @Test func `A take without a note is summed up too`() {
        var empty = Take(name: "silence.wav", finder: standardFinder)
        empty.add(reading(at: 48_000, nil))
        empty.finish()
        #expect(empty.text.contains("no steady note"))
        #expect(empty.bestA4 == nil && empty.drift == nil && empty.notes.isEmpty)
        #expect(TakePlot(take: empty, spectrogram: nil).svg.hasSuffix("</svg>\n"))
    }

    @Test func `The picture is the one that was looked at`() throws {
        let levels = (0..<40 * 30).map { Float(-($0 % 80)) }
        let picture = SpectrogramPicture(columns: 40, rows: 30, pitches: 33...108, levels: levels)
        let svg = TakePlot(take: take(), spectrogram: picture).svg
        let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden/take.svg")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil { try Data(svg.utf8).write(to: golden) }
        #expect(svg == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test func `A name with markup and control characters leaves the picture well-formed`() throws {
        let svg = TakePlot(take: take(name: "<&\u{1}>.wav"), spectrogram: nil).svg
        #expect(svg.contains("&lt;&amp;&gt;.wav"))
    }
}
