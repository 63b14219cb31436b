/// What a key does.
package struct KeyHelp: Sendable {
    package let key: String
    package let text: String
    /// The same in a word or two, for small terminals.
    package let words: String

    package init(_ key: String, _ text: String, _ words: String) {
        (self.key, self.text, self.words) = (key, text, words)
    }
}

extension Canvas {
    /// Writes the longest of these texts that fits, from the second column on.
    package mutating func writeFooter(_ texts: [String], row: Int, ink: Ink = .dim) {
        write(fitted(widest(of: texts, columns: columns - 2), columns - 2), row: row, column: 1, ink: ink)
    }

    /// Lists keys below the first row and above the last: one row for each if all texts fit, otherwise two columns of
    /// words.
    package mutating func write(_ keys: [KeyHelp]) {
        let room = rows - 2
        let tag = 2 + (keys.map(\.key.count).max() ?? 0)
        let whole = tag + (keys.map(\.text.count).max() ?? 0)
        guard keys.count > room || whole > columns - 2 else {
            let (top, left) = (1 + (room - keys.count) / 2, (columns - whole) / 2)
            for (index, key) in keys.enumerated() { write(key, key.text, row: top + index, column: left, tag: tag) }
            return
        }
        let half = (keys.count + 1) / 2
        let top = 1 + max(0, room - half) / 2
        for (index, key) in keys.enumerated() where index % half < room {
            write(key, key.words, row: top + index % half, column: 1 + index / half * (columns / 2), tag: tag)
        }
    }

    private mutating func write(_ key: KeyHelp, _ text: String, row: Int, column: Int, tag: Int) {
        write(key.key, row: row, column: column, ink: .bold)
        write(text, row: row, column: column + tag)
    }
}
