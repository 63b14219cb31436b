internal import CRealtime

/// A Kaiser window, which for a given width leaves the least energy outside the main lobe.
///
/// - SeeAlso: Kaiser & Schafer, "On the use of the I0-sinh window for spectrum analysis", IEEE Trans. ASSP 28(1), 1980.
package struct KaiserWindow: BitwiseCopyable, Sendable {
    private let beta: Double, scale: Double

    /// A window with the shape parameter β: 0 is rectangular, 7 leaves side lobes of -70 dB.
    @_noLocks package init(beta: Double) {
        self.beta = beta
        scale = 1 / Self.bessel(beta * beta / 4)
    }

    /// A window for filters with this stopband attenuation in decibels, more than 50.
    @_noLocks package init(stopband decibels: Double) { self.init(beta: 0.1102 * (decibels - 8.7)) }

    /// The height at `x`, from -1 to 1; 0 outside of that.
    @_noLocks package func height(at x: Double) -> Double {
        x >= -1 && x <= 1 ? Self.bessel(beta * beta / 4 * (1 - x * x)) * scale : 0
    }

    /// The modified Bessel function of order 0 of 2 · √q: Σ q^k / k!², by Horner's rule. Thirty terms leave out less than
    /// 10⁻¹⁶ of it for q up to 26 (100 dB).
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
