internal import CRealtime

/// Four complex numbers side by side: what one vector instruction works on, on x86-64 and ARM alike.
///
/// Real and imaginary parts lie in registers of their own, so that no product needs its lanes rearranged.
struct Complex4: BitwiseCopyable, Sendable {
    var re: SIMD4<Float>
    var im: SIMD4<Float>

    @inline(__always) @_noLocks init(_ re: SIMD4<Float>, _ im: SIMD4<Float>) {
        self.re = re
        self.im = im
    }

    @inline(__always) @_noLocks static func + (a: Complex4, b: Complex4) -> Complex4 {
        Complex4(rt_add4(a.re, b.re), rt_add4(a.im, b.im))
    }

    @inline(__always) @_noLocks static func - (a: Complex4, b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.re), rt_subtract4(a.im, b.im))
    }

    /// Lane by lane. Multiply, then add: a fused step is a library call per lane on the baseline x86-64.
    @inline(__always) @_noLocks static func * (a: Complex4, b: Complex4) -> Complex4 {
        Complex4(
            rt_subtract4(rt_multiply4(a.re, b.re), rt_multiply4(a.im, b.im)),
            rt_add4(rt_multiply4(a.re, b.im), rt_multiply4(a.im, b.re)))
    }

    /// a - i b: a quarter turn clockwise costs nothing in a sum.
    @inline(__always) @_noLocks static func plusTurned(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_add4(a.re, b.im), rt_subtract4(a.im, b.re))
    }

    /// a + i b.
    @inline(__always) @_noLocks static func minusTurned(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.im), rt_add4(a.im, b.re))
    }

    /// a + b*, with the conjugate.
    @inline(__always) @_noLocks static func plusConjugate(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_add4(a.re, b.re), rt_subtract4(a.im, b.im))
    }

    /// a - b*, with the conjugate.
    @inline(__always) @_noLocks static func minusConjugate(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.re), rt_add4(a.im, b.im))
    }

    /// (a - b)*, conjugated.
    @inline(__always) @_noLocks static func conjugateDifference(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.re), rt_subtract4(b.im, a.im))
    }

    /// a b*, with the conjugate.
    @inline(__always) @_noLocks static func timesConjugate(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(
            rt_add4(rt_multiply4(a.re, b.re), rt_multiply4(a.im, b.im)),
            rt_subtract4(rt_multiply4(a.im, b.re), rt_multiply4(a.re, b.im)))
    }

    /// One number in every lane.
    @inline(__always) @_noLocks init(repeating re: Float, _ im: Float) {
        self.init(rt_splat4(re), rt_splat4(im))
    }

    /// All lanes by one real number.
    @inline(__always) @_noLocks static func * (a: Complex4, b: Float) -> Complex4 {
        Complex4(rt_multiply4(a.re, rt_splat4(b)), rt_multiply4(a.im, rt_splat4(b)))
    }
}

/// Turns four rows of four into four columns, in the two shuffles per row that the hardware has.
@inline(__always) @_noLocks func transpose(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let (abLow, abHigh) = (rt_interleave_low4(a, b), rt_interleave_high4(a, b))
    let (cdLow, cdHigh) = (rt_interleave_low4(c, d), rt_interleave_high4(c, d))
    return (
        rt_join_low4(abLow, cdLow), rt_join_high4(abLow, cdLow),
        rt_join_low4(abHigh, cdHigh), rt_join_high4(abHigh, cdHigh)
    )
}
