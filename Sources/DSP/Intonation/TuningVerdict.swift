package import Music

/// Whether a note is in tune, or which way it is off.
package enum TuningVerdict: String, Sendable {
    case flat, sharp
    case inTune = "in tune"

    /// Two cents, which few listeners hear on a plucked string.
    package static let usualTolerance = 2.cents

    /// The verdict on a deviation: in tune up to the tolerance, and out of tune from half as much again, so that it does not
    /// flicker at the limit.
    ///
    /// - Parameters:
    ///   - last: the verdict a moment ago on the same note.
    ///   - tolerance: the deviation up to which a note is in tune.
    package init(_ deviation: Cents, after last: TuningVerdict? = nil, tolerance: Cents = usualTolerance) {
        let isInTune = abs(deviation.value) <= tolerance.value * (last == .inTune ? 1.5 : 1)
        self = isInTune ? .inTune : deviation.value < 0 ? .flat : .sharp
    }
}
