internal import CRealtime

// The passes of LaneFFT. `x` is read in `radix` streams `step` apart, `y` is written in `radix` streams `stride` apart, and
// `w` holds the factors as (real, imaginary) pairs. Sums and differences come first and products last (decimation in
// frequency), which needs the fewest registers.

@_noLocks func radix4(
    _ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ w: UnsafePointer<Float>, stride: Int, step: Int
) {
    let groups = step / stride
    for p in 0..<groups {
        let factor = w + 6 * p
        let (from, to) = (x + p * stride, y + 4 * p * stride)
        let w1 = Complex4(repeating: factor[0], factor[1])
        let w2 = Complex4(repeating: factor[2], factor[3])
        let w3 = Complex4(repeating: factor[4], factor[5])
        let (from1, from2, from3) = (from + step, from + 2 * step, from + 3 * step)
        let (to1, to2, to3) = (to + stride, to + 2 * stride, to + 3 * stride)
        for q in 0..<stride {
            let (a, b) = (from[q], from1[q])
            let (c, d) = (from2[q], from3[q])
            let (evenSum, evenDifference) = (a + c, a - c)
            let (oddSum, oddDifference) = (b + d, b - d)
            to[q] = evenSum + oddSum
            to1[q] = Complex4.plusTurned(evenDifference, oddDifference) * w1
            to2[q] = (evenSum - oddSum) * w2
            to3[q] = Complex4.minusTurned(evenDifference, oddDifference) * w3
        }
    }
}

@_noLocks func lastRadix4(_ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ stride: Int) {
    let (x1, x2, x3) = (x + stride, x + 2 * stride, x + 3 * stride)
    let (y1, y2, y3) = (y + stride, y + 2 * stride, y + 3 * stride)
    for q in 0..<stride {
        let (a, b) = (x[q], x1[q])
        let (c, d) = (x2[q], x3[q])
        let (evenSum, evenDifference) = (a + c, a - c)
        let (oddSum, oddDifference) = (b + d, b - d)
        y[q] = evenSum + oddSum
        y1[q] = .plusTurned(evenDifference, oddDifference)
        y2[q] = evenSum - oddSum
        y3[q] = .minusTurned(evenDifference, oddDifference)
    }
}

@_noLocks func lastRadix2(_ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ stride: Int) {
    let x1 = x + stride
    let y1 = y + stride
    for q in 0..<stride {
        let (a, b) = (x[q], x1[q])
        y[q] = a + b
        y1[q] = a - b
    }
}

@_noLocks func lastRadix8(_ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ stride: Int) {
    let half: Float = 0.707_106_781_186_547_52
    let (x1, x2, x3, x4) = (x + stride, x + 2 * stride, x + 3 * stride, x + 4 * stride)
    let (x5, x6, x7) = (x + 5 * stride, x + 6 * stride, x + 7 * stride)
    let (y1, y2, y3, y4) = (y + stride, y + 2 * stride, y + 3 * stride, y + 4 * stride)
    let (y5, y6, y7) = (y + 5 * stride, y + 6 * stride, y + 7 * stride)
    for q in 0..<stride {
        // Transforms of the four even and the four odd inputs, joined by e^{-πi/4} = (1 - i) / √2.
        let (a, c) = (x[q], x4[q])
        let (b, d) = (x2[q], x6[q])
        let (evenSum, evenDifference) = (a + c, a - c)
        let (oddSum, oddDifference) = (b + d, b - d)
        let (e0, e2) = (evenSum + oddSum, evenSum - oddSum)
        let e1 = Complex4.plusTurned(evenDifference, oddDifference)
        let e3 = Complex4.minusTurned(evenDifference, oddDifference)

        let (f, h) = (x1[q], x5[q])
        let (g, i) = (x3[q], x7[q])
        let (sum, difference) = (f + h, f - h)
        let (otherSum, otherDifference) = (g + i, g - i)
        let (o0, o2) = (sum + otherSum, sum - otherSum)
        let u1 = Complex4.plusTurned(difference, otherDifference)
        let u3 = Complex4.minusTurned(difference, otherDifference)
        let o1 = Complex4(rt_add4(u1.re, u1.im), rt_subtract4(u1.im, u1.re)) * half
        // The minus sign of e^{-3πi/4} = -(1 + i) / √2 is in the sums below.
        let o3 = Complex4(rt_subtract4(u3.re, u3.im), rt_add4(u3.re, u3.im)) * half

        y[q] = e0 + o0
        y1[q] = e1 + o1
        y2[q] = .plusTurned(e2, o2)
        y3[q] = e3 - o3
        y4[q] = e0 - o0
        y5[q] = e1 - o1
        y6[q] = .minusTurned(e2, o2)
        y7[q] = e3 + o3
    }
}

@_noLocks func radix3(
    _ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ w: UnsafePointer<Float>, stride: Int, step: Int
) {
    let sine: Float = 0.866_025_403_784_438_65  // sin 60°
    let groups = step / stride
    for p in 0..<groups {
        let factor = w + 4 * p
        let (from, to) = (x + p * stride, y + 3 * p * stride)
        let w1 = Complex4(repeating: factor[0], factor[1])
        let w2 = Complex4(repeating: factor[2], factor[3])
        let (from1, from2) = (from + step, from + 2 * step)
        let (to1, to2) = (to + stride, to + 2 * stride)
        for q in 0..<stride {
            let (a, b, c) = (from[q], from1[q], from2[q])
            let sum = b + c
            let middle = a - sum * 0.5
            let slope = (b - c) * sine
            to[q] = a + sum
            to1[q] = Complex4.plusTurned(middle, slope) * w1
            to2[q] = Complex4.minusTurned(middle, slope) * w2
        }
    }
}

@_noLocks func radix5(
    _ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ w: UnsafePointer<Float>, stride: Int, step: Int
) {
    // Cosines and sines of 72° and 144°.
    let (c1, c2): (Float, Float) = (0.309_016_994_374_947_42, -0.809_016_994_374_947_42)
    let (s1, s2): (Float, Float) = (0.951_056_516_295_153_57, 0.587_785_252_292_473_13)
    let groups = step / stride
    for p in 0..<groups {
        let factor = w + 8 * p
        let (from, to) = (x + p * stride, y + 5 * p * stride)
        let w1 = Complex4(repeating: factor[0], factor[1])
        let w2 = Complex4(repeating: factor[2], factor[3])
        let w3 = Complex4(repeating: factor[4], factor[5])
        let w4 = Complex4(repeating: factor[6], factor[7])
        let (from1, from2, from3, from4) = (from + step, from + 2 * step, from + 3 * step, from + 4 * step)
        let (to1, to2, to3, to4) = (to + stride, to + 2 * stride, to + 3 * stride, to + 4 * stride)
        for q in 0..<stride {
            let a = from[q]
            let (b, e) = (from1[q], from4[q])
            let (c, d) = (from2[q], from3[q])
            let (outer, inner) = (b + e, c + d)
            let (outerSlope, innerSlope) = (b - e, c - d)
            let even1 = a + outer * c1 + inner * c2
            let even2 = a + outer * c2 + inner * c1
            let odd1 = outerSlope * s1 + innerSlope * s2
            let odd2 = outerSlope * s2 - innerSlope * s1
            to[q] = a + outer + inner
            to1[q] = Complex4.plusTurned(even1, odd1) * w1
            to2[q] = Complex4.plusTurned(even2, odd2) * w2
            to3[q] = Complex4.minusTurned(even2, odd2) * w3
            to4[q] = Complex4.minusTurned(even1, odd1) * w4
        }
    }
}
