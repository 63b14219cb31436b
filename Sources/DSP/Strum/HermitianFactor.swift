internal import CRealtime
internal import Realtime

/// A Hermitian positive definite matrix and its Cholesky factor, A = L L*, in memory of a fixed size.
///
/// Elements before the start of a row count as zero, in the matrix and in its factor (Jennings, "A compact storage scheme for
/// the solution of symmetric linear simultaneous equations", Computer Journal 9, 1966).
struct HermitianFactor: ~Copyable, Sendable {
    let capacity: Int
    /// Columns per row: a multiple of four, with room for none else.
    let stride: Int
    private let real: SampleBuffer<Double>, imaginary: SampleBuffer<Double>
    private let inverse: SampleBuffer<Double>
    /// The first column of each row that is not zero.
    let starts: SampleBuffer<Int>

    /// For matrices of up to `capacity` rows.
    init(capacity: Int) {
        self.capacity = capacity
        stride = (capacity + 7) / 8 * 8
        real = SampleBuffer(count: capacity * stride)
        imaginary = SampleBuffer(count: capacity * stride)
        inverse = SampleBuffer(count: capacity)
        starts = SampleBuffer(count: capacity)
    }

    /// An element of the lower triangle.
    @inline(__always) @_noLocks func element(_ row: Int, _ column: Int) -> ComplexNumber {
        let at = row * stride + column
        return ComplexNumber(real.unsafeElements[at], imaginary.unsafeElements[at])
    }

    /// Writes an element of the lower triangle.
    @inline(__always) @_noLocks func set(_ row: Int, _ column: Int, _ value: ComplexNumber) {
        let at = row * stride + column
        real.unsafeElements[at] = value.re
        imaginary.unsafeElements[at] = value.im
    }

    /// Replaces the lower triangle by L. A pivot lost to rounding is raised to `least`.
    ///
    /// - Complexity: n³ / 6 complex multiplications.
    @_noLocks func factorize(size n: Int, from first: Int = 0, least: Double) {
        guard let re = real.unsafeElements.baseAddress, let im = imaginary.unsafeElements.baseAddress else { return }
        for i in first..<n {
            let (ar, ai) = (re + i * stride, im + i * stride)
            let start = starts.unsafeElements[i]
            for j in start..<i {
                let k = max(start, starts.unsafeElements[j])
                let sum = product(ar + k, ai + k, re + j * stride + k, im + j * stride + k, j - k)
                let scale = inverse.unsafeElements[j]
                ar[j] = (ar[j] - sum.re) * scale
                ai[j] = (ai[j] - sum.im) * scale
            }
            var pivot = ar[i]
            var j = start
            while j < i {
                pivot -= ar[j] * ar[j] + ai[j] * ai[j]
                j += 1
            }
            let root = rt_sqrt(max(pivot, least))
            ar[i] = root
            ai[i] = 0
            inverse.unsafeElements[i] = 1 / root
        }
    }

    /// Solves L x = x in place, from row `first` on; the rows before are solved already, or zero before `leading`.
    @_noLocks func substitute(
        _ xr: UnsafeMutablePointer<Double>, _ xi: UnsafeMutablePointer<Double>, size n: Int, from first: Int = 0,
        leading: Int = 0
    ) {
        guard let re = real.unsafeElements.baseAddress, let im = imaginary.unsafeElements.baseAddress else { return }
        for i in first..<n {
            let k = max(leading, starts.unsafeElements[i])
            let sum = plainProduct(re + i * stride + k, im + i * stride + k, xr + k, xi + k, i - k)
            xr[i] = (xr[i] - sum.re) * inverse.unsafeElements[i]
            xi[i] = (xi[i] - sum.im) * inverse.unsafeElements[i]
        }
    }

    /// Solves L* x = x in place.
    @_noLocks func substituteBack(
        _ xr: UnsafeMutablePointer<Double>, _ xi: UnsafeMutablePointer<Double>, size n: Int
    ) {
        guard let re = real.unsafeElements.baseAddress, let im = imaginary.unsafeElements.baseAddress else { return }
        var i = n - 1
        while i >= 0 {
            xr[i] *= inverse.unsafeElements[i]
            xi[i] *= inverse.unsafeElements[i]
            let (lr, li, vr, vi) = (re + i * stride, im + i * stride, xr[i], xi[i])
            // x[j] -= conj(L[i, j]) x[i]
            var j = starts.unsafeElements[i]
            while j < i {
                xr[j] -= lr[j] * vr + li[j] * vi
                xi[j] -= lr[j] * vi - li[j] * vr
                j += 1
            }
            i -= 1
        }
    }

    /// Σ a[i] conj(b[i])
    @inline(__always) @_noLocks private func product(
        _ ar: UnsafeMutablePointer<Double>, _ ai: UnsafeMutablePointer<Double>, _ br: UnsafeMutablePointer<Double>,
        _ bi: UnsafeMutablePointer<Double>, _ count: Int
    ) -> ComplexNumber {
        var (re, im) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var i = 0
        while i + 4 <= count {
            let (a, b, c, d) = (four(ar, i), four(ai, i), four(br, i), four(bi, i))
            re += a * c + b * d
            im += b * c - a * d
            i += 4
        }
        var sum = ComplexNumber(re.sum(), im.sum())
        while i < count {
            sum.re += ar[i] * br[i] + ai[i] * bi[i]
            sum.im += ai[i] * br[i] - ar[i] * bi[i]
            i += 1
        }
        return sum
    }

    /// Σ a[i] b[i]
    @inline(__always) @_noLocks private func plainProduct(
        _ ar: UnsafeMutablePointer<Double>, _ ai: UnsafeMutablePointer<Double>, _ br: UnsafeMutablePointer<Double>,
        _ bi: UnsafeMutablePointer<Double>, _ count: Int
    ) -> ComplexNumber {
        var (re, im) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var i = 0
        while i + 4 <= count {
            let (a, b, c, d) = (four(ar, i), four(ai, i), four(br, i), four(bi, i))
            re += a * c - b * d
            im += b * c + a * d
            i += 4
        }
        var sum = ComplexNumber(re.sum(), im.sum())
        while i < count {
            sum.re += ar[i] * br[i] - ai[i] * bi[i]
            sum.im += ai[i] * br[i] + ar[i] * bi[i]
            i += 1
        }
        return sum
    }
}
