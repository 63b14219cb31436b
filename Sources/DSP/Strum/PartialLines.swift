internal import Realtime

/// Where the partials of a fit lie, and their products with the window and with each other.
struct PartialLines: ~Copyable, Sendable {
    let moments = HannMoments()
    /// exp(s), exp(-s) and s of each partial, s = (-a + iω) · half length.
    let poles: SampleBuffer<ComplexNumber>, ends: SampleBuffer<ComplexNumber>, begins: SampleBuffer<ComplexNumber>
    /// The products of the window with each partial and its slope.
    let plain: SampleBuffer<ComplexNumber>, sloped: SampleBuffer<ComplexNumber>

    /// For so many partials, at most.
    init(count: Int) {
        let zero = ComplexNumber(0, 0)
        poles = SampleBuffer(count: count, repeating: zero)
        ends = SampleBuffer(count: count, repeating: zero)
        begins = SampleBuffer(count: count, repeating: zero)
        plain = SampleBuffer(count: count, repeating: zero)
        sloped = SampleBuffer(count: count, repeating: zero)
    }

    /// Puts a partial at a pole; its products with the window are not touched.
    @inline(__always) @_noLocks func put(_ partial: Int, at pole: ComplexNumber) {
        poles.unsafeElements[partial] = pole
        ends.unsafeElements[partial] = ComplexNumber(exponential: pole)
        begins.unsafeElements[partial] = ComplexNumber(exponential: pole * -1)
    }

    /// Whether the product of two partials counts.
    @inline(__always) @_noLocks func areNear(_ p: Int, _ q: Int) -> Bool {
        abs(poles.unsafeElements[p].im - poles.unsafeElements[q].im) < .pi * bandBins
    }

    /// The product of partial p with partial q.
    @inline(__always) @_noLocks func overlap(_ p: Int, _ q: Int) -> ComplexNumber {
        moments.zeroth(
            poles.unsafeElements[p].conjugate + poles.unsafeElements[q],
            exponential: ends.unsafeElements[p].conjugate * ends.unsafeElements[q],
            inverse: begins.unsafeElements[p].conjugate * begins.unsafeElements[q])
    }

    /// The moments of exp(s*τ) of partial p with exp(sτ) of partial q.
    @inline(__always) @_noLocks func product(_ p: Int, _ q: Int) -> HannMoments.Values {
        let h = poles.unsafeElements[p].conjugate + poles.unsafeElements[q]
        return moments.values(
            h, exponential: ends.unsafeElements[p].conjugate * ends.unsafeElements[q],
            inverse: begins.unsafeElements[p].conjugate * begins.unsafeElements[q])
    }
}

/// Beyond it two partials are orthogonal: the Hann window's side lobes are 105 dB down there.
var bandBins: Double { @_noLocks get { 40.0 } }
