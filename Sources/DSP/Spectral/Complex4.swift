internal import CRealtime

/// Four complex numbers, the width of a vector instruction on baseline x86-64 and ARM.
///
/// Real and imaginary parts are in separate registers, so that no product rearranges lanes.
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

    /// Lane by lane. Multiply, then add: a fused multiply-add is a library call per lane on baseline x86-64.
    @inline(__always) @_noLocks static func * (a: Complex4, b: Complex4) -> Complex4 {
        Complex4(
            rt_subtract4(rt_multiply4(a.re, b.re), rt_multiply4(a.im, b.im)),
            rt_add4(rt_multiply4(a.re, b.im), rt_multiply4(a.im, b.re)))
    }

    /// a - i b.
    @inline(__always) @_noLocks static func plusTurned(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_add4(a.re, b.im), rt_subtract4(a.im, b.re))
    }

    /// a + i b.
    @inline(__always) @_noLocks static func minusTurned(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.im), rt_add4(a.im, b.re))
    }

    /// a + b*, where * is the conjugate.
    @inline(__always) @_noLocks static func plusConjugate(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_add4(a.re, b.re), rt_subtract4(a.im, b.im))
    }

    /// a - b*.
    @inline(__always) @_noLocks static func minusConjugate(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.re), rt_add4(a.im, b.im))
    }

    /// (a - b)*.
    @inline(__always) @_noLocks static func conjugateDifference(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(rt_subtract4(a.re, b.re), rt_subtract4(b.im, a.im))
    }

    /// a b*.
    @inline(__always) @_noLocks static func timesConjugate(_ a: Complex4, _ b: Complex4) -> Complex4 {
        Complex4(
            rt_add4(rt_multiply4(a.re, b.re), rt_multiply4(a.im, b.im)),
            rt_subtract4(rt_multiply4(a.im, b.re), rt_multiply4(a.re, b.im)))
    }

    /// The same number in every lane.
    @inline(__always) @_noLocks init(repeating re: Float, _ im: Float) { self.init(rt_splat4(re), rt_splat4(im)) }

    /// All lanes times one real number.
    @inline(__always) @_noLocks static func * (a: Complex4, b: Float) -> Complex4 {
        Complex4(rt_multiply4(a.re, rt_splat4(b)), rt_multiply4(a.im, rt_splat4(b)))
    }
}

/// Transposes a 4 × 4 matrix with two shuffles per row.
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
