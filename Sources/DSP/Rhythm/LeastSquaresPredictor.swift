internal import CRealtime
internal import Realtime

/// Foretells how a sound goes on from how it rang, for several samples ahead.
///
/// The coefficients are those of least squared error over a stretch without a window (covariance method): a sum of decaying
/// partials is foretold exactly, and a stretch of two periods tells them, where a windowed one takes many.
/// - SeeAlso: Makhoul, "Linear Prediction: A Tutorial Review", Proc. IEEE 63(4), 1975, section II.C.
internal struct LeastSquaresPredictor: ~Copyable, Sendable {
    /// 16 pairs of poles: the partials of a few notes below 900 Hz.
    static var order: Int { @_noLocks get { 32 } }
    /// Samples whose errors are least: 100 ms at 2 kHz, four periods of the bass guitar's low E.
    static var training: Int { @_noLocks get { 200 } }
    /// Samples that are read: those, and as many before them as there are coefficients.
    static var reach: Int { @_noLocks get { order + training } }
    /// 60 dB below the sound, which keeps the equations solvable where few partials ring.
    private static var regularization: Double { @_noLocks get { 1e-6 } }
    /// The power of silence, -120 dB.
    private static var silence: Double { @_noLocks get { 1e-12 } }

    /// The first tells how much of the sample before goes on, and so forth.
    private let coefficients: SampleBuffer<Double>
    private let samples: SampleBuffer<Double>
    /// Products of delayed samples, row by row, and their equations.
    private let products: SampleBuffer<Double>
    private let factor = CholeskyFactor(capacity: order)

    init() {
        coefficients = SampleBuffer(count: Self.order)
        samples = SampleBuffer(count: Self.reach)
        products = SampleBuffer(count: (Self.order + 1) * (Self.order + 1))
    }

    /// Finds the coefficients from `reach` samples.
    ///
    /// - Complexity: O(order · training + order³ / 6).
    @_noLocks mutating func train(_ newest: UnsafePointer<Float>) {
        let x = samples.unsafeElements
        for n in 0..<Self.reach { x[n] = Double(newest[n]) }
        multiply()
        solve()
    }

    /// What follows the `order` samples before `start`, if nothing new is heard.
    @_noLocks func foretell(
        after start: UnsafePointer<Float>, _ count: Int, into result: UnsafeMutablePointer<Double>
    ) {
        let a = coefficients.unsafeElements
        for n in 0..<count {
            var sum = 0.0
            for k in 1...Self.order { sum += a[k - 1] * (n >= k ? result[n - k] : Double(start[n - k])) }
            // Poles outside of the unit circle would grow beyond any sound.
            result[n] = max(-Self.most, min(Self.most, sum))
        }
    }

    /// What is unpredictable in a sample; the `order` samples before it are read too.
    @_noLocks func residual(_ sample: UnsafePointer<Float>) -> Double {
        var sum = Double(sample[0])
        for k in 1...Self.order { sum -= coefficients.unsafeElements[k - 1] * Double(sample[-k]) }
        return sum
    }

    /// Full scale, and 6 dB for the filter before.
    private static var most: Double { @_noLocks get { 2 } }

    /// Σ x[n - i] x[n - j] over the stretch: the first row in full, the others from the row above.
    @_noLocks private mutating func multiply() {
        let (x, phi, size) = (samples.unsafeElements, products.unsafeElements, Self.order + 1)
        let (base, first, end) = (samples.start, Self.order, Self.reach)
        for lag in 0..<size {
            var (even, odd) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
            var n = first
            while n + 16 <= end {
                even += eight(base, n) * eight(base, n - lag)
                odd += eight(base, n + 8) * eight(base, n + 8 - lag)
                n += 16
            }
            var sum = (even + odd).sum()
            while n < end {
                sum += x[n] * x[n - lag]
                n += 1
            }
            phi[lag] = sum
        }
        for i in 1..<size {
            for j in i..<size {
                phi[i * size + j] =
                    phi[(i - 1) * size + j - 1] + x[first - i] * x[first - j] - x[end - i] * x[end - j]
            }
        }
    }

    /// Of the products of delayed samples.
    @_noLocks private mutating func solve() {
        let (phi, order) = (products.unsafeElements, Self.order)
        var trace = 0.0
        for i in 1...order { trace += phi[i * (order + 1) + i] }
        for row in 0..<order {
            let elements = factor.row(row)
            for column in 0...row { elements[column] = phi[(column + 1) * (order + 1) + row + 1] }
        }
        factor.factorize(size: order, ridge: trace / Double(order) * Self.regularization + Self.silence)
        guard let a = coefficients.unsafeElements.baseAddress else { return }
        for row in 0..<order { a[row] = phi[row + 1] }
        factor.solve(a, size: order)
    }
}
