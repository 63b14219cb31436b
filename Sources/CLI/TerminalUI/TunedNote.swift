public import Music
public import Pitch

/// One reading, named: the nearest note and how far off it is.
public struct TunedNote: Sendable {
    /// Seconds of sound from the start of the stream to the end of what this reading used.
    public let seconds: Double
    /// The level of the sound.
    public let level: Decibels
    /// How sure the reading is, 0...1.
    public let confidence: Double
    /// What is heard; `nil` when there is no pitch.
    public let pitch: Pitch?

    /// A heard pitch against the scale.
    public struct Pitch: Sendable {
        /// The nearest note.
        public let note: Note
        /// Above (+) or below (-) that note.
        public let deviation: Cents
        /// The frequency itself.
        public let frequency: Hertz
    }

    /// Names a reading.
    ///
    /// - Parameters:
    ///   - reading: what the engine said.
    ///   - sampleRate: of the stream that the reading counts its frames in.
    ///   - reference: the A4 that the scale hangs from.
    public init(_ reading: PitchReading, sampleRate: Hertz, reference: ReferencePitch) {
        seconds = Double(reading.frame) / sampleRate.value
        level = reading.level
        confidence = reading.clarity
        if reading.state == .voiced, let (note, deviation) = reference.nearestNote(to: reading.frequency) {
            pitch = Pitch(note: note, deviation: deviation, frequency: reading.frequency)
        } else {
            pitch = nil
        }
    }
}
