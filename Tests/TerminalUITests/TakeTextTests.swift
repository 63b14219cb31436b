import Foundation
import Intonation
import TerminalUI
import TestNotes
import Testing

@Suite struct TakeTextTests {
    @Test func `The summary has notes, drift and best A4, as a table and as JSON`() throws {
        let take = driftingTake()
        for part in ["C4", "drift +60", "A4 that fits best 442.8"] { #expect(take.text.contains(part), "\(take.text)") }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(take.json.utf8)) as? [String: Any])
        #expect((object["notes"] as? [Any])?.count == 5)
    }

    @Test func `A take without a note is summed up too`() {
        var empty = Take(name: "silence.wav", finder: standardFinder)
        empty.add(reading(at: 48_000, nil))
        empty.finish()
        #expect(empty.text.contains("no steady note") && empty.json.contains("\"notes\":[]"))
        #expect(TakePlot(take: empty, spectrogram: nil).svg.hasSuffix("</svg>\n"))
    }

    @Test func `A drift within its error is reported as not significant`() {
        var take = Take(name: "scatter", finder: standardFinder)
        // Three notes, the one in the middle 20 cents sharp: a slope of zero.
        for i in 0..<1_500 {
            let cents = [0, 20, 0][i / 500]
            take.add(reading(at: Int64(i * 240), i % 500 < 20 ? nil : 440 * exp2(Double(cents) / 1_200)))
        }
        take.finish()
        #expect(take.drift?.isSignificant == false && take.text.contains("no significant drift"), "\(take.text)")
    }
}
