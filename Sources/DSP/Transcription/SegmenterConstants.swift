/// The limits of a note segmenter, to measure what each does. Times are in seconds, levels in decibels.
@_spi(Measurement) public struct SegmenterConstants: Sendable, BitwiseCopyable {
    /// Readings sooner than that after an onset are those of the note before.
    public var blind = 0.016
    /// How many readings of a new pitch make a note after an onset.
    public var agreeing = 3.0
    /// When a note is shown at the latest, if any pitch was read.
    public var patience = 0.066
    /// How long after an onset another pitch may still come to light under one that rings.
    public var search = 0.2
    /// How long a note's pitch may be corrected.
    public var correction = 0.2
    /// What the onset detector is to be certain of, see `OnsetConstants`: a weak onset counts where the pitch changes.
    public var certain = 0.22
    public var doubt = 0.6
    public var noticed = 0.16
    public var moved = 0.03
    /// The evidence for the same note again: rise, fall and strength together, see `PendingNote.repeats`.
    public var again = 1.5
    /// Decibels of rise, and of fall, that count as much as one neper of an onset's strength.
    public var riseUnit = 6.0
    public var fallUnit = 4.0
    /// A fall of less than that is the decay of the note itself.
    public var freeFall = 3.0
    /// The share of the power that must be new for its pitch to count, and how many readings that pitch counts for.
    public var newness = 0.15
    public var freshWeight = 4.0
    /// What readings of the note before count for once another pitch is known.
    public var ringing = 0.1
    /// How far from a note's mean a reading lies that begins to leave it, in keys.
    public var departure = 0.65
    /// How long another pitch must hold still to be a note of its own.
    public var legato = 0.055
    /// The same after a leap rather than a glide.
    public var leap = 0.032
    /// The same an octave or a twelfth away, where a misreading lies.
    public var octave = 0.12
    /// Within what range it holds still, in keys.
    public var still = 0.3
    /// How late a pitch that changed without an onset is read.
    public var readingDelay = 0.05
    /// How long there must be no pitch for a note to be over.
    public var gap = 0.064
    /// A release: a fall of so much within the time below, and twice as fast as before.
    public var release = 7.0
    public var releaseTime = 0.064
    /// How much of that fall belongs to the note: the end is where the level has left its course by this.
    public var knee = 1.5
    /// How young a note may be released: before that its attack decays.
    public var releaseAge = 0.07
    /// Notes shorter than this are none.
    public var shortest = 0.04
    /// The lowest and the highest key, A0 and C8: beyond, a reading is a misreading.
    public var lowestKey = 20.5
    public var highestKey = 108.5
    /// What counts as readable: the standard error, in keys.
    public var leastError = 0.5

    /// Those that the segmenter uses.
    @_noLocks public init() {}

    /// All of them by name.
    public static var named: [(name: String, path: any WritableKeyPath<SegmenterConstants, Double> & Sendable)] {
        [
            ("blind", \.blind), ("agreeing", \.agreeing), ("patience", \.patience), ("search", \.search),
            ("correction", \.correction), ("again", \.again), ("certain", \.certain), ("doubt", \.doubt), ("noticed", \.noticed), ("moved", \.moved), ("riseUnit", \.riseUnit), ("fallUnit", \.fallUnit),
            ("freeFall", \.freeFall), ("newness", \.newness), ("freshWeight", \.freshWeight), ("ringing", \.ringing), ("departure", \.departure), ("legato", \.legato), ("leap", \.leap),
            ("octave", \.octave), ("still", \.still), ("readingDelay", \.readingDelay), ("gap", \.gap),
            ("release", \.release), ("releaseTime", \.releaseTime), ("knee", \.knee), ("releaseAge", \.releaseAge),
            ("shortest", \.shortest), ("leastError", \.leastError),
        ]
    }
}
