package import Music

/// Whether a note is in tune, or which way it is off.
package enum TuningVerdict: String, Sendable {
    case flat, sharp
    case inTune = "in tune"

    /// The verdict on a deviation: in tune from 2 cents, which few listeners hear on a plucked string, and out of tune from
    /// 3, so that it does not flicker at the limit.
    ///
    /// - Parameter last: the verdict a moment ago on the same note.
    package init(_ deviation: Cents, after last: TuningVerdict? = nil) {
        let isInTune = abs(deviation.value) <= (last == .inTune ? 3 : 2)
        self = isInTune ? .inTune : deviation.value < 0 ? .flat : .sharp
    }
}
