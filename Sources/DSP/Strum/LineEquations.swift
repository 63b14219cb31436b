internal import Realtime

/// The equations of the amplitudes of all lines, and how what they leave depends on their poles.
///
/// Products of lines far apart are zero, so that each row begins at its first neighbour.
struct LineEquations: ~Copyable, Sendable {
    let gram: HermitianFactor
    /// Products of partials with slopes, and of slopes with slopes; then the curvature.
    private let firstMoments: HermitianFactor
    let curvature: HermitianFactor
    let gradient: SampleBuffer<ComplexNumber>
    /// The last partial whose product with a partial counts; `gram.starts` has the first one.
    let lasts: SampleBuffer<Int>
    /// L⁻¹ of the first moments, a row per column.
    private let projectedRe: SampleBuffer<Double>, projectedIm: SampleBuffer<Double>

    /// For so many lines, at most.
    init(count: Int) {
        gram = HermitianFactor(capacity: count)
        firstMoments = HermitianFactor(capacity: count)
        curvature = HermitianFactor(capacity: count)
        gradient = SampleBuffer(count: count, repeating: ComplexNumber(0, 0))
        lasts = SampleBuffer(count: count)
        projectedRe = SampleBuffer(count: (count + 1) * gram.stride)
        projectedIm = SampleBuffer(count: (count + 1) * gram.stride)
    }

    /// Takes in the products of the first `count` lines; those of strings that are not in the model stand alone.
    ///
    /// - Parameter penalty: what each amplitude costs.
    @_noLocks func fill(
        _ lines: borrowing PartialLines, _ layout: borrowing PartialLayout, isActive: borrowing SampleBuffer<Bool>,
        penalty: borrowing SampleBuffer<Double>
    ) {
        limitBand(lines, count: layout.count)
        for p in 0..<layout.count {
            let isIn = isActive.unsafeElements[layout.string(p)]
            for q in gram.starts.unsafeElements[p]...p {
                let isPair = isIn && isActive.unsafeElements[layout.string(q)]
                let values = isPair ? lines.product(p, q) : HannMoments.Values()
                gram.set(p, q, values.zeroth)
                firstMoments.set(p, q, values.first)
                firstMoments.set(q, p, values.first.conjugate)
                curvature.set(p, q, values.second)
            }
            let diagonal = gram.element(p, p) * (1 + ridge) + ComplexNumber(penalty.unsafeElements[p], 0)
            gram.set(p, p, isIn ? diagonal : ComplexNumber(1, 0))
        }
        gram.factorize(size: layout.count, least: 1e-12)
    }

    /// Finds for each partial the first and the last one whose product with it counts.
    @_noLocks private func limitBand(_ lines: borrowing PartialLines, count: Int) {
        var (least, p) = (count, count - 1)
        while p >= 0 {
            var start = p
            for q in 0..<p where lines.areNear(p, q) {
                start = q
                break
            }
            // They stand in the order of the tuning, which detunings may change: a pair between two that count counts too.
            least = min(least, start)
            gram.starts.unsafeElements[p] = least
            p -= 1
        }
        for p in 0..<count {
            for q in gram.starts.unsafeElements[p]...p { lasts.unsafeElements[q] = p }
        }
    }

    /// Finds the amplitudes that fit the window, and returns what they explain of its power.
    @_noLocks func solve(
        _ lines: borrowing PartialLines, count: Int, into amplitudes: borrowing SampleBuffer<ComplexNumber>
    ) -> Double {
        guard let xr = projectedRe.unsafeElements.baseAddress, let xi = projectedIm.unsafeElements.baseAddress else {
            return 0
        }
        for p in 0..<count { (xr[p], xi[p]) = (lines.plain.unsafeElements[p].re, lines.plain.unsafeElements[p].im) }
        gram.substitute(xr, xi, size: count)
        var explained = 0.0
        for p in 0..<count { explained += xr[p] * xr[p] + xi[p] * xi[p] }
        gram.substituteBack(xr, xi, size: count)
        for p in 0..<count { amplitudes.unsafeElements[p] = ComplexNumber(xr[p], xi[p]) }
        return explained
    }

    /// The gradient and the curvature by pole of what the amplitudes leave: g and H of -2 Re(u* g) + u* H u.
    @_noLocks func linearize(
        _ lines: borrowing PartialLines, count: Int, amplitudes: borrowing SampleBuffer<ComplexNumber>
    ) {
        let stride = gram.stride
        guard let vr = projectedRe.unsafeElements.baseAddress, let vi = projectedIm.unsafeElements.baseAddress else {
            return
        }
        for q in 0..<count {
            let (xr, xi) = (vr + q * stride, vi + q * stride)
            let (first, last) = (gram.starts.unsafeElements[q], lasts.unsafeElements[q])
            var sum = lines.sloped.unsafeElements[q]
            for p in 0..<count { (xr[p], xi[p]) = (0, 0) }
            for p in first...last {
                let value = firstMoments.element(q, p)
                sum = sum - value * amplitudes.unsafeElements[p]
                (xr[p], xi[p]) = (value.re, -value.im)
            }
            gradient.unsafeElements[q] = sum * amplitudes.unsafeElements[q].conjugate
            gram.substitute(xr, xi, size: count, from: first, leading: first)
        }
        for p in 0..<count {
            for q in gram.starts.unsafeElements[p]...p {
                // Column p is zero before its first row.
                let k = gram.starts.unsafeElements[p]
                let (ar, ai, br, bi) = (
                    vr + p * stride + k, vi + p * stride + k, vr + q * stride + k, vi + q * stride + k
                )
                let overlap = ComplexNumber(
                    dotProduct(ar, br, count - k) + dotProduct(ai, bi, count - k),
                    dotProduct(ar, bi, count - k) - dotProduct(ai, br, count - k))
                let (a, b) = (amplitudes.unsafeElements[p], amplitudes.unsafeElements[q])
                curvature.set(p, q, (curvature.element(p, q) - overlap) * (a.conjugate * b))
            }
        }
    }
}

/// Keeps partials of two strings that coincide from cancelling each other with huge amplitudes.
private var ridge: Double { @_noLocks get { 1e-7 } }
