import Foundation
import Intonation
import TakeReports
import TerminalUI
import TestNotes
import Testing

@testable import TunerUI

@Suite struct TakeTextTests {
    @Test func `The summary has notes, drift and best A4, as a table and as JSON`() throws {
        let take = driftingTake()
        for part in ["C4", "drift +15", "A4 that fits best 442.8"] { #expect(take.text.contains(part), "\(take.text)") }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(take.json.utf8)) as? [String: Any])
        #expect((object["notes"] as? [Any])?.count == 5)
    }

    @Test func `A drift of less than thirty seconds is not told`() {
        var take = Take(name: "short", finder: standardFinder)
        for i in 0..<4_000 { take.add(reading(at: Int64(i * 240), 440 + Double(i) / 4_000)) }
        take.finish()
        #expect(!take.text.contains("drift") && take.json.contains("\"drift_cents_per_minute\":null"), "\(take.text)")
    }

    @Test func `Spread and standard error are two words, and the sign is that of the standard error only`() {
        let text = driftingTake().text
        #expect(text.contains("spread") && text.contains("standard error") && !text.contains("±"), "\(text)")
    }

    @Test func `The notes are written as comma-separated values, as many fields as the header`() throws {
        let take = driftingTake(name: "a, b.wav")
        #expect(take.csv.count == 5)
        #expect(take.csv[1].hasPrefix("\"a, b.wav\",D4,62,"))
        let fields = Take.csvHeader(strums: false).split(separator: ",").count
        for row in take.csv { #expect(row.dropFirst(10).split(separator: ",").count == fields - 1, "\(row)") }
        let header = try #require(NoteFormat.csv.header)
        let entry = try #require(take.entries.first)
        let row = NoteFormat.csv.line(entry, file: "x.wav", isOneOfSeveral: false)
        #expect(row.hasPrefix("x.wav,0.400,") && row.contains(",C4,60,"), "\(row)")
        #expect(row.split(separator: ",").count == header.split(separator: ",").count)
        let object = try JSONSerialization.jsonObject(
            with: Data(NoteFormat.json.line(entry, file: "x", isOneOfSeveral: false).utf8))
        #expect((object as? [String: Any])?["note"] as? String == "C4")
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
        for i in 0..<6_300 {
            let cents = [0, 20, 0][i / 2_100]
            take.add(reading(at: Int64(i * 240), i % 2_100 < 80 ? nil : 440 * exp2(Double(cents) / 1_200)))
        }
        take.finish()
        #expect(take.drift?.isSignificant == false && take.text.contains("no significant drift"), "\(take.text)")
    }
}
