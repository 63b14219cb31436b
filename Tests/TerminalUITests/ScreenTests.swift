import CAllocationProbe
import TestSignals
import Testing

@testable import TerminalUI

@Suite struct ScreenTests {
    private func text(_ screen: inout Screen, _ canvas: Canvas) -> String {
        String(decoding: screen.update(to: canvas), as: UTF8.self)
    }

    @Test func `A frame is one synchronised update of what changed, and nothing when nothing changed`() {
        var screen = Screen(colored: false)
        var canvas = Canvas(columns: 20, rows: 3, unicode: false)
        canvas.write("hello", row: 1, column: 2)
        let first = text(&screen, canvas)
        #expect(first.hasPrefix("\u{1B}[?1049h"))
        #expect(first.contains("\u{1B}[?2026h") && first.hasSuffix("\u{1B}[?2026l"))
        #expect(text(&screen, canvas) == "")
        canvas.write("j", row: 1, column: 2)
        let second = text(&screen, canvas)
        #expect(second.contains("\u{1B}[2;3H") && second.contains("j") && !second.contains("ello"))
        #expect(second.utf8.count < 40)
        // A new size is drawn from an empty screen.
        let wider = Canvas(columns: 21, rows: 3, unicode: false)
        #expect(text(&screen, wider).contains("\u{1B}[2J"))
    }

    @Test func `At the end the picture is wiped, then the ordinary screen and the cursor come back, once`() throws {
        var screen = Screen(colored: false)
        #expect(screen.leave() == "")
        _ = screen.update(to: Canvas(columns: 20, rows: 3, unicode: false))
        let last = screen.leave()
        // A console without an alternate screen ignores both sequences, so it has to be erased first.
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
            let text = text(&screen, canvas)
            #expect((text.contains("32m") || text.contains("31m")) == colored)
        }
    }

    @Test func `Whatever was shown before, the bytes of a frame leave exactly the picture on a terminal`() {
        let seed: UInt64 = 2_026
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let words = ["tempo", "♭♯ ░▒▓█", "올림바 a", "嬰イ", "x", "  "]
        var written = 0
        for _ in 0..<120 {
            let (columns, rows) = (Int.random(in: 1...60, using: &random), Int.random(in: 1...20, using: &random))
            let colored = Bool.random(using: &random)
            var screen = Screen(colored: colored)
            var terminal = TestTerminal(columns: columns, rows: rows)
            for _ in 0..<12 {
                var canvas = screen.blank(columns: columns, rows: rows, unicode: true)
                #expect(canvas == Canvas(columns: columns, rows: rows, unicode: true), "it is empty")
                for _ in 0..<Int.random(in: 0...20, using: &random) {
                    let row = Int.random(in: -1...rows, using: &random)
                    let column = Int.random(in: -3...columns, using: &random)
                    let ink = Ink.allCases.randomElement(using: &random) ?? .plain
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: canvas.fill("─", row: row, columns: column..<column + 9, ink: ink)
                    case 1: canvas.repeat(row: min(row, rows - 1), below: 3)
                    default: canvas.write(words.randomElement(using: &random) ?? "", row: row, column: column, ink: ink)
                    }
                }
                if Int.random(in: 0..<9, using: &random) == 0 { screen.invalidate() }
                let bytes = screen.update(to: canvas)
                written += bytes.count
                terminal.take(bytes)
                #expect(terminal.cells == TestTerminal.cells(of: canvas, colored: colored), "\(columns) x \(rows)")
            }
            #expect(terminal.unknown == 0)
        }
        #expect(written > 120_000, "something was drawn")
    }

    @Test func `Rows that change alike are sent alike, whatever their number`() throws {
        var screen = Screen(colored: false)
        var canvas = Canvas(columns: 120, rows: 12, unicode: true)
        _ = screen.update(to: canvas)
        for column in stride(from: 3, to: 120, by: 7) { canvas.put("▓", row: 9, column: column, ink: .near) }
        let one = screen.update(to: canvas).count
        canvas.wipe()
        for column in stride(from: 3, to: 120, by: 7) { canvas.put("▒", row: 8, column: column, ink: .near) }
        canvas.repeat(row: 8, below: 3)
        let bytes = screen.update(to: canvas)
        // The first of the four switches the ink; the three below differ only in the number of the row.
        let moves = try Regex("\u{1B}\\[[0-9]+;4H")
        let bodies = String(decoding: bytes, as: UTF8.self).split(separator: moves).dropFirst(2)
        #expect(bodies.count == 3 && Set(bodies.map { $0.prefix(one / 2) }).count == 1)
        #expect(one > 17 * 5 && bytes.count > 3 * one && bytes.count < 5 * one)
    }

    @Test func `Frame after frame is drawn on the same memory`() {
        var screen = Screen(colored: false)
        func draw(_ number: Int) -> Int {
            var canvas = screen.blank(columns: 200, rows: 50, unicode: true)
            for row in 0..<50 { canvas.fill(number % 2 == 0 ? "▓" : "░", row: row, columns: number..<200) }
            return screen.update(to: canvas).count
        }
        for number in 0..<4 { #expect(draw(number) > 20_000) }
        allocation_probe_reset()
        var bytes = 0
        for number in 4..<104 { bytes += draw(number) }
        let count = allocation_probe_count()
        #expect(count == 0 && bytes > 1_000_000, "\(count)")
    }
}
