internal import Music

/// What a phase of a note says: its pitch, or that there is none.
struct NoteReading: BitwiseCopyable {
    var isVoiced = false
    /// The first partial and the repetition rate in hertz.
    var frequency = 0.0
    var periodicity = 0.0
    /// Cents.
    var standardError = 0.0
    var inharmonicity = 0.0
    var clarity = 0.0
    /// Samples of the input.
    var window = 0

    @_noLocks init() {}

    @_noLocks func reading(frame: Int64, unvoiced: PitchState, level: Decibels) -> PitchReading {
        var reading = PitchReading(
            frame: frame, state: isVoiced ? .voiced : unvoiced, level: level, clarity: min(1, max(0, clarity)))
        guard isVoiced else { return reading }
        reading.frequency = Hertz(frequency)
        reading.periodicity = Hertz(periodicity)
        reading.standardError = Cents(standardError)
        reading.inharmonicity = inharmonicity
        reading.window = Int32(window)
        return reading
    }
}
