internal import Realtime
internal import Spectral

/// The newest sound: a copy of it at the rate of the fit, and where its newest strum begins.
struct StrumSound: ~Copyable, Sendable {
    /// Samples per second of the stream.
    let sampleRate: Double
    private var bank: DecimationBank
    private let level: Int
    private let block: SampleBuffer<Float>
    private var blockCount = 0
    private(set) var onset: StrumOnset
    /// How many strums have begun.
    private(set) var strumCount = 0

    /// - Parameters:
    ///   - fundamentals: the first partials by the tuning, in hertz.
    ///   - limit: the highest frequency of a partial, in hertz.
    init(fundamentals: [Double], below limit: Double, sampleRate: Double) {
        self.sampleRate = sampleRate
        let factor = Self.factor(below: limit, sampleRate: sampleRate)
        level = factor == 8 ? 1 : factor == 16 ? 2 : 0
        bank = DecimationBank(
            base: min(factor, 4), levelCount: level + 1, length: Int(longestMemory * sampleRate), hop: blockLength)
        block = SampleBuffer(count: blockLength)
        onset = StrumOnset(fundamentals: fundamentals, below: limit, sampleRate: sampleRate, factor: factor)
    }

    /// Of how many samples of the stream the copy has one. It is flat up to 0.3 of its rate.
    static func factor(below limit: Double, sampleRate: Double) -> Int {
        var factor = 1
        while factor < 16 && 0.3 * sampleRate / Double(2 * factor) >= limit { factor *= 2 }
        return factor
    }

    /// Samples of the stream for each of the copy.
    var factor: Int { @_noLocks get { bank.factor(level) } }
    /// Samples of the copy per second.
    var rate: Double { @_noLocks get { sampleRate / Double(factor) } }
    /// How many samples the copy has had.
    var available: Int64 { @_noLocks get { Int64(bank.count(level)) } }

    /// Takes in one sample; one that is not finite counts as silence.
    @inline(__always) @_noLocks mutating func process(_ sample: Float) {
        let sample = sample.isFinite ? sample : 0
        block.unsafeElements[blockCount] = sample
        blockCount += 1
        if onset.process(sample) { strumCount += 1 }
        if blockCount == blockLength { flush() }
    }

    /// The copy from a sample on, `nil` if that is about to be forgotten.
    @_noLocks mutating func copy(from begin: Int64) -> UnsafeMutableBufferPointer<Float>? {
        let back = Int(available - begin)
        guard Double(back) <= (longestMemory - 0.05) * rate else { return nil }
        return bank.latest(back, of: level)
    }

    @_noLocks mutating func reset() {
        bank.reset()
        onset.reset()
        (blockCount, strumCount) = (0, 0)
    }

    /// Takes a block into the copy, in which the onset is looked for too.
    @_noLocks private mutating func flush() {
        bank.update(from: UnsafeBufferPointer(block.unsafeElements).span, newest: blockLength)
        blockCount = 0
        let count = bank.count(level)
        let newest = bank.latest(onset.needed(count: count), of: level)
        if onset.process(newest, count: count, factor: factor) { strumCount += 1 }
    }
}

/// Samples that are filtered at once.
private var blockLength: Int { @_noLocks get { 256 } }
/// Seconds of sound that are kept: the longest window, the longest strum, and half a second in which `refine` may be late.
private var longestMemory: Double { @_noLocks get { 3.0 } }
