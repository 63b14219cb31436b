internal import CRealtime
public import Music
internal import Realtime
internal import Spectral

/// YIN: the first deep dip of the cumulative mean normalised difference function.
///
///     d(τ)  = Σ_{j<W} (x[j] - x[j+τ])²
///     d'(τ) = d(τ) · τ / Σ_{t=1}^{τ} d(t),   d'(0) = 1
///
/// The period is the bottom of the first dip below 0.15, or the deepest dip of all. The products inside d come from
/// one cross-correlation by FFT. Memoryless.
///
/// - Complexity: two FFTs and one inverse per hop. No allocation after `init`.
/// - SeeAlso: de Cheveigné & Kawahara, "YIN, a fundamental frequency estimator for speech and music", JASA 111(4), 2002.
@_spi(Engine) public struct YINDetector: ~Copyable, PitchDetector, Sendable {
    /// How many samples lie between two readings.
    public let hop: Int
    /// How many samples one reading rests on: the longest period twice.
    public let windowLength: Int

    /// How deep the first dip must be. The paper uses 0.1, which misses notes that decay; 0.15 is what noise 8 dB below the
    /// tone leaves.
    private static var deepEnough: Float { @_noLocks get { 0.15 } }

    private let sampleRate: Double
    private let longestPeriod: Int
    private var partTransform: RealFFT
    private var wholeTransform: RealFFT
    private let window: SampleBuffer<Float>
    private let values: SampleBuffer<Float>

    /// A detector for one sample rate. Allocates.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 to 192 kHz.
    ///   - hop: samples between readings, 1 to 50 ms; by default 5.33 ms.
    public init(sampleRate: Hertz, hop: Int? = nil) throws(PitchError) {
        let hop = try PitchRange.hop(hop, sampleRate: sampleRate)
        let longestPeriod = Int(rt_ceil(sampleRate.value / McLeodDetector.lowestPitch)) + 2
        let windowLength = 2 * longestPeriod
        var size = 64
        while size < windowLength + longestPeriod { size *= 2 }
        let partTransform = try makeTransform(size: size)
        let wholeTransform = try makeTransform(size: size)
        self.partTransform = partTransform
        self.wholeTransform = wholeTransform
        self.hop = hop
        self.sampleRate = sampleRate.value
        self.windowLength = windowLength
        self.longestPeriod = longestPeriod
        window = SampleBuffer(count: windowLength)
        values = SampleBuffer(count: longestPeriod)
    }

    /// Reads the pitch at the end of `window`.
    @_noLocks public mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        let power = meanSquare(of: window, newest: hop)
        let level = Decibels(power: power)
        guard power > PitchRange.silence() else { return PitchReading(frame: frame, state: .silence, level: level) }
        copyWithoutMean(window, to: self.window.unsafeElements)
        normalizedDifference()
        let dips = values.unsafeElements
        var lag = max(2, Int(sampleRate / PitchRange.highest()))
        var best = lag
        while lag + 1 < longestPeriod {
            if dips[lag] < Self.deepEnough && dips[lag] <= dips[lag + 1] {
                best = lag
                break
            }
            if dips[lag] < dips[best] { best = lag }
            lag += 1
        }
        guard best > 0, best + 1 < longestPeriod else {
            return PitchReading(frame: frame, state: .unvoiced, level: level)
        }
        let bottom = parabolicPeak(-dips[best - 1], -dips[best], -dips[best + 1])
        let clarity = min(1, max(0, 1 + bottom.height))
        let isVoiced = clarity >= McLeodDetector.leastClarity
        var reading = PitchReading(
            frame: frame, state: isVoiced ? .voiced : .unvoiced, level: level, clarity: clarity)
        if isVoiced {
            reading.frequency = Hertz(sampleRate / (Double(best) + bottom.offset))
            reading.periodicity = reading.frequency
            reading.window = Int32(windowLength)
        }
        return reading
    }

    /// Nothing is remembered between readings.
    @_noLocks public mutating func reset() {}

    /// Leaves d' of the window in `values`.
    @_noLocks private mutating func normalizedDifference() {
        let (samples, dips) = (window.unsafeElements, values.unsafeElements)
        let (part, whole) = (partTransform.samples, wholeTransform.samples)
        for n in 0..<partTransform.size {
            part[n] = n < longestPeriod ? samples[n] : 0
            whole[n] = n < windowLength ? samples[n] : 0
        }
        partTransform.forward()
        wholeTransform.forward()
        let (a, b) = (partTransform.spectrum, wholeTransform.spectrum)
        for k in 0..<partTransform.binCount {
            let (p, w) = (a[k], b[k])
            // conj(P) · W is the transform of Σ p[j] w[j+τ].
            b[k] = SIMD2(p.x * w.x + p.y * w.y, p.x * w.y - p.y * w.x)
        }
        wholeTransform.inverse()
        let scale = 1 / Double(wholeTransform.size)
        var energy = 0.0
        for n in 0..<longestPeriod { energy += Double(samples[n]) * Double(samples[n]) }
        let first = energy
        // Floats round at 6e-8 of what they add up.
        var rounding = 1e-20
        for n in 0..<windowLength { rounding += 1e-7 * Double(samples[n]) * Double(samples[n]) }
        var sum = 0.0
        dips[0] = 1
        for lag in 1..<longestPeriod {
            let (leaving, entering) = (Double(samples[lag - 1]), Double(samples[lag - 1 + longestPeriod]))
            energy += entering * entering - leaving * leaving
            // What the FFT rounds away must not look like a perfect match where a part of the window is silent.
            let distance = max(0, first + energy - 2 * Double(whole[lag]) * scale) + rounding
            sum += distance
            dips[lag] = Float(distance * Double(lag) / sum)
        }
    }
}

/// A transform, its error told as ours.
private func makeTransform(size: Int) throws(PitchError) -> RealFFT {
    do throws(SpectralError) { return try RealFFT(size: size) } catch { throw .spectral(error) }
}
