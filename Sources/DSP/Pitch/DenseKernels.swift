internal import CRealtime
internal import Realtime

/// a[i] -= factor · b[i] over `count` values.
@inline(__always) @_noLocks func subtract(
    _ factor: Double, times b: UnsafeMutablePointer<Double>, from a: UnsafeMutablePointer<Double>, _ count: Int
) {
    var i = 0
    while i + 4 <= count {
        store(four(a, i) - four(b, i) * factor, a, i)
        i += 4
    }
    while i < count {
        a[i] -= factor * b[i]
        i += 1
    }
}

/// Replaces the lower triangle of a symmetric positive definite matrix by its Cholesky factor L, A = L Lᵀ.
///
/// A pivot lost to rounding is raised to `least`, which disables that direction instead of dividing by zero.
/// - Complexity: n³ / 6 multiplications.
@_noLocks func factorize(_ a: UnsafeMutablePointer<Double>, size n: Int, stride: Int, least: Double) {
    for i in 0..<n {
        let row = a + i * stride
        for j in 0..<i {
            let other = a + j * stride
            row[j] = (row[j] - dotProduct(row, other, j)) * other[stride - 1]
        }
        let pivot = rt_sqrt(max(row[i] - dotProduct(row, row, i), least))
        row[i] = pivot
        // The last column is padding: the reciprocal is kept there, for a division costs as much as eight products.
        row[stride - 1] = 1 / pivot
    }
}

/// Solves L x = x in place, with the factor that `factorize` left.
@_noLocks func substitute(
    _ l: UnsafeMutablePointer<Double>, size n: Int, stride: Int, _ x: UnsafeMutablePointer<Double>
) {
    for i in 0..<n {
        let row = l + i * stride
        x[i] = (x[i] - dotProduct(row, x, i)) * row[stride - 1]
    }
}

/// Solves L Lᵀ x = x in place, with the factor that `factorize` left.
@_noLocks func solveFactored(
    _ l: UnsafeMutablePointer<Double>, size n: Int, stride: Int, _ x: UnsafeMutablePointer<Double>
) {
    substitute(l, size: n, stride: stride, x)
    var i = n - 1
    while i >= 0 {
        let row = l + i * stride
        x[i] *= row[stride - 1]
        subtract(x[i], times: row, from: x, i)
        i -= 1
    }
}

@inline(__always) @_noLocks func store(_ value: SIMD4<Double>, _ to: UnsafeMutablePointer<Double>, _ at: Int) {
    (to[at], to[at + 1], to[at + 2], to[at + 3]) = (value[0], value[1], value[2], value[3])
}
