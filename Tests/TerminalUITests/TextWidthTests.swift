import Testing

@testable import TerminalUI

@Suite struct TextWidthTests {
    @Test func `A wide character takes two columns, a combining mark none`() {
        #expect(displayWidth(of: "올림바3") == 7)
        #expect(displayWidth(of: "嬰ヘ3") == 5)
        #expect(displayWidth(of: "F♯3") == 3)
        #expect(displayWidth(of: "e\u{301}") == 1)
        // Hangul in separate letters is as wide as the syllable.
        #expect(displayWidth(of: "\u{1103}\u{1161}") == 2)
        #expect(displayWidth(of: "") == 0)
    }

    @Test func `Text is padded and cut by columns, not by characters`() {
        #expect(padded("다4", toColumns: 5) == "다4  ")
        #expect(fitted("다라마", 5) == "다라" && fitted("abc", -1) == "")
        #expect(widest(of: ["다라마", "다라", "다"], columns: 4) == "다라")
        #expect(widest(of: ["다라마", "다라"], columns: 1) == "다라")
    }
}
