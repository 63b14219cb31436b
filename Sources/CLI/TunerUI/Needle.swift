internal import Music
internal import TerminalUI

/// A scale from 50 cents flat to 50 cents sharp with a hand, as text.
struct Needle: Sendable {
    let unicode: Bool

    /// Draws the scale. The middle is 0 cents, the ends are 50.
    ///
    /// - Parameters:
    ///   - deviation: the place of the hand; `nil` for none.
    ///   - width: the number of columns, at least 5. It is rounded to an odd number, which has a middle.
    ///   - fading: how far the note has faded.
    func text(_ deviation: Cents?, width: Int, fading: Fading = .sounding) -> String {
        let half = max(2, (width - 1) / 2)
        var cells = [Character](repeating: unicode ? "─" : "-", count: 2 * half + 1)
        cells[half] = unicode ? "┼" : "+"
        if let deviation, deviation.value.isFinite {
            let clamped = max(-50, min(50, deviation.value))
            cells[half + Int((clamped / 50 * Double(half)).rounded())] = Character(fading.hand(unicode: unicode))
        }
        return String(cells)
    }
}
