import Intonation
import Music
import TestNotes
import Testing

@Suite struct NoteSummaryTests {
    @Test func `Two notes with a rest between them are two lines`() throws {
        var summary = NoteSummary(finder: standardFinder)
        for i in 0..<100 { summary.add(reading(at: Int64(i * 480), i < 40 ? 440 : i < 60 ? nil : 660)) }
        summary.finish()
        #expect(summary.entries.map(\.note.description) == ["A4", "E5"])
        let fifth = try #require(summary.entries.last)
        // 660 Hz is the just fifth: 1.955 cents above the tempered E5.
        #expect(abs(fifth.deviation.value - 1.955) < 0.001)
        #expect(fifth.spread.value == 0)
        #expect(abs(fifth.start.inSeconds - 0.6) < 1e-9 && abs(fifth.end.inSeconds - 0.99) < 1e-9)
    }

    @Test func `A step of a semitone without a rest begins a new note, a blip is none`() {
        var summary = NoteSummary(finder: standardFinder)
        for i in 0..<60 { summary.add(reading(at: Int64(i * 480), i < 30 ? 440 : i == 30 ? 880 : 466.16)) }
        summary.finish()
        #expect(summary.entries.map(\.note.description) == ["A4", "A#4"])
    }
}
