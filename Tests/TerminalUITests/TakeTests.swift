import Foundation
import Music
import TerminalUI
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
        #expect(abs(try #require(take.drift) - 60) < 0.5)
        // The mean of all is 11.3 cents: 440 · 2^(11.05/1200).
        #expect(abs(try #require(take.bestA4).value - 440 * exp2(11.05 / 1_200)) < 0.05)
        for part in ["C4", "drift +60", "A4 that fits best 442.8"] { #expect(take.text.contains(part), "\(take.text)") }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(take.json.utf8)) as? [String: Any])
        #expect((object["notes"] as? [Any])?.count == 5)
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
