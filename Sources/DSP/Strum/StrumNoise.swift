internal import CRealtime
internal import Realtime

extension StrumFit {
    /// Measures what the fit leaves around each partial, which becomes the noise of the next steps.
    ///
    /// Four places beside each partial are looked at, at 1.5 and 2.5 bins: the fit leaves nothing at the partial itself.
    @_noLocks mutating func measureNoise() {
        let floor = 1e-9 * max(window.power, 1e-20)
        for p in 0..<layout.count {
            var sum = 0.0
            for offset in 0..<4 {
                let bins = (Double(offset & 1) + 1.5) * (offset & 2 == 0 ? 1 : -1)
                sum += rest(at: poles.unsafeElements[p].im + .pi * bins)
            }
            noise.unsafeElements[p] = max(floor, hannSlopeShare * 0.25 * sum)
        }
    }

    /// The power that is left at a frequency, given as a phase over half the window.
    @_noLocks private func rest(at frequency: Double) -> Double {
        var left = window.product(withFrequency: frequency)
        let exponential = ComplexNumber(exponential: ComplexNumber(0, -frequency))
        for q in 0..<layout.count {
            let h = poles.unsafeElements[q] + ComplexNumber(0, -frequency)
            let values = moments.values(
                h, exponential: ends.unsafeElements[q] * exponential,
                inverse: begins.unsafeElements[q] * exponential.conjugate)
            left = left - values.zeroth * amplitudes.unsafeElements[q]
        }
        return left.power
    }
}

/// ∫ w² τ² / ∫ w τ² over ∫ w²: how much less than at the partial itself white noise has in the slope, under a Hann window.
private let hannSlopeShare = 0.612
