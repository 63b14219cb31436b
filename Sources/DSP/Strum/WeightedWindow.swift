internal import CRealtime
internal import Realtime

/// A window of samples under a Hann window, and its inner products with decaying exponentials.
///
/// Time runs from -1 to 1 over the window, and products are scaled so that they approach the integrals of `HannMoments`.
struct WeightedWindow: ~Copyable, Sendable {
    private let samples: SampleBuffer<Double>
    /// The same in single precision, of which more fit into a register.
    private let singles: SampleBuffer<Float>
    /// How many samples are in use; a multiple of 16, with zeros at the end.
    private(set) var count = 0
    /// The length of the window in samples.
    private(set) var length = 0
    /// The weighted power of the samples, on the scale of the products.
    private(set) var power = 0.0

    init(capacity: Int) {
        samples = SampleBuffer(count: (capacity + 15) / 16 * 16)
        singles = SampleBuffer(count: (capacity + 15) / 16 * 16)
    }

    /// Takes in a window.
    @_noLocks mutating func load(_ window: UnsafeMutableBufferPointer<Float>) {
        length = window.count
        count = min(samples.count, (length + 15) / 16 * 16)
        let step = 2 / Double(length)
        let turn = ComplexNumber(rt_cos(.pi * step), rt_sin(.pi * step))
        var phase = ComplexNumber(rt_cos(.pi * (0.5 * step - 1)), rt_sin(.pi * (0.5 * step - 1)))
        power = 0
        for n in 0..<count {
            let value = n < length ? Double(window[n]) : 0
            // 2/N · w.
            let weight = step * 0.5 * (1 + phase.re)
            samples.unsafeElements[n] = weight * value
            singles.unsafeElements[n] = Float(weight * value)
            power += weight * value * value
            phase = phase * turn
        }
    }

    /// Σ w x exp(s* τ) and Σ w x τ exp(s* τ): the products with exp(sτ) and with its derivative by s.
    ///
    /// - Complexity: 4 multiplications per sample.
    @_noLocks func products(with pole: ComplexNumber) -> (plain: ComplexNumber, sloped: ComplexNumber) {
        let step = 2 / Double(length)
        let rate = pole.conjugate
        let turn = ComplexNumber(exponential: rate * step)
        var z = ComplexNumber(exponential: rate * (0.5 * step - 1))
        let turn2 = turn * turn
        let turn4 = turn2 * turn2
        let turn8 = turn4 * turn4
        var (re, im) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        var (slopedRe, slopedIm) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
        guard let x = samples.unsafeElements.baseAddress else { return (z, z) }
        var time = 0.5 * step - 1
        var n = 0
        while n < count {
            let values = eight(x, n)
            let (a, b) = (values * z.re, values * z.im)
            re += a
            im += b
            slopedRe += a * time
            slopedIm += b * time
            z = z * turn8
            time += 8 * step
            n += 8
        }
        var (plain, sloped) = (ComplexNumber(0, 0), ComplexNumber(0, 0))
        var power = ComplexNumber(1, 0)
        for j in 0..<8 {
            let (part, slope) = (ComplexNumber(re[j], im[j]), ComplexNumber(slopedRe[j], slopedIm[j]))
            plain = plain + part * power
            sloped = sloped + (slope + part * (Double(j) * step)) * power
            power = power * turn
        }
        return (plain, sloped)
    }

    /// Σ w x exp(s* τ) alone, for searches: rounding is 120 dB below the window's power.
    ///
    /// - Complexity: 2 multiplications per sample, in single precision.
    @_noLocks func product(with pole: ComplexNumber) -> ComplexNumber {
        let step = 2 / Double(length)
        let rate = pole.conjugate
        var z = ComplexNumber(exponential: rate * (0.5 * step - 1))
        let turn = ComplexNumber(exponential: rate * step)
        let turn2 = turn * turn
        let turn4 = turn2 * turn2
        let turn8 = turn4 * turn4
        let turn16 = turn8 * turn8
        var (re, im) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
        guard let x = singles.unsafeElements.baseAddress else { return z }
        var n = 0
        while n < count {
            let values = UnsafeRawPointer(x + n).loadUnaligned(as: SIMD16<Float>.self)
            re += values * Float(z.re)
            im += values * Float(z.im)
            z = z * turn16
            n += 16
        }
        var (sum, power) = (ComplexNumber(0, 0), ComplexNumber(1, 0))
        for j in 0..<16 {
            sum = sum + ComplexNumber(Double(re[j]), Double(im[j])) * power
            power = power * turn
        }
        return sum
    }
}
