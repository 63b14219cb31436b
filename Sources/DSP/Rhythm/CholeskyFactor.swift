internal import CRealtime
internal import Realtime

/// Linear equations of a symmetric positive definite matrix, solved by its Cholesky factor, A = L Lᵀ.
internal struct CholeskyFactor: ~Copyable, Sendable {
    private let capacity: Int
    private let storage: SampleBuffer<Double>

    /// For matrices of up to `capacity` rows.
    init(capacity: Int) {
        self.capacity = capacity
        storage = SampleBuffer(count: capacity * capacity)
    }

    /// The elements of a row up to the diagonal.
    @_noLocks func row(_ i: Int) -> UnsafeMutablePointer<Double> {
        storage.start + i * capacity
    }

    /// Replaces the lower triangle by L.
    ///
    /// - Parameter ridge: is added to the diagonal, and no pivot is less.
    /// - Complexity: n³ / 6 multiplications.
    @_noLocks func factorize(size: Int, ridge: Double) {
        for i in 0..<size {
            let l = row(i)
            for j in 0...i {
                let other = row(j)
                var sum = l[j]
                for k in 0..<j { sum -= l[k] * other[k] }
                l[j] = i == j ? rt_sqrt(max(ridge, sum + ridge)) : sum / other[j]
            }
        }
    }

    /// Solves L Lᵀ x = x in place.
    @_noLocks func solve(_ x: UnsafeMutablePointer<Double>, size: Int) {
        for i in 0..<size {
            let l = row(i)
            var sum = x[i]
            for k in 0..<i { sum -= l[k] * x[k] }
            x[i] = sum / l[i]
        }
        for i in (0..<size).reversed() {
            var sum = x[i]
            var k = i + 1
            while k < size {
                sum -= row(k)[i] * x[k]
                k += 1
            }
            x[i] = sum / row(i)[i]
        }
    }
}
