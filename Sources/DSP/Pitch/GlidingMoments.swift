internal import CRealtime
internal import Realtime

// The moments of a tone whose pitch glides.
extension PartialMoments {
    /// Measures a stretch in which all frequencies change by the same share per sample, `glide`, as if they did not.
    ///
    ///     u = m + glide (m² - h²) / 2,   h = (N-1)/2,   q = 1 + glide m
    ///     Y_p[k] = Σ_m q u^p y[m] e^{-i ω_k u},   p = 0, 1
    ///
    /// In the bent time u the tone stands still at what it is in the middle, and u begins and ends where m does; q is
    /// du/dm, so that the sums over m are those over even steps of u. The normal equations remain what they are.
    /// Phases advance by a second-order complex recurrence, eight samples at a time, for any ω_k.
    ///
    /// - Parameter frequencies: ω_k in the middle of the stretch, entry 0 being 0.
    /// - Returns: the energy Σ q y². Four rows are written as by `measure(_:into:withSecond:)`.
    @_noLocks func measure(
        _ samples: UnsafeMutableBufferPointer<Float>, glide: Double, frequencies: UnsafeMutablePointer<Double>,
        count: Int, into rows: UnsafeMutablePointer<Float>
    ) -> Double {
        let half = Double(samples.count - 1) / 2
        let energy = weigh(samples, glide: glide, half: half)
        let vectors = (samples.count + 7) / 8
        for k in 0..<count {
            let w = frequencies[k]
            var (c, s) = lanes(w * -half, w * (1 - glide * half + glide / 2), w * glide)
            // The way from one vector to the next, and how that changes.
            var (stepC, stepS) = lanes(w * (8 - 8 * glide * half + 32 * glide), w * 8 * glide, 0)
            let (turnC, turnS) = (Float(rt_cos(64 * w * glide)), Float(rt_sin(64 * w * glide)))
            var (c0, s0, c1, s1) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
            for v in 0..<vectors {
                let (plain, timed) = (eight(even.start, 8 * v), eight(odd.start, 8 * v))
                c0 += plain * c
                s0 += plain * s
                c1 += timed * c
                s1 += timed * s
                let turned = c * stepC - s * stepS
                s = c * stepS + s * stepC
                c = turned
                let bent = stepC * turnC - stepS * turnS
                stepS = stepC * turnS + stepS * turnC
                stepC = bent
            }
            rows[k] = c0.sum()
            rows[Self.stride + k] = s0.sum()
            rows[2 * Self.stride + k] = c1.sum()
            rows[3 * Self.stride + k] = s1.sum()
        }
        return energy
    }

    /// Leaves q y in `even` and q u y in `odd`, filled up to a vector; returns Σ q y².
    @_noLocks private func weigh(
        _ samples: UnsafeMutableBufferPointer<Float>, glide: Double, half: Double
    ) -> Double {
        let (plain, timed) = (even.unsafeElements, odd.unsafeElements)
        var energy = 0.0
        for n in 0..<samples.count {
            let m = Double(n) - half
            let value = Double(samples[n]) * (1 + glide * m)
            plain[n] = Float(value)
            timed[n] = Float(value * (m + glide * (m * m - half * half) / 2))
            energy += value * Double(samples[n])
        }
        for n in samples.count..<((samples.count + 7) & ~7) { (plain[n], timed[n]) = (0, 0) }
        return energy
    }
}

/// Cosine and sine of `first`, `first + step`, `first + 2 step + bend` … : eight phases, whose steps grow by `bend`.
@inline(__always) @_noLocks private func lanes(
    _ first: Double, _ step: Double, _ bend: Double
) -> (SIMD8<Float>, SIMD8<Float>) {
    var (cosines, sines) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (c, s) = (rt_cos(first), rt_sin(first))
    var (stepC, stepS) = (rt_cos(step), rt_sin(step))
    let (bendC, bendS) = (rt_cos(bend), rt_sin(bend))
    for j in 0..<8 {
        cosines[j] = Float(c)
        sines[j] = Float(s)
        (c, s) = (c * stepC - s * stepS, c * stepS + s * stepC)
        (stepC, stepS) = (stepC * bendC - stepS * bendS, stepC * bendS + stepS * bendC)
    }
    return (cosines, sines)
}
