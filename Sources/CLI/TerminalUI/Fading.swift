/// How far a note on the display has faded. Each stage is drawn with less ink, so that it shows without colour.
package enum Fading: Int, Sendable {
    /// From the sound to its end.
    case sounding, strong, weak, faint

    /// The stage for a strength from 1 to 0: three equal stages after the sound.
    package init(strength: Double) {
        self = strength >= 1 ? .sounding : strength > 2.0 / 3 ? .strong : strength > 1.0 / 3 ? .weak : .faint
    }

    /// The same ink, or dim in the last two stages.
    package func ink(_ ink: Ink) -> Ink { rawValue < Self.weak.rawValue ? ink : .dim }

    package func block(unicode: Bool) -> Unicode.Scalar {
        mark(unicode ? ["█", "▓", "▒", "░"] : ["#", "+", ":", "."])
    }

    package var upperHalf: Unicode.Scalar { mark(["▀", "▀", "▘", "'"]) }

    package var lowerHalf: Unicode.Scalar { mark(["▄", "▄", "▖", "."]) }

    /// The hand of a needle one cell wide.
    package func hand(unicode: Bool) -> Unicode.Scalar { mark(unicode ? ["●", "○", "◦", "·"] : ["O", "o", ":", "."]) }

    /// The mark before a note in a line.
    package var lead: Unicode.Scalar { mark(["*", "+", ":", "."]) }

    private func mark(_ marks: [Unicode.Scalar]) -> Unicode.Scalar { marks[rawValue] }
}
