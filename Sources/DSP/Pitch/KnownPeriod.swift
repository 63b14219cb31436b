internal import CRealtime
internal import Spectral

/// The normalised difference of a stretch of sound without offset at one lag: 1 where it repeats exactly, -1 where it
/// repeats inverted.
///
///     2 Σ x[n] x[n + τ] / Σ (x[n]² + x[n + τ]²)
///
/// - Parameter lag: samples, less than the stretch; between the samples by a parabola through the nearest three.
/// - Complexity: 3 products per sample.
/// - SeeAlso: McLeod & Wyvill, "A Smarter Way to Find Pitch", ICMC 2005.
@_noLocks func repetition(of samples: UnsafeMutableBufferPointer<Float>, after lag: Double) -> Double {
    let centre = Int(rt_round(lag))
    guard let x = samples.baseAddress, centre > 1, centre + 1 < samples.count else { return 0 }
    // The energy of the stretch, once for each end, without what the lag leaves alone there.
    let whole = 2 * energy(x, samples.count)
    var heights = SIMD3<Float>.zero
    for n in 0..<3 {
        let lag = centre - 1 + n
        let common = samples.count - lag
        let alone = energy(x, lag) + energy(x + common, lag)
        heights[n] = 2 * product(x, x + lag, common) / max(whole - alone, .leastNormalMagnitude)
    }
    return parabolicPeak(heights[0], heights[1], heights[2]).height
}

@_noLocks private func energy(_ x: UnsafeMutablePointer<Float>, _ count: Int) -> Float { product(x, x, count) }

@_noLocks private func product(_ x: UnsafeMutablePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ count: Int)
    -> Float
{
    var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var n = 0
    while n + 16 <= count {
        first += vector(x, n) * vector(y, n)
        second += vector(x, n + 8) * vector(y, n + 8)
        n += 16
    }
    var sum = (first + second).sum()
    while n < count {
        sum += x[n] * y[n]
        n += 1
    }
    return sum
}

@inline(__always) @_noLocks private func vector(_ from: UnsafeMutablePointer<Float>, _ at: Int) -> SIMD8<Float> {
    UnsafeRawPointer(from + at).loadUnaligned(as: SIMD8<Float>.self)
}
