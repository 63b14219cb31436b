public import Music

/// What the sound is doing.
@frozen
public enum PitchState: UInt8, Sendable, BitwiseCopyable {
    /// Below the level at which anything is worth measuring.
    case silence
    /// A sound has just begun; its pitch is not certain yet.
    case attack
    /// A pitch is sounding, and `PitchReading.frequency` is it.
    case voiced
    /// There is sound, but no pitch: noise, speech consonants, several notes at once.
    case unvoiced
}

/// One reading of a pitch, made every hop.
@frozen
public struct PitchReading: Sendable, BitwiseCopyable {
    /// The index of the sample after the last one that was used; 0 is the first sample of the stream.
    public var frame: Int64
    /// What the sound is doing.
    public var state: PitchState
    /// The pitch as the frequency of the first partial; 0 unless `state` is `voiced`.
    ///
    /// On a stiff string this is f0 · √(1 + B), which is what beats against another string's first partial.
    public var frequency: Hertz
    /// The pitch as the repetition rate of the waveform; 0 unless `state` is `voiced`.
    ///
    /// On a stiff string, whose partials are stretched, it lies above `frequency`: it is what a period-based tuner
    /// shows. Without inharmonicity both are the same.
    public var periodicity: Hertz
    /// How surely the sound is periodic, from 0 (noise) to 1.
    public var clarity: Double
    /// The power of the newest hop relative to full scale.
    public var level: Decibels
    /// The standard error of `frequency`: the true pitch lies within two of these 19 times out of 20. 0 when unknown.
    public var standardError: Cents
    /// The inharmonicity coefficient B of a stiff string: partial k lies at k f0 √(1 + B k²). 0 when not measurable.
    /// - SeeAlso: Fletcher, "Normal Vibration Frequencies of a Stiff Piano String", JASA 36(1), 1964.
    public var inharmonicity: Double
    /// How many of the newest samples the frequency rests on.
    public var window: Int32

    /// A reading without a pitch.
    @_noLocks public init(frame: Int64, state: PitchState, level: Decibels, clarity: Double = 0) {
        self.frame = frame
        self.state = state
        self.level = level
        self.clarity = clarity
        frequency = Hertz(0)
        periodicity = Hertz(0)
        standardError = Cents(0)
        inharmonicity = 0
        window = 0
    }
}
