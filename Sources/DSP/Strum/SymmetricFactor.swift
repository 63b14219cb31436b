internal import CRealtime
internal import Realtime

/// A symmetric positive definite matrix and its Cholesky factor, A = L Lᵀ, in memory of a fixed size.
///
/// Elements before the start of a row count as zero, as in `HermitianFactor`.
struct SymmetricFactor: ~Copyable, Sendable {
    let stride: Int
    private let storage: SampleBuffer<Double>
    private let inverse: SampleBuffer<Double>
    /// The inverse of a pivot, or 0 of a row that later ones have nothing to do with.
    private let coupling: SampleBuffer<Double>
    /// The first column of each row that is not zero.
    let starts: SampleBuffer<Int>
    /// What the square of a pivot is at least, whatever rounding makes of it: what a prior adds to the diagonal.
    let floors: SampleBuffer<Double>

    /// For matrices of up to `capacity` rows.
    init(capacity: Int) {
        stride = (capacity + 3) / 4 * 4
        storage = SampleBuffer(count: capacity * stride)
        inverse = SampleBuffer(count: capacity)
        coupling = SampleBuffer(count: capacity)
        starts = SampleBuffer(count: capacity)
        floors = SampleBuffer(count: capacity, repeating: 1e-300)
    }

    @inline(__always) @_noLocks func row(_ i: Int) -> UnsafeMutablePointer<Double> {
        storage.start + i * stride
    }

    /// Replaces the lower triangle by L.
    ///
    /// What the data say is never less than nothing, so a pivot is at least what the prior adds. One below is lost to rounding,
    /// and so is what its row has in common with others: divided by a small pivot it would take the certainty of all of them.
    /// - Parameter isFixing: whether a lost unknown keeps its value, as if it were known; otherwise the prior alone remains.
    /// - Complexity: n³ / 6 multiplications.
    @_noLocks func factorize(size n: Int, least: Double, isFixing: Bool = false) {
        for i in 0..<n {
            let (a, start) = (row(i), starts.unsafeElements[i])
            for j in start..<i {
                let k = max(start, starts.unsafeElements[j])
                a[j] = (a[j] - dotProduct(a + k, row(j) + k, j - k)) * coupling.unsafeElements[j]
            }
            let pivot = a[i] - dotProduct(a + start, a + start, i - start)
            let floor = floors.unsafeElements[i]
            let isLost = !(pivot > max(least * a[i], 0.5 * floor))
            if isLost { for j in start..<i { a[j] = 0 } }
            a[i] = rt_sqrt(isLost ? floor : pivot)
            inverse.unsafeElements[i] = isLost && isFixing ? 0 : 1 / a[i]
            coupling.unsafeElements[i] = isLost ? 0 : inverse.unsafeElements[i]
        }
    }

    /// Solves L x = x in place, from row `first` on, before which x is zero.
    @_noLocks func substitute(_ x: UnsafeMutablePointer<Double>, size n: Int, from first: Int = 0) {
        for i in first..<n {
            let k = max(first, starts.unsafeElements[i])
            x[i] = (x[i] - dotProduct(row(i) + k, x + k, i - k)) * inverse.unsafeElements[i]
        }
    }

    /// Solves Lᵀ x = x in place.
    @_noLocks func substituteBack(_ x: UnsafeMutablePointer<Double>, size n: Int) {
        var i = n - 1
        while i >= 0 {
            x[i] *= inverse.unsafeElements[i]
            let (l, value) = (row(i), x[i])
            for j in starts.unsafeElements[i]..<i { x[j] -= l[j] * value }
            i -= 1
        }
    }
}
