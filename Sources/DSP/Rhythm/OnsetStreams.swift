internal import CRealtime
internal import Realtime
internal import Spectral

/// Two signals at a rate near 8 kHz: what lies below 3.6 kHz, for the predictor, and the power above 5 kHz.
///
/// A sample of the first belongs to the middle of its filter, so the newest one lags the input by 4 samples. The second is
/// a mean of squares over the input samples between two of the first.
internal struct OnsetStreams: ~Copyable, Sendable {
    /// How many samples of the low band the newest one lies before the newest of the high band.
    static var lag: Int { @_noLocks get { 4 } }
    /// What remains of the sample before: music falls by some 6 dB per octave, and a predictor does best on a flat spectrum.
    static var preEmphasis: Float { @_noLocks get { 0.7 } }

    /// The low band, pre-emphasised.
    private(set) var low: SampleHistory
    /// The same without pre-emphasis, of the newest hop and what a filter for a quarter of the rate needs before it.
    private(set) var plain = SampleHistory(length: plainLength)
    static var plainLength: Int { @_noLocks get { 80 } }
    /// The power of the high band.
    private(set) var high: SampleHistory
    /// The power of the low band in the newest hop.
    private(set) var lowPower = 0.0

    private let sizes: OnsetSizes
    private let taps: SampleBuffer<Float>
    private var before: Float = 0
    private let highPass: SampleBuffer<Biquad>

    /// - Parameter length: how many samples of either are kept.
    init(sizes: OnsetSizes, length: Int) {
        self.sizes = sizes
        low = SampleHistory(length: length)
        high = SampleHistory(length: length)
        taps = SampleBuffer(copying: lowPass(factor: sizes.decimation))
        // 5 kHz: above most partials, below the noise of sticks, picks and hammers. A low sample rate has less room.
        let cut = min(5_000, 0.3 * sizes.sampleRate) / sizes.sampleRate
        // The two poles' pairs of a Butterworth filter of fourth order.
        highPass = SampleBuffer(
            copying: [0.541_196_100_146_197, 1.306_562_964_876_376].map { Biquad(highPass: cut, quality: $0) })
    }

    /// By how much the pre-emphasis raises the power at a frequency in radians per sample.
    static func emphasis(at frequency: Double) -> Double {
        let a = Double(preEmphasis)
        return 1 + a * a - 2 * a * rt_cos(frequency)
    }

    /// How many of the newest input samples `advance` wants to see.
    var reach: Int { @_noLocks get { sizes.hop + 2 * sizes.filterReach } }

    /// Takes in a hop.
    ///
    /// - Parameter input: the newest `reach` samples.
    @_noLocks mutating func advance(_ input: UnsafePointer<Float>) {
        let (count, decimation) = (OnsetSizes.hopLow, sizes.decimation)
        guard let taps = UnsafePointer(taps.unsafeElements.baseAddress) else { return }
        let (lowRoom, plainRoom, highRoom) = (low.extend(by: count), plain.extend(by: count), high.extend(by: count))
        var power: Float = 0
        for n in 0..<count {
            let x = dotProduct(input + n * decimation, taps, 2 * sizes.filterReach + 1)
            lowRoom[n] = x - Self.preEmphasis * before
            power += lowRoom[n] * lowRoom[n]
            plainRoom[n] = x
            before = x
        }
        lowPower = Double(power) / Double(count)
        let newest = input + 2 * sizes.filterReach
        for n in 0..<count {
            var sum: Float = 0
            for m in 0..<decimation {
                var x = newest[n * decimation + m]
                for stage in 0..<highPass.count { x = highPass.unsafeElements[stage].next(x) }
                sum += x * x
            }
            highRoom[n] = sum / Float(decimation)
        }
    }

    @_noLocks mutating func reset() {
        low.clear()
        plain.clear()
        high.clear()
        (before, lowPower) = (0, 0)
        for stage in 0..<highPass.count { highPass.unsafeElements[stage].reset() }
    }
}

/// A recursive filter of second order.
///
/// - SeeAlso: Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", W3C Note, 2021.
internal struct Biquad: BitwiseCopyable, Sendable {
    private let b0: Float, b1: Float, a1: Float, a2: Float
    private var (s1, s2): (Float, Float) = (0, 0)

    /// - Parameter frequency: the corner as a share of the sample rate.
    init(highPass frequency: Double, quality: Double) {
        let (cosine, sine) = (rt_cos(2 * .pi * frequency), rt_sin(2 * .pi * frequency))
        let alpha = sine / (2 * quality)
        b0 = Float((1 + cosine) / 2 / (1 + alpha))
        b1 = Float(-(1 + cosine) / (1 + alpha))
        (a1, a2) = (Float(-2 * cosine / (1 + alpha)), Float((1 - alpha) / (1 + alpha)))
    }

    @_noLocks mutating func next(_ x: Float) -> Float {
        let y = b0 * x + s1
        s1 = b1 * x - a1 * y + s2
        s2 = b0 * x - a2 * y
        return y
    }

    @_noLocks mutating func reset() { (s1, s2) = (0, 0) }
}

/// A sinc under a Hamming window, 2 · reach · factor + 1 taps: -53 dB beyond its slope, which is 1.65 / reach of the new band
/// wide to either side of the cut.
///
/// - Parameter cut: in new bands.
internal func lowPass(factor: Int, reach: Int = 4, cut: Double = 0.9) -> [Float] {
    let half = reach * factor
    let cut = cut / Double(factor)
    let values = (-half...half).map { n in
        let x = Double(n)
        let sinc = n == 0 ? cut : rt_sin(.pi * cut * x) / (.pi * x)
        return sinc * (0.54 + 0.46 * rt_cos(.pi * x / Double(half)))
    }
    let sum = values.reduce(0, +)
    return values.map { Float($0 / sum) }
}
