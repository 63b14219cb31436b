public import Music

/// What a strum tells of one string.
@frozen
public struct StringReading: Sendable, BitwiseCopyable {
    /// Whether the string is in the sound. The other values mean nothing where it is not: it was muted or missed, or
    /// what sounds lies more than 60 cents from its place.
    ///
    /// Of strums that are mixed from recorded strings, one of which is left out, about one in fifteen has it told as heard,
    /// mostly one all of whose partials others have.
    public var isHeard: Bool
    /// The frequency of the first partial by the law of the string's partials: what beats against another string.
    ///
    /// From windows of 0.7 s on it is the pitch that the string comes to, on which it is tuned: one that is plucked hard begins up
    /// to 10 cents above it. Strings of which two have one pitch are told where they are on average in the window.
    public var frequency: Hertz
    /// The repetition rate of the waveform, which a tuner that measures periods shows. On a stiff string it lies above
    /// `frequency`.
    public var periodicity: Hertz
    /// How far `frequency` lies above the string's place in the tuning; negative when it is flat.
    public var deviation: Cents
    /// The standard error of `frequency`: the true pitch lies within two of these 19 times out of 20.
    ///
    /// It follows from the noise beside the string's partials and from how much the partials scatter about their law.
    public var standardError: Cents
    /// The inharmonicity coefficient B: partial k lies at k f0 √(1 + B k²). It is pulled towards a guitar's 7e-5 where few
    /// partials are heard.
    public var inharmonicity: Double
    /// The power of the string's partials at the centre of the window, relative to full scale.
    public var level: Decibels

    @_noLocks init(
        isHeard: Bool, frequency: Hertz, periodicity: Hertz, deviation: Cents, standardError: Cents,
        inharmonicity: Double, level: Decibels
    ) {
        (self.isHeard, self.frequency, self.periodicity) = (isHeard, frequency, periodicity)
        (self.deviation, self.standardError) = (deviation, standardError)
        (self.inharmonicity, self.level) = (inharmonicity, level)
    }

    /// A string that has not been heard yet, with its place in the tuning.
    @_noLocks init(silent frequency: Hertz) {
        (isHeard, self.frequency, periodicity) = (false, frequency, frequency)
        (deviation, standardError, inharmonicity, level) = (Cents(0), Cents(0), 0, Decibels(-200))
    }
}
