import TerminalUI
import Testing

@Suite struct CanvasTests {
    @Test func `What does not fit is cut off, wide characters take two columns`() {
        var canvas = Canvas(columns: 6, rows: 2, unicode: true)
        canvas.write("abcdefgh", row: 0, column: 3)
        canvas.write("올림바", row: 1, column: 1)
        canvas.write("far", row: 9, column: 0)
        canvas.write("x", row: 0, column: -1)
        #expect(canvas.text(row: 0) == "   abc")
        #expect(canvas.text(row: 1) == " 올림", "half of a character is none")
        var ascii = Canvas(columns: 6, rows: 1, unicode: false)
        #expect(ascii.write("a올b", row: 0, column: 0) == 4)
        #expect(ascii.text == "a? b")
    }

    @Test func `Overwriting half of a wide character wipes the other half`() {
        var canvas = Canvas(columns: 4, rows: 1, unicode: true)
        canvas.write("바사", row: 0, column: 0)
        canvas.write("x", row: 0, column: 1)
        #expect(canvas.text == " x사")
    }
}
