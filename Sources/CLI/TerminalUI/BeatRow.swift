public import Timebase

/// The beats of a bar side by side, the one that is heard in brackets: `[O] .  .  .   bar 12  beat 1/4  120 BPM`.
///
/// The mark tells the level, the brackets the moment: neither needs colour.
public struct BeatRow: Sendable {
    private let unicode: Bool

    /// A row drawn with dots, or with ASCII only.
    public init(unicode: Bool) { self.unicode = unicode }

    /// The row for one beat, `columns` wide at most. A bar too long for the line is shown by its numbers alone.
    ///
    /// - Parameters:
    ///   - levels: of the beats of this bar.
    ///   - beat: the beat that is heard, from 1.
    ///   - bar: its bar, from 1.
    ///   - tempo: as it is to be shown.
    ///   - columns: of the terminal.
    public func text(levels: [AccentLevel], beat: Int, bar: Int64, tempo: String, columns: Int) -> String {
        let place = "bar \(bar)  beat \(beat)/\(levels.count)  \(tempo) BPM"
        let cells = levels.enumerated().map { index, level in
            index + 1 == beat ? "[\(mark(level))]" : " \(mark(level)) "
        }
        let row = cells.joined()
        let whole = row + "  " + place
        return whole.count < columns ? whole : String(place.prefix(max(0, columns - 1)))
    }

    /// The mark of a level.
    public func mark(_ level: AccentLevel) -> Character {
        switch level {
        case .silent: unicode ? "–" : "-"
        case .normal: unicode ? "·" : "."
        case .medium: unicode ? "○" : "o"
        case .accent: unicode ? "●" : "O"
        }
    }
}
