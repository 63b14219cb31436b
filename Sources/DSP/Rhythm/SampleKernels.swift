internal import CRealtime
internal import Realtime

/// A Hann window, symmetric about its middle.
@_noLocks internal func hannWeight(_ n: Int, of count: Int) -> Float {
    Float(0.5 - 0.5 * rt_cos(2 * .pi * (Double(n) + 0.5) / Double(count)))
}

/// Adds b[n] factor to a[n] for `count` values of n.
@_noLocks internal func add(
    _ factor: Float, times b: UnsafePointer<Float>, to a: UnsafeMutablePointer<Float>, _ count: Int
) {
    var n = 0
    while n + 8 <= count {
        let sum = eight(UnsafePointer(a), n) + eight(b, n) * factor
        UnsafeMutableRawPointer(a + n).storeBytes(of: sum, as: SIMD8<Float>.self)
        n += 8
    }
    while n < count {
        a[n] += b[n] * factor
        n += 1
    }
}

/// Σ a[n] b[n + k] for k from 0 to 3, over `count` values of n, a multiple of 8.
@_noLocks internal func fourProducts(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int
) -> SIMD4<Float> {
    var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (third, fourth) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var n = 0
    while n + 8 <= count {
        let x = eight(a, n)
        first += x * eight(b, n)
        second += x * eight(b, n + 1)
        third += x * eight(b, n + 2)
        fourth += x * eight(b, n + 3)
        n += 8
    }
    return SIMD4(first.sum(), second.sum(), third.sum(), fourth.sum())
}

/// Writes Σ a[n + j] taps[j] for eight values of n.
@_noLocks internal func filterEight(
    _ a: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ tapCount: Int, into result: UnsafeMutablePointer<Float>
) {
    var sum = SIMD8<Float>.zero
    for j in 0..<tapCount { sum += eight(a, j) * SIMD8(repeating: taps[j]) }
    for lane in 0..<8 { result[lane] = sum[lane] }
}

/// Σ (Σ a[n + j] taps[j])² over `count` values of n, a multiple of 16. Sixteen at a time share what is loaded of the taps.
@_noLocks internal func filteredPower(
    _ a: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ tapCount: Int, _ count: Int
) -> Float {
    var power = SIMD8<Float>.zero
    var n = 0
    while n + 16 <= count {
        var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for j in 0..<tapCount {
            let tap = SIMD8<Float>(repeating: taps[j])
            even += eight(a, n + j) * tap
            odd += eight(a, n + j + 8) * tap
        }
        power += even * even + odd * odd
        n += 16
    }
    return power.sum()
}

/// Writes the sum of each value and its two neighbours; beyond the ends there is nothing.
///
/// - Parameter result: not `from`.
@_noLocks internal func sumOfThree(
    _ from: UnsafePointer<Float>, _ count: Int, into result: UnsafeMutablePointer<Float>
) {
    result[0] = from[0] + from[1]
    for k in 1..<(count - 1) { result[k] = from[k - 1] + from[k] + from[k + 1] }
    result[count - 1] = from[count - 2] + from[count - 1]
}
