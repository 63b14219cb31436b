import Foundation
import TerminalUI
import TestNotes
import Testing

@testable import TunerUI

@Suite struct TakePlotTests {
    @Test func `The curve of the picture ends where another note begins`() throws {
        let svg = TakePlot(take: driftingTake(), spectrogram: nil).svg
        let curves = svg.split(separator: "\n").filter { $0.contains("stroke-width=\"2\"") }
        #expect(curves.count >= 5)
        for curve in curves {
            let path = try #require(curve.split(separator: "\"").first { $0.hasPrefix("M") })
            let heights = path.split { "ML".contains($0) }.compactMap { Double($0.split(separator: " ").last ?? "") }
            // A semitone is 45 dots high here: none of them joins two notes.
            #expect((heights.max() ?? 0) - (heights.min() ?? 0) < 20, "\(curve)")
        }
    }

    @Test func `The picture is the one that was looked at`() throws {
        let levels = (0..<40 * 30).map { Float(-($0 % 80)) }
        let picture = SpectrogramPicture(columns: 40, rows: 30, pitches: 33...108, levels: levels)
        let svg = TakePlot(take: driftingTake(), spectrogram: picture).svg
        let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden/take.svg")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil { try Data(svg.utf8).write(to: golden) }
        #expect(svg == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test func `A name with markup and control characters leaves the picture well-formed`() throws {
        let svg = TakePlot(take: driftingTake(name: "<&\u{1}>.wav"), spectrogram: nil).svg
        #expect(svg.contains("&lt;&amp;&gt;.wav"))
    }
}
