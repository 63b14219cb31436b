/// A sample as analyses take it that have no scale of their own: what no recording can mean is silence.
///
/// Floats may be scaled as whole numbers of 32 bits, up to 2³¹. Of what is larger the square, over a window of thousands of
/// samples, would not be a finite `Float`; and what is not a number would stay in every sum.
@inline(__always) @_noLocks internal func safe(_ sample: Float) -> Float {
    // The comparison is false for a sample that is not a number.
    abs(sample) <= largestSample ? sample : 0
}

/// 2³¹, and 13 dB for a sum of channels or of partials. The square of 4,096 of them is 1.7 · 10²⁷.
private var largestSample: Float { @inline(__always) @_noLocks get { 1e10 } }
