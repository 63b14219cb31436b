internal import TerminalUI

/// The menu of the tuner: settings in rows, chosen with the arrow keys.
package struct TunerMenu: Sendable, Equatable {
    /// A setting and its value.
    package struct Row: Sendable, Equatable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    package var rows: [Row]
    /// The row that left and right change.
    package private(set) var selected = 0

    package init(rows: [Row]) { self.rows = rows }

    /// Chooses the row so many rows below; the first follows the last.
    package mutating func move(by step: Int) {
        guard !rows.isEmpty else { return }
        selected = (selected + step + rows.count) % rows.count
    }
}

extension Canvas {
    /// Draws the menu in the middle of these rows; the selected row in reverse video between arrows.
    mutating func write(_ menu: TunerMenu, top: Int, rows room: Int) {
        let tag = 2 + (menu.rows.map { displayWidth(of: $0.name) }.max() ?? 0)
        let widest = menu.rows.map { displayWidth(of: $0.value) }.max() ?? 0
        let left = max(1, (columns - tag - widest - 6) / 2)
        let count = max(1, min(room, menu.rows.count))
        // Keep the selected row visible.
        let first = max(0, min(menu.selected - count / 2, menu.rows.count - count))
        let start = top + max(0, room - count) / 2
        for (index, row) in menu.rows.enumerated().dropFirst(first).prefix(count) {
            let line = start + index - first
            let isSelected = index == menu.selected
            write(row.name, row: line, column: left, ink: isSelected ? .bold : .dim)
            let value = fitted(row.value, columns - left - tag - 5)
            let text = isSelected ? (unicode ? "◀ \(value) ▶" : "< \(value) >") : "  \(value)"
            write(text, row: line, column: left + tag, ink: isSelected ? .lit : .plain)
        }
    }
}
