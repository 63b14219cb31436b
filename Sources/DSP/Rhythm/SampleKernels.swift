/// Σ a[n] b[n]. Two accumulators of eight lanes keep the adders busy.
@_noLocks internal func dotProduct(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var n = 0
    while n + 16 <= count {
        even += eight(a, n) * eight(b, n)
        odd += eight(a, n + 8) * eight(b, n + 8)
        n += 16
    }
    if n + 8 <= count {
        even += eight(a, n) * eight(b, n)
        n += 8
    }
    var sum = (even + odd).sum()
    while n < count {
        sum += a[n] * b[n]
        n += 1
    }
    return sum
}

@inline(__always) @_noLocks private func eight(_ from: UnsafePointer<Float>, _ at: Int) -> SIMD8<Float> {
    UnsafeRawPointer(from + at).loadUnaligned(as: SIMD8<Float>.self)
}
