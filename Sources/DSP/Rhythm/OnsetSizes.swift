internal import CRealtime
internal import Music
internal import Spectral

/// A transform, with the errors of this module.
internal func transform(size: Int) throws(OnsetError) -> RealFFT {
    do { return try RealFFT(size: size) } catch { throw .spectral(error) }
}

/// The lengths that an onset detector works with at one sample rate.
///
/// One analysis runs at a rate near 8 kHz, the input decimated by a whole number; a hop is 16 of its samples, about 2 ms.
internal struct OnsetSizes: Sendable {
    /// Samples of the low band in a hop.
    static var hopLow: Int { @_noLocks get { 16 } }

    /// Of the input, in hertz.
    let sampleRate: Double
    /// Input samples for one sample of the low band.
    let decimation: Int
    /// Input samples between two looks.
    let hop: Int
    /// Input samples that one spectrum is taken from: 5 1/3 hops, 10.7 ms.
    let window: Int
    /// Samples of the low band before and after one that its filter needs, in input samples.
    let filterReach: Int

    init(sampleRate: Hertz) throws(OnsetError) {
        guard (8_000...192_000).contains(sampleRate.value) else { throw .unsupportedSampleRate(sampleRate) }
        self.sampleRate = sampleRate.value
        decimation = max(1, Int(rt_round(sampleRate.value / 8_000)))
        hop = Self.hopLow * decimation
        filterReach = 4 * decimation
        // A multiple of 8 without a prime factor above 5, which every transform takes.
        var size = (16 * hop / 3 + 4) / 8 * 8
        while !Self.isSmooth(size) { size += 8 }
        window = size
    }

    /// Seconds of a hop.
    var hopSeconds: Double { Double(hop) / sampleRate }

    /// Hops in `seconds`, at least one.
    func hops(_ seconds: Double) -> Int { max(1, Int(rt_round(seconds / hopSeconds))) }

    static func isSmooth(_ size: Int) -> Bool {
        var rest = size
        for prime in [2, 3, 5] { while rest % prime == 0 { rest /= prime } }
        return rest == 1
    }
}
