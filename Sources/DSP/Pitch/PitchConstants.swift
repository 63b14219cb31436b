/// The times and the measured limits of `HarmonicDetector`, in one table.
///
/// Each has a unit and a reason. Where the reason is a measurement, the command
///
///     accuracy --sensitivity NAME --real-notes DIR
///
/// repeats it with the constant scaled. Limits that follow from a false-alarm rate or from arithmetic stand where they are
/// used.
@_spi(Engine) public struct PitchConstants: BitwiseCopyable, Sendable {
    // Windows, in seconds.

    /// The shortest window in which a note is looked for: two periods of the highest notes, and the rise of an attack.
    public var shortestWindow = 128 / 48_000.0
    /// The window of a pitch that moves: vibrato of ± 30 cents at 5.5 Hz bends the phase of partial 40 by less than 0.3
    /// radians within it.
    public var shortWindow = 1_024 / 48_000.0
    /// The longest window in which a note is looked for: 1.8 periods of the lowest note.
    public var middleWindow = 4_096 / 48_000.0
    /// Periods of a low note that the short window holds at least: fewer leave its partials unresolved.
    public var shortPeriods = 2.2
    /// Periods of the newest part of a window that is asked alone, where the short window holds too few of them.
    public var newestPeriods = 4.0

    // Attacks, in seconds.

    /// How far back a step's level is compared: more than a period of the lowest B of a bass, whose every pulse would pass
    /// for an attack otherwise, and every pause for silence.
    public var levelMemory = 0.0426
    /// How much later than the attack a window may begin. A tone that still rises does not repeat; in a window of two
    /// periods that costs more than 1.5 ms of sound.
    public var longestRise = 0.0015
    /// How long after an attack a note that is found belongs to it: mains hum has none.
    public var announcement = 0.25

    // Finding a note.

    /// Seconds for which windows must agree after silence. Measured: two steps more lose 4 to 8 ms.
    public var agreementAfterSilence = 0.005
    /// The same over a note that still rings. Measured by the wrong readings of real notes over others.
    public var agreementWhileRinging = 0.010
    /// What clarity and explained share must exceed together. Measured: 1.65 saves 4 ms and doubles the wrong readings.
    public var leastEvidence = 1.75
    /// The same once windows have agreed for `longAgreement`; what agrees for so long is seldom chance.
    public var leastAgreedEvidence = 1.6
    /// Seconds beyond the agreement that is needed at least within which the evidence asked for falls to that: three steps.
    public var longAgreement = 0.016
    /// What each of the two must exceed.
    public var leastPart = 0.75
    /// What must be explained below 60 Hz, where two periods tell nothing of the inharmonicity yet.
    public var leastExplainedLow = 0.93
    /// Periods that a window must hold. Fewer agree by chance with twice as many at half the frequency.
    public var leastPeriods = 2.5
    /// Seconds for which a pitch without clarity must stay: nine tenths of the middle window. Noise does not stay so long.
    public var steadyTime = 0.9 * 4_096 / 48_000.0
    /// Partials cost this many times ln N in the first periods, where extra ones explain the noise of the attack; later 2.
    /// Measured: 2 gives four times the wrong readings of plucked notes.
    public var earlyPrice = 3.0
    /// How many periods count as the first: as long as the noise of an attack is a tenth of the power of most notes.
    public var earlyPeriods = 8.0
    /// The clarity from which on a period speaks for itself: noise lies 9.5 dB below the tone. Resonances below a note leave
    /// the last tenth, so that such a period is not compared with its multiples.
    public var clearPeriod = 0.9
    /// The clarity below which nothing repeats. The highest maximum of white noise in 1,024 samples comes to half of that.
    public var leastClarity = 0.3
    /// The clarity with which a followed note is told: noise lies 7.5 dB below it.
    public var toldClarity = 0.85
    /// The same where the fit explains `toldExplained` of the newest window: noise 2 dB below the tone, most of which lies
    /// outside of its copy.
    public var noisyClarity = 0.6
    /// What a fit must explain of the newest window for a note of less clarity to be told: noise 10 dB below in its copy.
    public var toldExplained = 0.9
    /// What a lone line must explain of the newest window to go on smoothly: what fades to 7.5 dB over the noise does not.
    public var smoothExplained = 0.85
    /// Seconds for which a clear period must stay in a full window without another sign of a note: four steps.
    public var clearTime = 0.02
    /// The share of what a period leaves unexplained that a multiple may leave at most to be the period instead: half.
    /// Noise leaves all of it. Measured: without the comparison a quarter more wrong readings, and four times as many over
    /// ringing notes.
    public var clearerMultiple = 0.5
    /// Seconds after which a note counts beside the next one: by then what began as the wrong octave is put right.
    public var establishment = 0.1

    // Following a note, in seconds.

    /// How often a note is asked whether it is still there.
    public var presenceInterval = 0.0213
    /// How often a steady note's two windows are fitted, in turn.
    public var restInterval = 0.01067
    /// How long a note is new: both windows are fitted in every step.
    public var youth = 0.045
    /// How long a pitch counts as moving after the last disagreement: more than the turning point of a slow vibrato.
    public var movingTime = 0.12
    /// How long the long window must be before a pitch that moved counts as steady, in short windows. Measured: with 2 the
    /// long window is four times as far off as the short one in notes of wind instruments.
    public var settlingWindows = 4.0
    /// How many times as far off as the reading of a moving pitch the long window may be expected to be when it takes over.
    /// A vibrato leaves it 5 to 20 times as far off. Measured on bowed notes: with 2 to 4 their readings change by 0.345 c from
    /// one to the next, with 5 by 0.361, with 8 by 0.394, without a limit by 0.418; below 4 a struck string's B, which only a
    /// note at rest tells, comes later.
    public var restlessness = 4.0
    /// The difference in cents between the two windows that counts as motion at least: fits differ by that when B does.
    public var leastMotion = 0.5
    /// When the inharmonicity is searched for first after the lock: half of a middle window.
    public var firstSearch = 0.0427
    /// The second search, once the window is one and a half times as long.
    public var secondSearch = 0.112
    /// The third search, in a window of nearly full length.
    public var laterSearch = 0.261
    /// How often it is searched for from then on: once per window.
    public var searchInterval = 0.3413
    /// How often inharmonicity and decay are looked for while they are not known.
    public var unknownInterval = 0.0427
    /// Until when the octave of a note may turn out wrong: longer than attacks, shorter than a note whose lower partials
    /// die before the others.
    public var octaveDoubt = 0.3413
    /// The share of what one B leaves unexplained that another may leave at most to take its place in the short window.
    /// Measured: at 1 a piano's B is given up and found again within its first half second; 0.2 to 0.5 give the same.
    public var clearerStiffness = 0.5
    /// How often partials that have died are dropped.
    public var partialsInterval = 0.0853
    /// How long a lone line must go on smoothly to be a tone: noise of 10 Hz and more has turned by then.
    public var smoothTime = 0.1
    /// The delay of readings of a moving pitch: half of the short window, whose middle it is, and that to which the longer
    /// windows of low notes are led on. Led to 10 ms, real notes change by a fifth more from reading to reading.
    public var readingDelay = 512 / 48_000.0
    /// Within what time the difference from the last steady reading fades when a pitch begins to move.
    public var fade = 0.008
    /// The same for a difference of at most `leastMotion`. Readings of plucked notes change by 0.053 c from one to the next with
    /// 0.008, and by 0.050 c with 0.08.
    public var slightFade = 0.08
    /// How much of the long window the mean takes that is told of a steady note. The window lags by half of itself, the
    /// mean by a seventh more.
    public var settlingShare = 1.0 / 7
    /// The tracking index of the quickest tracker of a moving pitch; each other one has a third of that of the one before.
    /// Measured: hardly matters from 1 to 3.
    public var trackingIndex = 2.0
    /// How far back the mean square of what tells the means of a moving pitch from the tracker goes: half a vibrato.
    public var differenceMemory = 0.08
    /// How far back the means of `PitchInnovation` go: a vibrato's half-period at least, and a fraction of a plucked note.
    public var innovationMemory = 0.15
    /// How far back the mean of short less long window goes that corrects a steady reading for what the long window lags behind.
    /// Measured on plucked notes: 0.08 to 0.11 leave an rms of 0.31 c, 0.15 leaves 0.33.
    public var lagMemory = 0.1
    /// How far back the mean goes that shows slow motion under the noise of single fits: half a period of what a bow
    /// wobbles at fastest.
    public var wobbleMemory = 0.03

    // The standard error. Weights measured on real notes by the share of readings within one and two.

    /// Of the scatter of partials within a window, which wander together as well as apart.
    public var scatterWeight = 0.7
    /// Of the wander from one fit of the short window to the next where the short window tells the pitch; part of it is
    /// taken out by the means of the readings. The long window holds so many short ones that nothing of it is left.
    public var wanderWeight = 0.4
    /// Of the wobble about the long window.
    public var wobbleWeight = 0.9
    /// Of the square by which short and long window differ on average: either may be off, as where partials beat.
    public var biasWeight = 1.0
    /// Of the variance that `MovingPitch` has for its mean, most of which is motion that the mean does follow.
    public var motionWeight = 0.1
    /// Seconds to which the delay of a moving pitch is known: a tone that swells or fades by some decibels within the short
    /// window has its middle half a millisecond from the window's, and the slope by which it is led on is known to a tenth.
    public var delayDoubt = 0.0008

    /// The values as they are used.
    @_noLocks public init() {}

    /// The constants by name, for a command that varies one of them.
    public static var named: [(name: String, path: any WritableKeyPath<PitchConstants, Double> & Sendable)] {
        [
            ("shortest-window", \.shortestWindow), ("short-window", \.shortWindow), ("middle-window", \.middleWindow),
            ("short-periods", \.shortPeriods), ("newest-periods", \.newestPeriods), ("level-memory", \.levelMemory),
            ("longest-rise", \.longestRise), ("announcement", \.announcement),
            ("agreement-after-silence", \.agreementAfterSilence),
            ("agreement-while-ringing", \.agreementWhileRinging), ("least-evidence", \.leastEvidence),
            ("least-agreed-evidence", \.leastAgreedEvidence), ("long-agreement", \.longAgreement),
            ("least-part", \.leastPart), ("least-explained-low", \.leastExplainedLow),
            ("least-periods", \.leastPeriods), ("steady-time", \.steadyTime), ("early-price", \.earlyPrice),
            ("early-periods", \.earlyPeriods),
            ("clear-period", \.clearPeriod), ("least-clarity", \.leastClarity),
            ("told-clarity", \.toldClarity), ("noisy-clarity", \.noisyClarity), ("told-explained", \.toldExplained),
            ("smooth-explained", \.smoothExplained), ("clear-time", \.clearTime),
            ("clearer-multiple", \.clearerMultiple), ("establishment", \.establishment),
            ("presence-interval", \.presenceInterval), ("rest-interval", \.restInterval), ("youth", \.youth),
            ("moving-time", \.movingTime), ("settling-windows", \.settlingWindows), ("least-motion", \.leastMotion),
            ("restlessness", \.restlessness),
            ("first-search", \.firstSearch), ("second-search", \.secondSearch),
            ("later-search", \.laterSearch), ("search-interval", \.searchInterval),
            ("unknown-interval", \.unknownInterval), ("octave-doubt", \.octaveDoubt),
            ("partials-interval", \.partialsInterval), ("smooth-time", \.smoothTime),
            ("reading-delay", \.readingDelay), ("fade", \.fade), ("slight-fade", \.slightFade),
            ("settling-share", \.settlingShare), ("lag-memory", \.lagMemory),
            ("tracking-index", \.trackingIndex), ("difference-memory", \.differenceMemory),
            ("innovation-memory", \.innovationMemory), ("wobble-memory", \.wobbleMemory),
            ("scatter-weight", \.scatterWeight),
            ("wander-weight", \.wanderWeight), ("wobble-weight", \.wobbleWeight), ("bias-weight", \.biasWeight),
            ("motion-weight", \.motionWeight), ("delay-doubt", \.delayDoubt), ("clearer-stiffness", \.clearerStiffness),
        ]
    }
}
