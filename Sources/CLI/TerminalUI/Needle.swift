public import Music

/// A scale from 50 cents flat to 50 sharp with a hand on it, as text.
public struct Needle: Sendable {
    /// Whether the terminal shows more than ASCII.
    public let unicode: Bool

    /// A needle drawn with box characters, or with ASCII only.
    public init(unicode: Bool) { self.unicode = unicode }

    /// Draws the scale; the middle stands for 0 cents, the ends for 50.
    ///
    /// - Parameters:
    ///   - deviation: where the hand points; `nil` leaves the scale empty.
    ///   - width: the number of columns, made odd so that there is a middle; at least 5.
    public func text(_ deviation: Cents?, width: Int) -> String { text(deviation, width: width, fading: .sounding) }

    /// The same with the hand of a note that fades.
    func text(_ deviation: Cents?, width: Int, fading: Fading) -> String {
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
