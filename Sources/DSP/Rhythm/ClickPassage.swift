internal import CRealtime
internal import Spectral

/// The samples around one rise of a recording.
internal struct ClickPassage: Sendable {
    /// In 16 bits, of which the loudest has all: 98 dB are more than the rest of a click can tell, and ten minutes of clicks at 120 BPM
    /// take 19 MB.
    private let steps: [Int16]
    private let step: Float
    /// The place of the first sample in the recording.
    internal let start: Int
    internal let rise: BandRises.Rise
    /// Where a window laid over it fits best, and how well.
    internal var lag = 0
    internal var likeness = 0.0
    /// By how much it then lies behind the window, in samples.
    internal var shift = 0.0

    internal init(samples: [Float], start: Int, rise: BandRises.Rise) {
        let peak = samples.reduce(0) { max($0, abs($1)) }
        let step = max(peak / Float(Int16.max), .leastNormalMagnitude)
        steps = samples.map { Int16(max(-32_767, min(32_767, ($0 / step).rounded()))) }
        (self.step, self.start, self.rise) = (step, start, rise)
    }

    internal var count: Int { steps.count }
    internal var samples: [Float] { steps.map { Float($0) * step } }

    /// The window at the current lag.
    internal func window(_ count: Int) -> ArraySlice<Float> { samples[lag..<(lag + count)] }

    /// The share of a window's energy that is the click and not noise, 0.01 to 1: the first `quiet` samples are noise.
    internal func share(at lag: Int, count: Int, quiet: Int) -> Double {
        let samples = samples
        let power = { (part: ArraySlice<Float>) in part.reduce(0.0) { $0 + Double($1) * Double($1) } }
        let whole = power(samples[lag..<(lag + count)])
        let noise = power(samples[..<quiet]) / Double(max(1, quiet))
        guard whole > 0 else { return 0.01 }
        return max(0.01, 1 - noise * Double(count) / whole)
    }

    /// Moves the window to where it is most like a waveform, within `range` of lags.
    ///
    /// Between two lags the likeness can be higher than at both of them, and a tone is nearly as like itself a cycle later:
    /// the peaks are compared by their heights between the lags.
    internal mutating func align(to filter: MatchedFilter, within range: ClosedRange<Int>) {
        let last = count - filter.count
        let first = max(0, min(range.lowerBound, last))
        let values: [Double] = samples.withUnsafeBufferPointer { values in
            (first...max(first, min(last, range.upperBound))).map { filter.likeness(values, at: $0) }
        }
        var (best, most) = (0, -1.0)
        for n in values.indices {
            let (before, after) = (n > 0 ? values[n - 1] : -1, n + 1 < values.count ? values[n + 1] : -1)
            guard values[n] >= before, values[n] >= after else { continue }
            let height = n > 0 && n + 1 < values.count ? Self.height(before, values[n], after) : values[n]
            if height > most { (best, most) = (n, height) }
        }
        (lag, likeness) = (first + best, min(1, most))
    }

    /// The height of the cosine through three points, of which the middle one is the highest.
    private static func height(_ before: Double, _ here: Double, _ after: Double) -> Double {
        let turn = (before + after) / (2 * here)
        guard here > 0, turn > 0, turn < 1 else { return here }
        let quadrature = (after - before) / (2 * rt_sqrt(1 - turn * turn))
        return rt_sqrt(here * here + quadrature * quadrature)
    }
}

/// The distances between windows of the same sound, from their spectra.
///
/// The shift that maximizes the cross-correlation is the maximum-likelihood estimate in white noise. Between samples the
/// correlation is its Fourier series, which is exact for sound that ends below half of the sample rate.
/// - SeeAlso: Knapp & Carter, "The generalized correlation method for estimation of time delay", IEEE Trans. ASSP 24(4),
///   1976.
internal struct WindowShifts: ~Copyable {
    internal typealias Spectrum = [SIMD2<Double>]
    internal let count: Int
    private var fft: RealFFT
    /// Fades in within 1 ms and out within 4 ms.
    private let taper: [Float]
    /// The length of the fade at the end, in samples.
    internal let fall: Int

    internal init(count: Int, sampleRate: Int) throws(SpectralError) {
        self.count = count
        var size = (count + 15) / 8 * 8
        while true {
            if let fft = try? RealFFT(size: size) {
                self.fft = fft
                break
            }
            size += 8
        }
        let (rise, fall) = (max(1, sampleRate / 1_000), max(1, min(count / 3, sampleRate / 250)))
        self.fall = fall
        taper = (0..<count).map { n in
            let edge = min(1, (Double(n) + 0.5) / Double(rise), (Double(count - n) - 0.5) / Double(fall))
            return Float(0.5 - 0.5 * rt_cos(.pi * edge))
        }
    }

    internal mutating func spectrum(_ window: ArraySlice<Float>) -> Spectrum {
        for (n, value) in window.prefix(count).enumerated() { fft.samples[n] = value * taper[n] }
        for n in window.count..<fft.size { fft.samples[n] = 0 }
        fft.forward()
        return (0..<fft.binCount).map { SIMD2(Double(fft.spectrum[$0].x), Double(fft.spectrum[$0].y)) }
    }

    /// The window that has this spectrum.
    internal mutating func window(_ spectrum: Spectrum) -> [Float] {
        for (k, bin) in spectrum.enumerated() { fft.spectrum[k] = SIMD2(Float(bin.x), Float(bin.y)) }
        fft.inverse()
        return (0..<count).map { fft.samples[$0] / Float(fft.size) }
    }

    /// The angular frequency of a bin, in radians per sample.
    private func frequency(_ k: Int) -> Double { 2 * .pi * Double(k) / Double(fft.size) }

    /// By how many samples `spectrum` lies behind `template`, near a first guess.
    internal func shift(of spectrum: Spectrum, behind template: Spectrum, near guess: Double = 0) -> Double {
        var shift = guess
        // Half a sample at a time, and only where the correlation is convex upwards: never to another of its peaks.
        for _ in 0..<32 {
            var (slope, curvature) = (0.0, 0.0)
            // e^(iωτ) of one bin after another.
            let (stepCosine, stepSine) = (rt_cos(frequency(1) * shift), rt_sin(frequency(1) * shift))
            var (c, s) = (stepCosine, stepSine)
            for k in 1..<(spectrum.count - 1) {
                let (x, t, w) = (spectrum[k], template[k], frequency(k))
                // The real part of X · conj(T) · e^(iωτ), and its derivatives.
                let (re, im) = (x.x * t.x + x.y * t.y, x.y * t.x - x.x * t.y)
                slope -= w * (re * s + im * c)
                curvature -= w * w * (re * c - im * s)
                (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
            }
            guard curvature < 0 else { return guess }
            let step = max(-0.5, min(0.5, -slope / curvature))
            shift += step
            if abs(step) < 1e-5 { break }
        }
        return shift
    }

    /// The spectrum of what is `shift` samples earlier.
    internal func moved(_ spectrum: Spectrum, by shift: Double) -> Spectrum {
        spectrum.enumerated().map { k, bin in
            let (c, s) = (rt_cos(frequency(k) * shift), rt_sin(frequency(k) * shift))
            return SIMD2(bin.x * c - bin.y * s, bin.x * s + bin.y * c)
        }
    }

    /// The standard error of a shift, in samples, from the mean power of what is left of the windows in each bin: the
    /// propagation of that noise through the estimate.
    internal func standardError(template: Spectrum, weights: [Double], residual: [Double]) -> Double {
        var (noise, curvature) = (0.0, 0.0)
        for k in 1..<(template.count - 1) {
            let power = (template[k] * template[k]).sum() * weights[k]
            let squared = frequency(k) * frequency(k)
            noise += squared * power * weights[k] * residual[k] / 2
            curvature += squared * power
        }
        return curvature > 0 ? rt_sqrt(noise) / curvature : .infinity
    }
}
