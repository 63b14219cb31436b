/// The limits of a tempo tracker, to measure what each does.
@_spi(Measurement) public struct TempoConstants: Sendable, BitwiseCopyable {
    /// The preferred tempo in beats per minute.
    public var preferred: Float = 115
    /// How far others are from it: the standard deviation in octaves.
    public var octaves: Float = 0.7
    /// How much the preference counts at every beat again.
    public var persistence: Float = 0.6
    /// How steady a tempo is: exp(-steadiness · |change|) from beat to beat, the change relative.
    public var steadiness: Float = 100
    /// What a frame as loud as any in the last seconds says for the states at a beat, in nepers.
    public var gain: Float = 2
    /// What a beat without any sound says against them, in nepers.
    public var silence: Float = 1
    /// The share of new hypotheses at an onset.
    public var renewal: Float = 1e-5
    /// By how much another course must be likelier than the present one to replace it, at most.
    public var hysteresis: Float = 3_000
    /// The factor by which that grows with every beat heard, from 3 on.
    public var growth: Float = 1.5
    /// By how much a course at another level of the same beat, such as twice as fast, must be likelier at first.
    public var levelFirst: Float = 3
    /// How many beats are heard before a level is believed: 6 give an AMLt of .962, 9 one of .963 (68 hard recordings).
    public var levelStart: Float = 9
    /// The factor by which that grows with every beat heard after those.
    public var levelGrowth: Float = 10
    /// The factor by which a beat without a note shrinks it.
    public var levelLoss: Float = 30
    /// Its most: above what is kept of a course, so that a level changes only after beats without notes.
    public var levelHysteresis: Float = 1e14
    /// By how much a course with three beats in place of two must be likelier, at most: neither fits the other's notes.
    public var crossing: Float = 30
    /// Seconds in which the loudest accent is forgotten.
    public var memory: Float = 3
    /// What music that comes back exactly says for a course of whose beats its bars consist, in nepers a second.
    public var repetition: Float = 8
    /// Seconds in which it is forgotten how alike two bars were: 2 to 16 find as many beats, but with 8 a tempo that is suddenly
    /// another one is told 5 s late.
    public var repetitionMemory: Float = 2
    /// The share of all energy that is added to that of a lag: what was heard only for a while comes back less.
    public var repetitionDoubt: Float = 0.3
    /// Seconds: bars are two to four beats of the level whose beats last so long, or up to twice as long.
    public var repetitionBand: Float = 0.45
    /// The accents' exponent.
    public var exponent: Float = 0.5
    /// Half the width of a beat as a share of the period.
    public var width: Float = 0.06
    /// Seconds: by how much the accent of a note lags.
    public var lag: Float = 0.006
    /// Seconds that are heard of a beat before it is told.
    public var delay: Float = 0.06

    /// Those that the tracker uses.
    @_noLocks public init() {}

    /// All of them by name.
    public static var named: [(name: String, path: any WritableKeyPath<TempoConstants, Float> & Sendable)] {
        [
            ("preferred", \.preferred), ("octaves", \.octaves), ("persistence", \.persistence),
            ("steadiness", \.steadiness), ("gain", \.gain), ("silence", \.silence), ("renewal", \.renewal),
            ("hysteresis", \.hysteresis), ("growth", \.growth), ("memory", \.memory), ("exponent", \.exponent),
            ("width", \.width), ("levelHysteresis", \.levelHysteresis), ("levelGrowth", \.levelGrowth),
            ("levelFirst", \.levelFirst), ("levelStart", \.levelStart), ("levelLoss", \.levelLoss),
            ("crossing", \.crossing), ("repetition", \.repetition), ("repetitionMemory", \.repetitionMemory),
            ("repetitionDoubt", \.repetitionDoubt), ("repetitionBand", \.repetitionBand),
            ("lag", \.lag), ("delay", \.delay),
        ]
    }
}
