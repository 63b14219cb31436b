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

@Suite struct ScreenTests {
    @Test func `A frame is one synchronised update of what changed, and nothing when nothing changed`() {
        var screen = Screen(colored: false)
        var canvas = Canvas(columns: 20, rows: 3, unicode: false)
        canvas.write("hello", row: 1, column: 2)
        let first = screen.update(to: canvas)
        #expect(first.hasPrefix("\u{1B}[?1049h"))
        #expect(first.contains("\u{1B}[?2026h") && first.hasSuffix("\u{1B}[?2026l"))
        #expect(screen.update(to: canvas) == "")
        canvas.write("j", row: 1, column: 2)
        let second = screen.update(to: canvas)
        #expect(second.contains("\u{1B}[2;3H") && second.contains("j") && !second.contains("ello"))
        #expect(second.utf8.count < 40)
        // A new size is drawn from an empty screen.
        let wider = Canvas(columns: 21, rows: 3, unicode: false)
        #expect(screen.update(to: wider).contains("\u{1B}[2J"))
    }

    @Test func `At the end the picture is wiped, then the ordinary screen and the cursor come back, once`() throws {
        var screen = Screen(colored: false)
        #expect(screen.leave() == "")
        _ = screen.update(to: Canvas(columns: 20, rows: 3, unicode: false))
        let last = screen.leave()
        // A console without a second screen knows none of the two: it has to be empty before.
        let wiped = try #require(last.firstRange(of: "\u{1B}[2J")?.lowerBound)
        let left = try #require(last.firstRange(of: "\u{1B}[?1049l")?.lowerBound)
        #expect(wiped < left && last.contains("\u{1B}[?25h") && last.contains("\u{1B}[?7h"))
        #expect(screen.leave() == "")
    }

    @Test func `Without colour no colour is sent`() {
        for colored in [true, false] {
            var screen = Screen(colored: colored)
            var canvas = Canvas(columns: 40, rows: 1, unicode: false)
            for (index, ink) in [Ink.plain, .dim, .bold, .inTune, .near, .off, .lit].enumerated() {
                canvas.write("x", row: 0, column: index, ink: ink)
            }
            let text = screen.update(to: canvas)
            #expect((text.contains("32m") || text.contains("31m")) == colored)
        }
    }
}
