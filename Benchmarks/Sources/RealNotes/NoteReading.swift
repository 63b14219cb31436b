/// A reading of a detector.
public struct NoteReading: Sendable {
    /// Seconds of the end of the samples it rests on.
    let time: Double
    /// Hertz; 0 for no pitch.
    let hertz: Double
    /// Cents, where the detector tells it.
    let standardError: Double?

    /// A reading.
    public init(time: Double, hertz: Double, standardError: Double? = nil) {
        (self.time, self.hertz, self.standardError) = (time, hertz, standardError)
    }
}
