internal import CRealtime
internal import Realtime

/// The last step of `SplitFFT`, and the first step of its inverse: it converts between four packed lanes and one spectrum.
///
/// With N = 8 m samples the lanes hold Z[0 … m]. The spectra V_j of the lanes are split off four bins at a time from the
/// front and, by symmetry, four from the back. Four bins of four lanes are transposed, so that a vector holds neighbouring
/// bins of one lane, and joined by a radix-4 step into the bins k, k + M, k + 2M and k + 3M of X (M = 2m). The last two lie
/// beyond N/2: their conjugates are the bins 2M - k and M - k.
struct LaneJoint: ~Copyable {
    /// The shortest transform with four bins at the front and four at the back.
    static var shortest: Int { 48 }

    /// m.
    private let count: Int
    /// e^{-2πik/M} / 2 as (real, imaginary), k = 0 … m/2: for the split.
    private let splitting: SampleBuffer<SIMD2<Float>>
    /// e^{-2πi jk/N}, k = 0 … m, j = 1, 2, 3: all real parts of j, then all imaginary parts.
    private let joining: SampleBuffer<Float>

    init(count: Int) {
        self.count = count
        splitting = SampleBuffer(count: count / 2 + 1, repeating: .zero)
        joining = SampleBuffer(count: 6 * (count + 1))
        for k in 0...(count / 2) {
            let angle = -Double.pi * Double(k) / Double(count)
            splitting.unsafeElements[k] = SIMD2(Float(0.5 * rt_cos(angle)), Float(0.5 * rt_sin(angle)))
        }
        for j in 1...3 {
            for k in 0...count {
                let angle = -Double.pi * Double(j * k) / Double(4 * count)
                joining.unsafeElements[(2 * j - 2) * (count + 1) + k] = Float(rt_cos(angle))
                joining.unsafeElements[(2 * j - 1) * (count + 1) + k] = Float(rt_sin(angle))
            }
        }
    }

    /// Writes the 4 m + 1 bins of the lanes `z`, of which there are m + 1.
    @_noLocks func join(_ z: UnsafePointer<Complex4>, into bins: UnsafeMutablePointer<Float>) {
        guard let half = UnsafePointer(splitting.unsafeElements.baseAddress),
            let factors = UnsafePointer<Float>(joining.unsafeElements.baseAddress)
        else { return }
        let last = count / 2 - 3
        var k = 0
        while true {
            let back = count - k - 3
            let (v0, u3) = split(z[k], z[back + 3], half[k])
            let (v1, u2) = split(z[k + 1], z[back + 2], half[k + 1])
            let (v2, u1) = split(z[k + 2], z[back + 1], half[k + 2])
            let (v3, u0) = split(z[k + 3], z[back], half[k + 3])
            joinBlock(v0, v1, v2, v3, at: k, factors, bins)
            joinBlock(u0, u1, u2, u3, at: back, factors, bins)
            if k == last { return }
            // The last block may overlap the one before it; it then writes the same values again.
            k = min(k + 4, last)
        }
    }

    /// Writes m + 1 elements of `z` in reverse, element m - k for k, from the 4 m + 1 bins.
    @_noLocks func part(_ bins: UnsafePointer<Float>, into z: UnsafeMutablePointer<Complex4>) {
        guard let half = UnsafePointer(splitting.unsafeElements.baseAddress),
            let factors = UnsafePointer<Float>(joining.unsafeElements.baseAddress)
        else { return }
        let last = count / 2 - 3
        var k = 0
        while true {
            let back = count - k - 3
            let (v0, v1, v2, v3) = partBlock(at: k, factors, bins)
            let (u0, u1, u2, u3) = partBlock(at: back, factors, bins)
            (z[back + 3], z[k]) = merge(v0, u3, half[k])
            (z[back + 2], z[k + 1]) = merge(v1, u2, half[k + 1])
            (z[back + 1], z[k + 2]) = merge(v2, u1, half[k + 2])
            (z[back], z[k + 3]) = merge(v3, u0, half[k + 3])
            if k == last { return }
            k = min(k + 4, last)
        }
    }

    /// Joins the bins k … k + 3 of all lanes into four times four bins of the spectrum.
    @inline(__always) @_noLocks private func joinBlock(
        _ v0: Complex4, _ v1: Complex4, _ v2: Complex4, _ v3: Complex4, at k: Int, _ factors: UnsafePointer<Float>,
        _ bins: UnsafeMutablePointer<Float>
    ) {
        let re = transpose(v0.re, v1.re, v2.re, v3.re)
        let im = transpose(v0.im, v1.im, v2.im, v3.im)
        let a = Complex4(re.0, im.0)
        let b = Complex4(re.1, im.1) * factor(1, at: k, factors)
        let c = Complex4(re.2, im.2) * factor(2, at: k, factors)
        let d = Complex4(re.3, im.3) * factor(3, at: k, factors)
        let (evenSum, evenDifference) = (a + c, a - c)
        let (oddSum, oddDifference) = (b + d, b - d)
        store(evenSum + oddSum, bins, at: k)
        store(.plusTurned(evenDifference, oddDifference), bins, at: 2 * count + k)
        storeMirrored(evenSum - oddSum, bins, endingAt: 4 * count - k)
        storeMirrored(.minusTurned(evenDifference, oddDifference), bins, endingAt: 2 * count - k)
    }

    /// The inverse of `joinBlock`, times 4.
    @inline(__always) @_noLocks private func partBlock(
        at k: Int, _ factors: UnsafePointer<Float>, _ bins: UnsafePointer<Float>
    ) -> (Complex4, Complex4, Complex4, Complex4) {
        let (y0, y1) = (load(bins, at: k), load(bins, at: 2 * count + k))
        let y2 = loadMirrored(bins, endingAt: 4 * count - k)
        let y3 = loadMirrored(bins, endingAt: 2 * count - k)
        let (evenSum, evenDifference) = (y0 + y2, y0 - y2)
        let (oddSum, oddDifference) = (y1 + y3, y1 - y3)
        let a = evenSum + oddSum
        let b = Complex4.timesConjugate(.minusTurned(evenDifference, oddDifference), factor(1, at: k, factors))
        let c = Complex4.timesConjugate(evenSum - oddSum, factor(2, at: k, factors))
        let d = Complex4.timesConjugate(.plusTurned(evenDifference, oddDifference), factor(3, at: k, factors))
        let re = transpose(a.re, b.re, c.re, d.re)
        let im = transpose(a.im, b.im, c.im, d.im)
        return (Complex4(re.0, im.0), Complex4(re.1, im.1), Complex4(re.2, im.2), Complex4(re.3, im.3))
    }

    /// e^{-2πi jk/N} for four neighbouring k.
    @inline(__always) @_noLocks private func factor(_ j: Int, at k: Int, _ table: UnsafePointer<Float>) -> Complex4 {
        let row = count + 1
        return Complex4(rt_load4(table + (2 * j - 2) * row + k), rt_load4(table + (2 * j - 1) * row + k))
    }
}

/// V[k] and V[m - k] from Z[k] and Z[m - k].
@inline(__always) @_noLocks private func split(
    _ front: Complex4, _ back: Complex4, _ half: SIMD2<Float>
) -> (Complex4, Complex4) {
    let even = Complex4.plusConjugate(front, back) * 0.5
    // -i times the factor.
    let odd = Complex4.minusConjugate(front, back) * Complex4(repeating: half.y, -half.x)
    return (even + odd, .conjugateDifference(even, odd))
}

/// Z[k] and Z[m - k], times 2, from V[k] and V[m - k].
@inline(__always) @_noLocks private func merge(
    _ front: Complex4, _ back: Complex4, _ half: SIMD2<Float>
) -> (Complex4, Complex4) {
    let even = Complex4.plusConjugate(front, back)
    // i times the conjugate factor.
    let odd = Complex4.minusConjugate(front, back) * Complex4(repeating: 2 * half.y, 2 * half.x)
    return (even + odd, .conjugateDifference(even, odd))
}

@inline(__always) @_noLocks private func store(_ bins: Complex4, _ memory: UnsafeMutablePointer<Float>, at k: Int) {
    rt_store4(memory + 2 * k, rt_interleave_low4(bins.re, bins.im))
    rt_store4(memory + 2 * k + 4, rt_interleave_high4(bins.re, bins.im))
}

/// Writes the conjugates in descending order, the last one at `k`.
@inline(__always) @_noLocks private func storeMirrored(
    _ bins: Complex4, _ memory: UnsafeMutablePointer<Float>, endingAt k: Int
) {
    let (re, im) = (rt_reverse4(bins.re), rt_reverse4(rt_subtract4(rt_splat4(0), bins.im)))
    rt_store4(memory + 2 * k - 6, rt_interleave_low4(re, im))
    rt_store4(memory + 2 * k - 2, rt_interleave_high4(re, im))
}

@inline(__always) @_noLocks private func load(_ memory: UnsafePointer<Float>, at k: Int) -> Complex4 {
    let (a, b) = (rt_load4(memory + 2 * k), rt_load4(memory + 2 * k + 4))
    return Complex4(rt_even4(a, b), rt_odd4(a, b))
}

@inline(__always) @_noLocks private func loadMirrored(_ memory: UnsafePointer<Float>, endingAt k: Int) -> Complex4 {
    let (a, b) = (rt_load4(memory + 2 * k - 6), rt_load4(memory + 2 * k - 2))
    return Complex4(rt_reverse4(rt_even4(a, b)), rt_subtract4(rt_splat4(0), rt_reverse4(rt_odd4(a, b))))
}
