/// Finds where a strum begins, and where its last string is struck, by the noise of picks and by partials that rise.
struct StrumOnset: ~Copyable, Sendable {
    private var picks: PickRise
    private var partials: PartialRise
    private(set) var loss: LostStretch
    private let sampleRate: Double
    private var frame: Int64 = 0
    /// The powers that the newest strum began with, of differences and of partials.
    private var firstPick = 0.0, firstPartials = 0.0
    /// Whether the newest strum has been heard by its picks, which tell the time of each string better than its partials.
    private var isPicked = false
    /// The first sample of the next window of the copy, counted at its rate.
    private var nextWindow: Int64 = 0
    /// Where its newest string was struck by picks or partials.
    private var newest: Int64 = -1
    /// The sample at which the newest strum begins, and the one at which its newest string was struck; -1 before the first.
    private(set) var first: Int64 = -1
    private(set) var latest: Int64 = -1

    /// - Parameters:
    ///   - fundamentals: the first partials by the tuning, in hertz.
    ///   - limit: the highest frequency that counts, in hertz.
    ///   - factor: of the copy of the stream in which partials are heard.
    init(fundamentals: [Double], below limit: Double, sampleRate: Double, factor: Int) {
        self.sampleRate = sampleRate
        picks = PickRise(sampleRate: sampleRate)
        loss = LostStretch(sampleRate: sampleRate)
        partials = PartialRise(fundamentals: fundamentals, below: limit, rate: sampleRate / Double(factor))
    }

    /// Takes in one sample, and returns whether a strum begins with the step that it ends.
    @inline(__always) @_noLocks mutating func process(_ sample: Float) -> Bool {
        frame += 1
        switch loss.process(sample) {
        case .sound: return picks.process(sample) ? endStep() : false
        case .wait: return false
        case .soundAfter(let zeros): return process(sample, after: zeros)
        case .soundAfterLoss: picks.skip(to: sample)
        }
        return false
    }

    /// Takes in a sample and the zeros that have waited before it.
    @_noLocks private mutating func process(_ sample: Float, after zeros: Int) -> Bool {
        var begins = false
        frame -= Int64(zeros)
        for _ in 0..<zeros {
            if picks.process(0), endStep() { begins = true }
            frame += 1
        }
        if picks.process(sample), endStep() { begins = true }
        return begins
    }

    @_noLocks mutating func reset() {
        (frame, first, latest, newest, nextWindow) = (0, -1, -1, -1, 0)
        (firstPick, firstPartials) = (0, 0)
        picks.reset()
        partials.reset()
        loss.reset()
    }

    @_noLocks private mutating func endStep() -> Bool {
        let step = picks.endStep()
        if first >= 0, Double(frame - first) < settlingTime * sampleRate { firstPick = max(firstPick, picks.power) }
        guard !step.isNothing else { return false }
        let start = frame - Int64(picks.stepLength)
        // What begins far louder than the last sound began is what was meant: that was a noise.
        let isLouder = step.isAttack && picks.power > louderRatio * firstPick
        if first >= 0 && !isLouder {
            if Double(start - first) < strumTime * sampleRate {
                latest = max(latest, start)
                newest = max(newest, start)
                if step.isAttack { isPicked = true }
                return false
            }
            if step.isAttack && follows(start) { return false }
        }
        guard step.isAttack else { return false }
        begin(start)
        isPicked = true
        return true
    }

    /// Takes in a copy of the stream up to where it is known.
    ///
    /// - Parameters:
    ///   - newest: the newest samples of the copy.
    ///   - count: how many samples the copy has had.
    /// - Returns: whether a strum begins.
    @_noLocks mutating func process(_ newest: UnsafeMutableBufferPointer<Float>, count: Int, factor: Int) -> Bool {
        var begins = false
        let origin = Int64(count - newest.count)
        nextWindow = max(nextWindow, origin)
        guard let samples = newest.baseAddress else { return false }
        // Samples of the stream that one of the copy is filtered from, on either side.
        let reach = Int64(9 * factor)
        while nextWindow + Int64(partials.windowLength) <= Int64(count) {
            let (from, to) = (nextWindow * Int64(factor), (nextWindow + Int64(partials.windowLength)) * Int64(factor))
            if loss.isOpen(before: to + reach) { break }
            if loss.touches(from - reach, to + reach) {
                nextWindow = (loss.end + reach) / Int64(factor) + 1
                continue
            }
            let attack = partials.process(samples + Int(nextWindow - origin))
            // First, so that the partials of a strum whose pick was heard are not a louder one.
            if first >= 0, Double(from - first) < settlingTime * sampleRate {
                firstPartials = max(firstPartials, partials.power)
            }
            if !attack.isNothing, take(attack, at: max(0, to - Int64(riseTime * sampleRate))) { begins = true }
            nextWindow += Int64(partials.hop)
        }
        return begins
    }

    /// Samples of the copy that `process` needs.
    @_noLocks func needed(count: Int) -> Int { min(count, max(0, count - Int(nextWindow))) }

    /// Takes in partials that rise, and returns whether a strum begins with them.
    @_noLocks private mutating func take(_ attack: Attack, at start: Int64) -> Bool {
        let isLouder =
            attack.isAttack && partials.power > louderRatio * firstPartials
            && partials.power > surprise * partials.powerBefore
        if first >= 0 && !isLouder {
            if Double(start - first) < strumTime * sampleRate {
                if !isPicked { latest = max(latest, start) }
                newest = max(newest, start)
                return false
            }
            if follows(start) { return false }
        }
        guard attack.isAttack else { return false }
        begin(start)
        return true
    }

    /// Whether a string goes on with the newest strum, which it then does.
    @_noLocks private mutating func follows(_ start: Int64) -> Bool {
        guard Double(start - newest) < nextStringTime * sampleRate,
            Double(start - first) < longestStrum * sampleRate
        else { return false }
        latest = max(latest, start)
        newest = max(newest, start)
        return true
    }

    @_noLocks private mutating func begin(_ start: Int64) {
        (first, latest, newest, isPicked) = (start, start, start, false)
        (firstPick, firstPartials) = (picks.power, partials.power)
    }
}

/// Times the power with which a sound began: 13 dB.
private var louderRatio: Double { @_noLocks get { 20.0 } }
/// Times the power of the last tenth of a second: no string of a strum exceeds those before it so far.
private var surprise: Double { @_noLocks get { 8.0 } }
/// Seconds from the first string to the last of an ordinary strum.
private var strumTime: Double { @_noLocks get { 0.25 } }
/// Seconds from one string to the next of a slow one, which a thumb may play.
private var nextStringTime: Double { @_noLocks get { 0.25 } }
/// Seconds: twelve strings 60 ms apart.
private var longestStrum: Double { @_noLocks get { 0.7 } }
/// Seconds from the start of a string to the end of the window in which it is heard.
private var riseTime: Double { @_noLocks get { 0.010 } }
/// Seconds in which an attack gets as loud as it will be.
private var settlingTime: Double { @_noLocks get { 0.05 } }
