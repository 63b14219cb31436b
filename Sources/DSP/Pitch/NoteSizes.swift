internal import CRealtime
internal import Music

/// Window lengths in samples of the widest copy, at one sample rate.
struct NoteSizes: BitwiseCopyable, Sendable {
    /// The number of copies: factors 1, 2, 4, 8, 16.
    static var levelCount: Int { @_noLocks get { 5 } }
    /// The most partials that are fitted.
    static var mostPartials: Int { @_noLocks get { 72 } }
    /// The fewest partials that a copy must have room for; otherwise the next wider one is chosen.
    ///
    /// Copies differ by a factor of two, so the chosen one has room for 40 to 80. Partials above the 72nd lie where the
    /// low-pass has taken 10 dB off.
    static var enoughPartials: Double { @_noLocks get { 40 } }

    /// The factor of the widest copy. Its rate is 24 to 50 kHz, or that of the input: pitch needs no more.
    let base: Int
    /// Samples per second of the widest copy.
    let rate: Double
    /// Samples per step; see `StepCutter`. Steps differ by one sample where a hop is no multiple of it.
    let step: Int
    /// The windows of `PitchConstants`, and the longest one that was asked for.
    let shortest: Int
    let short: Int
    let middle: Int
    let long: Int

    /// The divisor of a sample rate that leaves 24 to 50 kHz.
    static func base(for sampleRate: Double) -> Int { sampleRate > 100_000 ? 4 : sampleRate > 50_000 ? 2 : 1 }

    /// - Parameters:
    ///   - step: input samples per step.
    ///   - longestWindow: seconds.
    init(sampleRate: Double, step: Int, longestWindow: Double, constants: PitchConstants = PitchConstants()) {
        base = Self.base(for: sampleRate)
        rate = sampleRate / Double(base)
        self.step = max(1, step / base)
        shortest = Int(constants.shortestWindow * rate + 1e-6)
        short = Int(constants.shortWindow * rate + 1e-6)
        middle = Int(constants.middleWindow * rate + 1e-6)
        long = max(middle, Int(longestWindow * rate))
    }

    /// Samples of a copy per block, even: a step, or a quarter of one where the copy has no whole number of samples per
    /// step, because up to a block of the newest samples waits to be complete.
    @_noLocks func blockLength(level: Int) -> Int {
        let whole = step % 16 == 0 ? step : step / 4
        return max(2, whole >> level & ~1)
    }

    /// The most blocks that the longest window holds, on any copy.
    var mostBlocks: Int {
        (0..<Self.levelCount).map { (long >> $0) / blockLength(level: $0) }.max() ?? 0
    }

    /// Seconds per step.
    var stepTime: Double { @_noLocks get { Double(step) / rate } }

    /// Seconds as samples of the widest copy.
    @_noLocks func samples(_ seconds: Double) -> Int { Int(seconds * rate + 0.5) }
}

/// The time since a note was found, and what is due at it.
struct NoteClock: BitwiseCopyable {
    /// Samples of the widest copy, and how many of them are the last step.
    private(set) var samples = 0
    private var step = 0

    @_noLocks init() {}

    @_noLocks mutating func advance(by step: Int) {
        samples += step
        self.step = step
    }

    /// Whether a moment has come between sample `last` of this clock, exclusive, and now: `moment` samples after the start,
    /// or a multiple of `interval` later. Without `last`, since the step before.
    @_noLocks func reaches(_ moment: Int, every interval: Int = 1 << 40, since last: Int? = nil) -> Bool {
        // Half a step early counts: moments that are whole steps must not be missed by a sample.
        let (now, before) = (samples + step / 2 - moment, (last ?? samples - step) + step / 2 - moment)
        guard now >= 0 else { return false }
        return before < 0 || now / interval > before / interval
    }
}
