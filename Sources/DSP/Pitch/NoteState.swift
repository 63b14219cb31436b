internal import CRealtime
internal import Music

/// Window lengths in samples of the widest copy, from the sample rate.
struct NoteSizes: BitwiseCopyable, Sendable {
    /// How many copies: factors 1, 2, 4, 8, 16.
    static var levelCount: Int { @_noLocks get { 5 } }
    /// The most partials that are fitted, and the fewest a copy must have room for before a narrower one is chosen.
    ///
    /// Copies differ by a factor of two, so that one has room for 40 to 80: what is left above the 72nd lies where the
    /// low-pass has taken 10 dB off.
    static var mostPartials: Int { @_noLocks get { 72 } }
    static var enoughPartials: Double { @_noLocks get { 40 } }

    /// The widest copy's factor, so that its rate lies at 24 to 50 kHz (or is the input's): pitch needs no more.
    let base: Int
    let rate: Double
    let hop: Int
    /// 2.7 ms, 21.3 ms, 85.3 ms and what was asked for.
    let shortest: Int
    let short: Int
    let middle: Int
    let long: Int

    /// The divisor of a sample rate that leaves 24 to 50 kHz.
    static func base(for sampleRate: Double) -> Int { sampleRate > 100_000 ? 4 : sampleRate > 50_000 ? 2 : 1 }

    /// Samples of a copy per block: a hop, or about a quarter where a hop is no whole number of them, because up to a
    /// block of the newest samples waits for its fellows. Even.
    @_noLocks func blockLength(level: Int) -> Int {
        let whole = hop % 16 == 0 ? hop : hop / 4
        return max(2, whole >> level & ~1)
    }

    /// The most blocks that the longest window holds, on any copy.
    var mostBlocks: Int {
        (0..<Self.levelCount).map { (long >> $0) / blockLength(level: $0) }.max() ?? 0
    }

    init(sampleRate: Double, hop: Int, longestWindow: Double) {
        base = Self.base(for: sampleRate)
        rate = sampleRate / Double(base)
        self.hop = hop / base
        let scale = rate / 48_000
        shortest = Int(128 * scale)
        short = Int(1_024 * scale)
        middle = Int(4_096 * scale)
        long = max(middle, Int(longestWindow * rate))
    }
}

/// What is known of the note that sounds.
struct NoteState: BitwiseCopyable {
    /// The first partial's frequency in hertz, 0 when there is no note, and what else the fit says.
    var frequency = 0.0
    var periodicity = 0.0
    var inharmonicity = 0.0
    var standardError = 0.0
    var clarity = 0.0
    /// The share of the newest 20 ms that the fit explains.
    var explained = 0.0
    /// The share of the whole window that the fit explains.
    var strength = 0.0
    var window = 0
    var isVoiced = false

    /// Followed block by block.
    var isLocked = false
    var level = 0
    var partials = 0
    /// The highest partial that stands out of the noise.
    var heard = 0
    /// w and B of the locked note, in radians per sample of its copy.
    var fundamental = 0.0
    var stiffness = 0.0
    /// The variance of the first partial that comes from not knowing B yet, (radians per sample)².
    var looseness = 0.0
    /// The variance of the first partial from noise alone.
    var chance = 0.0
    /// What the note has told of B so far.
    var memory = StiffnessMemory()
    /// Whether the note decays enough to be seen.
    var isDecaying = true
    /// What the long window said last: w, its variance, and the number of blocks.
    var slow = (fundamental: 0.0, variance: 0.0, blocks: 0)
    /// The variance of that w that the scatter of its partials tells beyond white noise.
    var slowScatter = 0.0
    /// What the short window's fits tell of noise and motion, and the age at the last one.
    var innovation = PitchInnovation()
    var lastQuick = 0
    /// The pitch while it moves, and how far its last reading lay from the long window's, as a share.
    var smooth = MovingPitch(0)
    var departure = 0.0
    /// What the hop before found, and the sample since which windows agree.
    var agreedPitch = 0.0
    var agreedSince = 0
    /// Whether the note began while another one was less than 30 dB below.
    var isOverAnother = false
    /// Index of the sample after the last block.
    var blockEnd = 0
    /// Hops for which the pitch counts as moving.
    var moving = 0
    var wasMoving = false
    /// The short window's fundamental one and two hops ago.
    var before = 0.0
    var twoBefore = 0.0
    /// How much it has changed per hop, at the last window's middle and, led on, at the next one's.
    var slope = 0.0
    var nextSlope = 0.0
    /// How far off what was expected the last fundamentals of a moving pitch were.
    var surprise = 0.0
    /// How far off the last one was.
    var stray = 0.0
    /// Hops in a row in which the pitch went on as was to be expected; see `tell`.
    var smoothness = 0
    /// Hops in a row in which short and long window disagreed.
    var apart = 0
    /// Hops since the lock, and hops in a row that spoke against the note.
    var age = 0
    var doubts = 0

    /// The frequency around which readings have stayed, and for how many hops.
    var anchor = 0.0
    var steadiness = 0

    @_noLocks init() {}

    @_noLocks func reading(frame: Int64, level: Decibels, isYoung: Bool) -> PitchReading {
        var reading = PitchReading(
            frame: frame, state: isVoiced ? .voiced : isYoung ? .attack : .unvoiced, level: level,
            clarity: min(1, max(0, clarity)))
        guard isVoiced else { return reading }
        reading.frequency = Hertz(frequency)
        reading.periodicity = Hertz(periodicity)
        reading.standardError = Cents(standardError)
        reading.inharmonicity = inharmonicity
        reading.window = Int32(window)
        return reading
    }

    /// Notes what a window that ends at sample `end` found.
    @_noLocks mutating func agree(on pitch: Double, at end: Int) {
        if agreedPitch <= 0 || abs(pitch / agreedPitch - 1) > NoteEvidence.agreement { agreedSince = end }
        agreedPitch = pitch
    }

    /// Counts for how many hops the frequency has stayed where it was, within what its standard error allows.
    ///
    /// Noise that happens to look periodic wanders by more than that. 8 cents are always allowed, 35 at most. A reading
    /// that falls out takes three off the count: the sum forgives one in four, and noise never gets far.
    @_noLocks mutating func count(_ frequency: Double, standardError: Double, most: Int) {
        let tolerance = min(35, max(8, 4 * standardError)) / 1_731.234
        if anchor > 0, standardError < 10, abs(frequency / anchor - 1) < tolerance {
            steadiness = min(most, steadiness + 1)
            anchor += 0.1 * (frequency - anchor)
        } else {
            steadiness -= 3
            if steadiness <= 0 { (anchor, steadiness) = (frequency, 1) }
        }
    }
}
