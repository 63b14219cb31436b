// What the DSP does with neighbouring values in memory: loads from any address, and sums of products.
//
// The sums have two accumulators, so that an addition does not wait for the one before it. Each function is there for each type:
// a debug build does not specialise a generic one, and then it fails the real-time check.

/// Eight values.
@inlinable @inline(__always) @_noLocks
package func eight(_ values: UnsafePointer<Float>, _ first: Int) -> SIMD8<Float> {
    UnsafeRawPointer(values + first).loadUnaligned(as: SIMD8<Float>.self)
}

/// Eight values.
@inlinable @inline(__always) @_noLocks
package func eight(_ values: UnsafePointer<Double>, _ first: Int) -> SIMD8<Double> {
    UnsafeRawPointer(values + first).loadUnaligned(as: SIMD8<Double>.self)
}

/// Four values.
@inlinable @inline(__always) @_noLocks
package func four(_ values: UnsafePointer<Float>, _ first: Int) -> SIMD4<Float> {
    UnsafeRawPointer(values + first).loadUnaligned(as: SIMD4<Float>.self)
}

/// Four values.
@inlinable @inline(__always) @_noLocks
package func four(_ values: UnsafePointer<Double>, _ first: Int) -> SIMD4<Double> {
    UnsafeRawPointer(values + first).loadUnaligned(as: SIMD4<Double>.self)
}

/// Σ a[n] b[n] over `count` values: of sound, so many that loops of 16 and of 8 are worth their code.
@_noLocks package func dotProduct(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
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

/// Σ a[n] b[n] over `count` values: of rows of small matrices, so few that a call would take as long.
@inlinable @inline(__always) @_noLocks
package func dotProduct(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int) -> Double {
    var (even, odd) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var n = 0
    while n + 8 <= count {
        even += four(a, n) * four(b, n)
        odd += four(a, n + 4) * four(b, n + 4)
        n += 8
    }
    var sum = (even + odd).sum()
    while n < count {
        sum += a[n] * b[n]
        n += 1
    }
    return sum
}
