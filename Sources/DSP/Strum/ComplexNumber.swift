internal import CRealtime

/// A complex number.
struct ComplexNumber: BitwiseCopyable, Sendable {
    var re: Double
    var im: Double

    @inline(__always) @_noLocks init(_ re: Double, _ im: Double) { (self.re, self.im) = (re, im) }

    /// e to the power of `exponent`.
    @_noLocks init(exponential exponent: ComplexNumber) {
        let size = rt_exp(exponent.re)
        (re, im) = (size * rt_cos(exponent.im), size * rt_sin(exponent.im))
    }

    var conjugate: ComplexNumber { @inline(__always) @_noLocks get { ComplexNumber(re, -im) } }

    /// The square of its magnitude.
    var power: Double { @inline(__always) @_noLocks get { re * re + im * im } }

    var reciprocal: ComplexNumber {
        @inline(__always) @_noLocks get {
            let scale = 1 / power
            return ComplexNumber(re * scale, -im * scale)
        }
    }

    @inline(__always) @_noLocks static func + (a: ComplexNumber, b: ComplexNumber) -> ComplexNumber {
        ComplexNumber(a.re + b.re, a.im + b.im)
    }

    @inline(__always) @_noLocks static func - (a: ComplexNumber, b: ComplexNumber) -> ComplexNumber {
        ComplexNumber(a.re - b.re, a.im - b.im)
    }

    @inline(__always) @_noLocks static func * (a: ComplexNumber, b: ComplexNumber) -> ComplexNumber {
        ComplexNumber(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
    }

    @inline(__always) @_noLocks static func * (a: ComplexNumber, b: Double) -> ComplexNumber {
        ComplexNumber(a.re * b, a.im * b)
    }
}
