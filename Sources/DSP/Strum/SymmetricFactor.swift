internal import CRealtime
internal import Realtime

/// A symmetric positive definite matrix and its Cholesky factor, A = L Lᵀ, in memory of a fixed size.
struct SymmetricFactor: ~Copyable, Sendable {
    let stride: Int
    private let storage: SampleBuffer<Double>
    private let inverse: SampleBuffer<Double>

    /// For matrices of up to `capacity` rows.
    init(capacity: Int) {
        stride = (capacity + 3) / 4 * 4
        storage = SampleBuffer(count: capacity * stride)
        inverse = SampleBuffer(count: capacity)
    }

    @inline(__always) @_noLocks func row(_ i: Int) -> UnsafeMutablePointer<Double> {
        storage.unsafeElements.baseAddress.unsafelyUnwrapped + i * stride
    }

    /// Replaces the lower triangle by L. A pivot lost to rounding is raised to `least` times the diagonal.
    ///
    /// - Complexity: n³ / 6 multiplications.
    @_noLocks func factorize(size n: Int, least: Double) {
        for i in 0..<n {
            let a = row(i)
            for j in 0..<i { a[j] = (a[j] - dot(a, row(j), j)) * inverse.unsafeElements[j] }
            let pivot = rt_sqrt(max(a[i] - dot(a, a, i), max(least * a[i], 1e-300)))
            a[i] = pivot
            inverse.unsafeElements[i] = 1 / pivot
        }
    }

    /// Solves L x = x in place, from row `first` on, before which x is zero.
    @_noLocks func substitute(_ x: UnsafeMutablePointer<Double>, size n: Int, from first: Int = 0) {
        for i in first..<n {
            x[i] = (x[i] - dot(row(i) + first, x + first, i - first)) * inverse.unsafeElements[i]
        }
    }

    /// Solves Lᵀ x = x in place.
    @_noLocks func substituteBack(_ x: UnsafeMutablePointer<Double>, size n: Int) {
        var i = n - 1
        while i >= 0 {
            x[i] *= inverse.unsafeElements[i]
            let (l, value) = (row(i), x[i])
            for j in 0..<i { x[j] -= l[j] * value }
            i -= 1
        }
    }
}

/// Σ a[i] b[i] over `count` values.
@inline(__always) @_noLocks func dot(
    _ a: UnsafeMutablePointer<Double>, _ b: UnsafeMutablePointer<Double>, _ count: Int
) -> Double {
    var (first, second) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var i = 0
    while i + 8 <= count {
        first += vector4(a, i) * vector4(b, i)
        second += vector4(a, i + 4) * vector4(b, i + 4)
        i += 8
    }
    var sum = (first + second).sum()
    while i < count {
        sum += a[i] * b[i]
        i += 1
    }
    return sum
}
