internal import CRealtime
internal import Realtime

/// Predicts each sample of what rings from the samples before it, so that what is new stands out.
///
/// The coefficients are those of least squared error over a window (autocorrelation method, Levinson's recursion). The
/// partials of a note that rings are predictable and vanish from the residual; the attack of the next is not.
/// - SeeAlso: Makhoul, "Linear Prediction: A Tutorial Review", Proc. IEEE 63(4), 1975.
internal struct LinearPredictor: ~Copyable, Sendable {
    /// 24 pairs of poles: the partials of a few notes below 4 kHz.
    static var order: Int { @_noLocks get { 48 } }
    /// Samples that the coefficients are found from: 75 ms at 8 kHz, two periods of the bass guitar's low E.
    static var training: Int { @_noLocks get { 600 } }
    /// 50 dB below the signal, the low-pass filter's stop band; without it the recursion is ill-conditioned there.
    private static var regularization: Double { @_noLocks get { 1e-5 } }
    /// The power of silence, -90 dB.
    private static var silence: Double { @_noLocks get { 1e-9 } }

    /// 1, a1 … a48, the newest sample first.
    let coefficients: SampleBuffer<Double>

    private let window: SampleBuffer<Float>, windowed: SampleBuffer<Float>
    /// The coefficients, the oldest sample first.
    private let reversed: SampleBuffer<Float>
    private let correlation: SampleBuffer<Double>, work: SampleBuffer<Double>

    init() {
        let (order, length) = (Self.order, Self.training)
        coefficients = SampleBuffer(count: order + 1)
        reversed = SampleBuffer(count: order + 1)
        correlation = SampleBuffer(count: order + 1)
        work = SampleBuffer(count: order + 1)
        windowed = SampleBuffer(count: length + order + 4)
        // Slow to rise and quick to fall: the newest samples tell most about what comes next. The fall takes 12 ms.
        let (rise, fall) = (length / 2, 96)
        window = SampleBuffer(
            copying: (0..<length).map { n in
                if n < rise { return hann(n, of: 2 * rise) }
                return n < length - fall ? 1 : hann(fall + n - (length - fall), of: 2 * fall)
            })
    }

    /// Finds the coefficients from `training` samples.
    @_noLocks mutating func train(_ samples: UnsafePointer<Float>) {
        let (order, length) = (Self.order, Self.training)
        guard let x = windowed.unsafeElements.baseAddress else { return }
        for n in 0..<length { x[n] = samples[n] * window.unsafeElements[n] }
        // Four lags share what is loaded; behind the window there are zeros.
        var lag = 0
        while lag <= order {
            let products = fourProducts(x, x + lag, length)
            for next in 0..<min(4, order + 1 - lag) {
                correlation.unsafeElements[lag + next] = Double(products[next])
            }
            lag += 4
        }
        correlation.unsafeElements[0] += correlation.unsafeElements[0] * Self.regularization + Self.silence
        solve()
        for k in 0...order { reversed.unsafeElements[k] = Float(coefficients.unsafeElements[order - k]) }
    }

    /// What is unpredictable in a sample.
    ///
    /// - Parameter end: the sample; the `order` samples before it are read too.
    @_noLocks func residual(_ end: UnsafePointer<Float>) -> Float {
        guard let a = UnsafePointer(reversed.unsafeElements.baseAddress) else { return 0 }
        return dotProduct(a, end - Self.order, Self.order + 1)
    }

    /// The mean square of what is unpredictable in `count` samples from `start` on, a multiple of 16.
    ///
    /// The `order` samples before them are read too.
    @_noLocks func residualPower(_ start: UnsafePointer<Float>, _ count: Int) -> Double {
        guard let a = UnsafePointer(reversed.unsafeElements.baseAddress) else { return 0 }
        return Double(filteredPower(start - Self.order, a, Self.order + 1, count)) / Double(max(1, count))
    }

    /// |A|² at a frequency of a table: by how much the predictor passes noise there.
    @_noLocks func gain(at index: Int, of table: borrowing FrequencyTable) -> Double {
        let (cosines, period) = (table.cosines.unsafeElements, table.cosines.count)
        var (re, im) = (0.0, 0.0)
        // sin x = cos (x - π/2).
        var (angle, before) = (0, period - period / 4)
        for k in 0...Self.order {
            re += coefficients.unsafeElements[k] * cosines[angle]
            im += coefficients.unsafeElements[k] * cosines[before]
            angle += index
            before += index
            // Less than a turn at a time; a remainder would take longer than all the rest.
            if angle >= period { angle -= period }
            if before >= period { before -= period }
        }
        return re * re + im * im
    }

    /// Levinson's recursion.
    @_noLocks private mutating func solve() {
        let (a, r, next) = (coefficients.unsafeElements, correlation.unsafeElements, work.unsafeElements)
        a[0] = 1
        for k in 1...Self.order { a[k] = 0 }
        var error = r[0]
        for k in 1...Self.order {
            var sum = 0.0
            for j in 0..<k { sum += a[j] * r[k - j] }
            let reflection = -sum / error
            for j in 1...k { next[j] = a[j] + reflection * a[k - j] }
            for j in 1...k { a[j] = next[j] }
            error *= 1 - reflection * reflection
            // Rounding may leave nothing to predict.
            if error <= 0 { return }
        }
    }
}

/// Frequencies from 0 to half the sample rate, evenly spaced.
internal struct FrequencyTable: ~Copyable, Sendable {
    /// One turn; a frequency is its number of steps per sample.
    let cosines: SampleBuffer<Double>

    /// - Parameter count: how many frequencies, one more than a multiple of 2.
    init(count: Int) {
        let period = 2 * (count - 1)
        cosines = SampleBuffer(
            copying: (0..<period).map { rt_cos(2 * .pi * Double($0) / Double(period)) })
    }
}

private func hann(_ n: Int, of count: Int) -> Float {
    Float(0.5 - 0.5 * rt_cos(2 * .pi * Double(n) / Double(count - 1)))
}
