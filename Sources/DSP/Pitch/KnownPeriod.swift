internal import CRealtime
internal import Realtime
internal import Spectral

/// The normalised difference of a stretch of sound without offset at one lag: 1 where it repeats exactly, -1 where it
/// repeats inverted.
///
///     2 Σ x[n] x[n + τ] / Σ (x[n]² + x[n + τ]²)
///
/// - Parameters:
///   - energy: Σ x[n]² of the stretch.
///   - lag: samples, less than the stretch; between the samples by a parabola through the nearest three.
/// - Complexity: 3 products per sample, and 3 more per sample of the lag.
/// - SeeAlso: McLeod & Wyvill, "A Smarter Way to Find Pitch", ICMC 2005.
@_noLocks func repetition(
    of samples: UnsafeMutableBufferPointer<Float>, energy: Float, after lag: Double
) -> Double {
    let centre = Int(rt_round(lag))
    guard let x = samples.baseAddress, centre > 1, centre + 1 < samples.count else { return 0 }
    var heights = SIMD3<Float>.zero
    for n in 0..<3 {
        let lag = centre - 1 + n
        let common = samples.count - lag
        // What the lag leaves alone at either end has no part in the sum of the squares.
        let alone = dotProduct(x, x, lag) + dotProduct(x + common, x + common, lag)
        heights[n] = 2 * dotProduct(x, x + lag, common) / max(2 * energy - alone, .leastNormalMagnitude)
    }
    return parabolicPeak(heights[0], heights[1], heights[2]).height
}
