internal import CRealtime

/// Pitches as semitones above MIDI's 0, on the scale of A4 at 440 Hz: places to compare, whatever a player tunes to.
package enum KeyScale {
    private static var a4: Double { @_noLocks get { 440 } }

    /// Hertz of a key.
    @_noLocks package static func frequency(_ key: Double) -> Double { a4 * rt_exp2((key - 69) / 12) }

    /// The key of a frequency in hertz.
    @_noLocks package static func key(_ frequency: Double) -> Double { 69 + 12 * rt_log2(frequency / a4) }

    /// By how many semitones a pitch moves that is named by another A4.
    @_noLocks package static func offset(reference: Double) -> Double { 12 * rt_log2(a4 / reference) }

    /// Whether a pitch so many keys away is one that a detector mistakes a note for: the first six harmonics.
    @_noLocks package static func isMisreading(_ distance: Double) -> Bool {
        let size = abs(distance)
        return abs(size - 12) < 0.6 || abs(size - 19) < 0.6 || abs(size - 24) < 0.6 || abs(size - 28) < 0.6
            || abs(size - 31) < 0.6
    }
}
