internal import CRealtime

/// The window that cuts a sinc off with the least left outside of its band.
///
/// - SeeAlso: Kaiser & Schafer, "On the use of the I0-sinh window for spectrum analysis", IEEE Trans. ASSP 28(1), 1980.
internal struct KaiserWindow: BitwiseCopyable, Sendable {
    private let beta: Double
    private let scale: Double

    /// A window whose filters leave this many decibels in their stopband; more than 50.
    @_noLocks internal init(stopband decibels: Double) {
        beta = 0.1102 * (decibels - 8.7)
        scale = 1 / Self.bessel(beta * beta / 4)
    }

    /// Its height at a place from -1 to 1; 0 beyond.
    @_noLocks internal func height(at x: Double) -> Double {
        x > -1 && x < 1 ? Self.bessel(beta * beta / 4 * (1 - x * x)) * scale : 0
    }

    /// The modified Bessel function of order 0 of 2 · √q: Σ q^k / k!², by Horner. With q up to 26 (100 dB) what is left out
    /// is below 10⁻¹⁶ of it.
    @_noLocks private static func bessel(_ q: Double) -> Double {
        var sum = 1.0
        var k = 30.0
        while k > 0 {
            sum = 1 + sum * q / (k * k)
            k -= 1
        }
        return sum
    }
}
