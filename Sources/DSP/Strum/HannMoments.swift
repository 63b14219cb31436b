internal import CRealtime
internal import Realtime

/// The moments ∫ w(τ) τᵐ exp(hτ) dτ, m = 0, 1, 2, of the Hann window w = (1 + cos πτ) / 2 on -1...1.
///
/// They are the inner products of any two decaying partials, and of their derivatives by frequency and decay, so that a fit
/// needs no sum over samples for its normal equations. With S = sinh h and Q = π² / (h (h² + π²)) the moments are S Q, its
/// first and its second derivative by h. Where h is small those lose all digits, and the power series is used.
struct HannMoments: ~Copyable, Sendable {
    /// ∫ w τ²ʲ dτ / (2j)!
    private let series: SampleBuffer<Double>
    /// |h|² below which the series is used. Its terms reach 5⁴ / 4! = 26 there, so that two of sixteen digits are lost.
    private static var smallest: Double { @_noLocks get { 25.0 } }
    /// Terms: 5⁴⁴ / 44! is 2e-24.
    private static var termCount: Int { @_noLocks get { 23 } }

    struct Values: BitwiseCopyable {
        var zeroth = ComplexNumber(0, 0)
        var first = ComplexNumber(0, 0)
        var second = ComplexNumber(0, 0)

        @inline(__always) @_noLocks func moment(_ order: Int) -> ComplexNumber {
            order == 0 ? zeroth : order == 1 ? first : second
        }

        @inline(__always) @_noLocks init() {}
    }

    init() {
        var factorial = 1.0
        let terms = (0..<Self.termCount).map { j -> Double in
            if j > 0 { factorial *= Double(2 * j - 1) * Double(2 * j) }
            return Self.evenMoment(2 * j) / factorial
        }
        series = SampleBuffer(copying: terms)
    }

    /// ∫ w τⁿ dτ by the trapezoidal rule, twice extrapolated.
    private static func evenMoment(_ n: Int) -> Double {
        func sum(_ count: Int) -> Double {
            (0...count).reduce(0) { total, i in
                let x = Double(i) / Double(count)
                let height = rt_pow(x, Double(n)) * (1 + rt_cos(.pi * x))
                return total + (i == 0 || i == count ? 0.5 : 1) * height / Double(count)
            }
        }
        let (a, b, c) = (sum(1_024), sum(2_048), sum(4_096))
        let (d, e) = ((4 * b - a) / 3, (4 * c - b) / 3)
        return (16 * e - d) / 15
    }

    /// - Parameters:
    ///   - h: the exponent.
    ///   - exponential: e to the power of h.
    ///   - inverse: e to the power of -h.
    @inline(__always) @_noLocks func values(
        _ h: ComplexNumber, exponential: ComplexNumber, inverse: ComplexNumber
    ) -> Values {
        let square = h * h
        if h.power < Self.smallest { return summed(h, square) }
        let (sinh, cosh) = ((exponential - inverse) * 0.5, (exponential + inverse) * 0.5)
        let shifted = ComplexNumber(square.re + .pi * .pi, square.im).reciprocal
        let one = h.reciprocal
        let q = one * shifted * (Double.pi * Double.pi)
        // (ln Q)' = -1/h - 2h/(h² + π²), and its derivative.
        let lean = h * shifted * 2
        let slope = ComplexNumber(-one.re - lean.re, -one.im - lean.im)
        let bend = one * one - shifted * 2 + lean * lean
        var values = Values()
        values.zeroth = sinh * q
        values.first = q * (cosh + sinh * slope)
        values.second = q * (sinh + cosh * slope * 2 + sinh * (slope * slope + bend))
        return values
    }

    /// The moment of order 0 alone.
    @inline(__always) @_noLocks func zeroth(
        _ h: ComplexNumber, exponential: ComplexNumber, inverse: ComplexNumber
    ) -> ComplexNumber {
        let square = h * h
        if h.power < Self.smallest {
            var sum = ComplexNumber(0, 0)
            var j = Self.termCount - 1
            while j >= 0 {
                sum = sum * square + ComplexNumber(series.unsafeElements[j], 0)
                j -= 1
            }
            return sum
        }
        let shifted = ComplexNumber(square.re + .pi * .pi, square.im)
        return (exponential - inverse) * (h * shifted).reciprocal * (0.5 * Double.pi * Double.pi)
    }

    @_noLocks private func summed(_ h: ComplexNumber, _ square: ComplexNumber) -> Values {
        let c = series.unsafeElements
        var (zeroth, first) = (ComplexNumber(0, 0), ComplexNumber(0, 0))
        var second = ComplexNumber(0, 0)
        var j = Self.termCount - 1
        while j >= 0 {
            zeroth = zeroth * square + ComplexNumber(c[j], 0)
            if j >= 1 {
                first = first * square + ComplexNumber(c[j] * Double(2 * j), 0)
                second = second * square + ComplexNumber(c[j] * Double(2 * j) * Double(2 * j - 1), 0)
            }
            j -= 1
        }
        var values = Values()
        values.zeroth = zeroth
        values.first = h * first
        values.second = second
        return values
    }
}
