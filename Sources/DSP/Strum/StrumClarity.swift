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
    let start = power(x, count)
    for lag in 1...longest {
        let both = start + power(x + lag, count)
        let height = both > 0 ? 2 * product(x, x + lag, count) / both : 0
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

@inline(__always) @_noLocks private func power(_ x: UnsafeMutablePointer<Float>, _ count: Int) -> Double {
    product(x, x, count)
}

@inline(__always) @_noLocks private func product(
    _ a: UnsafeMutablePointer<Float>, _ b: UnsafeMutablePointer<Float>, _ count: Int
) -> Double {
    var sum = SIMD8<Float>.zero
    var n = 0
    while n < count {
        sum +=
            UnsafeRawPointer(a + n).loadUnaligned(as: SIMD8<Float>.self)
            * UnsafeRawPointer(b + n).loadUnaligned(as: SIMD8<Float>.self)
        n += 8
    }
    return Double(sum.sum())
}
