internal import Realtime

/// How nearly a stretch of sound repeats after one period: near 1 for a single note, less for a chord.
///
/// It is the highest maximum of the normalized square difference function at the lags of single notes. The strings of a
/// strum repeat together only after several periods of the lowest one.
/// - SeeAlso: McLeod & Wyvill, "A smarter way to find pitch", ICMC 2005.
/// - Parameters:
///   - samples: the stretch.
///   - longest: the longest lag in samples, one period of the lowest note.
/// - Complexity: one multiplication per sample and lag.
@_noLocks func strumClarity(_ samples: UnsafeMutableBufferPointer<Float>, longestLag longest: Int) -> Double {
    guard let x = samples.baseAddress, longest >= 3, samples.count > 2 * longest + 16 else { return 0 }
    // The same stretch for all lags, a multiple of 8.
    let count = (samples.count - longest - 1) / 8 * 8
    var (best, first, second) = (0.0, 0.0, 0.0)
    var hasFallen = false
    let start = Double(dotProduct(x, x, count))
    for lag in 1...longest {
        let both = start + Double(dotProduct(x + lag, x + lag, count))
        let height = both > 0 ? 2 * Double(dotProduct(x, x + lag, count)) / both : 0
        if height < 0 { hasFallen = true }
        if hasFallen && lag >= 3 && second >= first && second > height {
            let bend = first - 2 * second + height
            let rise = bend < 0 ? -0.125 * (height - first) * (height - first) / bend : 0
            best = max(best, min(1, second + rise))
        }
        (first, second) = (second, height)
    }
    return best
}
