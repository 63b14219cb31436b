import Testing

@testable import TerminalUI

@Suite struct KeyHelpTests {
    private let keys = (0..<14).map { index in
        KeyHelp(
            index == 3 ? "left, right" : "k\(index)", String(repeating: "s", count: 29 + index) + "\(index).",
            "word\(index)")
    }

    @Test(arguments: [(40, 12), (80, 12), (40, 24), (60, 24), (80, 24), (200, 50)])
    func `Every key is listed with all of its sentence, or with all of its words`(_ columns: Int, _ rows: Int) {
        var canvas = Canvas(columns: columns, rows: rows, unicode: false)
        canvas.write("title", row: 0, column: 0)
        canvas.write("footer", row: rows - 1, column: 0)
        canvas.write(keys)
        let hasRoom = columns >= 60 && rows >= 16
        for (index, key) in keys.enumerated() {
            #expect(canvas.text.contains(hasRoom ? "s\(index)." : "word\(index)"), "\(canvas.text)")
            #expect(canvas.text.contains(key.key))
        }
        #expect(canvas.text(row: 0) == "title" && canvas.text(row: rows - 1) == "footer")
    }

    @Test func `The widest text that fits is taken, or the last`() {
        #expect(widest(of: ["four", "two", "1"], columns: 4) == "four")
        #expect(widest(of: ["four", "two", "1"], columns: 3) == "two")
        #expect(widest(of: ["four", "two"], columns: 1) == "two")
    }
}
