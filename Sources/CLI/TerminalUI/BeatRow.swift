package import Timebase

/// The beats of a bar in a row, the current one in brackets: `[O] .  .  .   bar 12  beat 1/4  120 BPM`.
///
/// Marks show the level; nothing depends on colour.
package struct BeatRow: Sendable {
    private let unicode: Bool

    package init(unicode: Bool) { self.unicode = unicode }

    /// The row for one beat, at most `columns` wide. A bar that does not fit is shown by its numbers alone.
    ///
    /// - Parameters:
    ///   - beat: the current beat.
    ///   - tempo: the text of the tempo.
    ///   - columns: the width of the terminal.
    package func text(_ beat: BeatEvent, tempo: String, columns: Int) -> String {
        let place =
            "bar \(beat.bar)  beat \(beat.beat)/\(beat.beatsInBar)  \(tempo) BPM\(beat.isMuted ? "  muted" : "")"
        // A longer bar would not fit anyway.
        guard beat.beatsInBar <= BarLevels.capacity else { return String(place.prefix(max(0, columns - 1))) }
        let cells = (0..<Int(beat.beatsInBar)).map { index in
            let mark = mark(beat.level(ofBeat: index + 1) ?? .normal)
            return index + 1 == Int(beat.beat) ? "[\(mark)]" : " \(mark) "
        }
        let whole = cells.joined() + "  " + place
        return whole.count < columns ? whole : String(place.prefix(max(0, columns - 1)))
    }

    package func mark(_ level: AccentLevel) -> Character {
        switch level {
        case .silent: unicode ? "–" : "-"
        case .normal: unicode ? "·" : "."
        case .medium: unicode ? "○" : "o"
        case .accent: unicode ? "●" : "O"
        }
    }
}
