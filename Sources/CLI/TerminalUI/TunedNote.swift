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
    /// What the sound is doing.
    public let state: PitchState
    /// Two of these either way hold the true pitch 19 times out of 20; 0 when unknown.
    public let standardError: Cents
    /// How stretched the partials are; 0 when unknown.
    public let inharmonicity: Double
    /// What the engine said, and in frames of which rate.
    let reading: PitchReading
    let sampleRate: Hertz

    /// A heard pitch against the scale.
    public struct Pitch: Sendable {
        /// The nearest note, at concert pitch.
        public let note: Note
        /// Its name without the octave, as written for the player's instrument.
        public let name: String
        /// The octave of that name.
        public let octave: Int
        /// Name and octave.
        public let label: String
        /// The concert note, where the instrument is a transposing one.
        public let concert: String?
        /// Above (+) or below (-) that note.
        public let deviation: Cents
        /// The frequency itself.
        public let frequency: Hertz
        /// Where the note belongs.
        public let target: Hertz
        /// The position of the string in the instrument's tuning.
        public let string: Int?
    }

    /// Names a reading.
    ///
    /// - Parameters:
    ///   - reading: what the engine said.
    ///   - sampleRate: of the stream that the reading counts its frames in.
    ///   - finder: the rules by which notes are found.
    public init(_ reading: PitchReading, sampleRate: Hertz, finder: NoteFinder) {
        seconds = Double(reading.frame) / sampleRate.value
        level = reading.level
        confidence = reading.clarity
        state = reading.state
        standardError = reading.standardError
        inharmonicity = reading.inharmonicity
        self.reading = reading
        self.sampleRate = sampleRate
        pitch = reading.state == .voiced ? finder.pitch(of: reading.frequency) : nil
    }

    /// The same reading with its note found by other rules.
    init(_ note: TunedNote, renamedBy finder: NoteFinder) {
        seconds = note.seconds
        level = note.level
        confidence = note.confidence
        state = note.state
        standardError = note.standardError
        inharmonicity = note.inharmonicity
        reading = note.reading
        sampleRate = note.sampleRate
        pitch = note.pitch.flatMap { finder.pitch(of: $0.frequency) }
    }
}
