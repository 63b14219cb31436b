internal import CRealtime

/// What speaks for a note while it is looked for: how periodic the window is, how much of it a harmonic tone explains,
/// and for how long successive windows have agreed.
///
/// Clarity and explained power fall short for different reasons: an attack that grows or decays repeats less but is
/// explained, breath and bow noise are not explained but leave the period. So their shortfalls are added. Noise has
/// both by chance now and then, but not the same pitch twice.
struct NoteEvidence: BitwiseCopyable {
    /// The height of the normalised difference at the period, 0 to 1.
    var clarity: Double
    /// The share of the power that a tone whose amplitudes may grow or decay explains, 0 to 1.
    var explained: Double
    /// How many periods the window holds.
    var periods: Double
    /// Seconds for which windows have agreed within `agreement`.
    var agreed: Double
    /// Seconds for which they must.
    var needed: Double
    /// What must be explained at least.
    ///
    /// Two periods of a low string tell nothing of its inharmonicity yet: a fit that leaves more than 7 % below 60 Hz is
    /// followed with partials that are not where it thinks.
    var leastExplained = 0.75

    /// 35 cents, as a ratio less one: less than half of the nearest other note.
    static var agreement: Double { @_noLocks get { 0.0204 } }
    /// Seconds of agreement after silence, and over a note that still rings.
    static var afterSilence: Double { @_noLocks get { 0.005 } }
    static var whileRinging: Double { @_noLocks get { 0.010 } }

    @_noLocks init(clarity: Double, explained: Double, periods: Double, agreed: Double, needed: Double) {
        (self.clarity, self.explained, self.periods) = (clarity, explained, periods)
        (self.agreed, self.needed) = (agreed, needed)
    }

    /// Whether this is enough.
    ///
    /// Chosen by the wrong readings before the lock on real notes and noises: shortfalls of 0.25 together lose 24 ms of
    /// an attack in the median; 0.35 lose 20, with twice as many wrong readings. A tone without noise needs no second
    /// window: a hundredth is what noise 20 dB below leaves.
    var isEnough: Bool {
        @_noLocks get {
            if clarity >= 0.9 && explained > 0.99 { return true }
            // Fewer periods agree by chance with twice as many at half the frequency.
            guard periods >= 2.5, agreed >= needed else { return false }
            return clarity > 0.75 && explained > leastExplained && clarity + explained > 1.75
        }
    }
}
