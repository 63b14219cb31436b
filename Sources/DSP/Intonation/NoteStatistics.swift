public import Music

/// The intonation of all occurrences of one note in a take.
public struct NoteStatistics: Sendable {
    /// The note, at concert pitch.
    public let note: Note
    /// Its name with the octave, as written for the player's instrument.
    public let label: String
    /// How long it sounded in all.
    public let duration: Duration
    /// The deviation of each reading, in rising order; at least one.
    let deviations: [Cents]

    /// The mean deviation; positive is sharp.
    public var mean: Cents { Cents(deviations.reduce(0) { $0 + $1.value } / Double(deviations.count)) }

    /// The standard deviation of the readings.
    public var spread: Cents {
        let mean = mean
        let squares = deviations.reduce(0) { $0 + ($1 - mean).value * ($1 - mean).value }
        return Cents((squares / Double(deviations.count)).squareRoot())
    }

    /// The deviation below which a share of the readings lies, interpolated linearly.
    ///
    /// - Parameter share: 0 to 1.
    public func quantile(_ share: Double) -> Cents {
        let place = max(0, min(1, share)) * Double(deviations.count - 1)
        let low = Int(place)
        let high = min(low + 1, deviations.count - 1)
        return Cents(deviations[low].value + (deviations[high] - deviations[low]).value * (place - Double(low)))
    }
}
