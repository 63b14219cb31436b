internal import Intonation
internal import Music

/// The strings of an instrument side by side: what the last strum told of each, and single strings after it.
package struct StrumBoard: Sendable {
    /// When the display shows all strings.
    package enum Mode: String, Sendable, CaseIterable {
        /// After a strum, until a single string is played.
        case auto
        /// Always.
        case strum
        /// Never.
        case single
    }

    /// What was heard of a string.
    struct Reading: Sendable {
        var cents: Double
        var error: Double
        /// `nil` if it was not heard.
        var verdict: TuningVerdict?
    }

    package var mode = Mode.auto
    /// Whether strums of the instrument can be measured at all.
    package var isPossible = false
    /// What was heard of the strings, by their positions in the tuning.
    private(set) var readings: [Int: Reading] = [:]
    /// Whether the newest sound was a strum.
    private(set) var isStrummed = false
    /// The length of sound that the measurement rests on; `nil` if a single string was played after the strum.
    private(set) var window: Duration?
    /// When something was heard last, in seconds of the stream.
    private(set) var heardAt = 0.0

    package var isShown: Bool { isPossible && (mode == .strum || mode == .auto && isStrummed) }

    /// Adds a picture of a strum, or of another sound.
    mutating func hear(_ sound: TunedStrum, at seconds: Double) {
        isStrummed = sound.isStrum
        guard sound.isStrum else { return }
        (window, heardAt) = (sound.window, seconds)
        for string in sound.strings {
            readings[string.position] = Reading(
                cents: string.pitch.deviation.value, error: string.standardError.value, verdict: string.verdict)
        }
    }

    /// Adds a single string, which the strings beside it do not hide.
    ///
    /// - Parameter strings: the positions of all strings at its pitch.
    mutating func hear(_ cents: Double, error: Double, _ verdict: TuningVerdict, of strings: [Int], at seconds: Double)
    {
        guard !isStrummed else { return }
        (window, heardAt) = (nil, seconds)
        for string in strings { readings[string] = Reading(cents: cents, error: error, verdict: verdict) }
    }

    /// Removes what was heard, as after a change of the tuning.
    mutating func forget() { (readings, isStrummed, window) = ([:], false, nil) }
}
