internal import CRealtime
internal import Realtime
internal import Spectral

/// Echoes in cells of time and frequency and back, and their shifts by a fraction of a sample.
///
/// Each function does one row: a frame of cells, or a hop of samples.
internal struct EchoTransform: ~Copyable, Sendable {
    /// Half of the taps of a shift.
    private static var reach: Int { @_noLocks get { 8 } }

    let sizes: EchoSizes
    private var fft: RealFFT
    /// The root of a Hann window, before and after: together they add up to 1.
    private let window: SampleBuffer<Float>
    private let weights: SampleBuffer<Float>
    /// The whole samples of the shift.
    private var whole = 0

    init(sizes: EchoSizes) throws(OnsetError) {
        fft = try transform(size: sizes.window)
        self.sizes = sizes
        window = SampleBuffer(
            copying: (0..<sizes.window).map { n in
                Float(rt_sqrt(0.5 - 0.5 * rt_cos(2 * .pi * Double(n) / Double(sizes.window))))
            })
        weights = SampleBuffer(count: 2 * Self.reach)
    }

    /// Writes the spectrum of a frame of an echo.
    @_noLocks mutating func analyze(
        _ echo: UnsafePointer<Float>, frame: Int, into cells: UnsafeMutablePointer<SIMD2<Float>>
    ) {
        let (input, start) = (fft.samples, (frame - 1) * sizes.hop)
        let (from, to) = part(of: frame)
        for n in 0..<from { input[n] = 0 }
        for n in from..<to { input[n] = echo[start + n] * window.unsafeElements[n] }
        for n in to..<sizes.window { input[n] = 0 }
        fft.forward()
        let spectrum = fft.spectrum
        for k in 0..<sizes.bins { cells[k] = spectrum[k] }
    }

    /// Adds the sound of a frame's cells, each multiplied by its gain, to an echo.
    @_noLocks mutating func add(
        _ cells: UnsafePointer<SIMD2<Float>>, times gains: UnsafePointer<Float>, frame: Int,
        to echo: UnsafeMutablePointer<Float>
    ) {
        let (spectrum, start) = (fft.spectrum, (frame - 1) * sizes.hop)
        for k in 0..<sizes.bins { spectrum[k] = cells[k] * gains[k] }
        fft.inverse()
        let (output, scale) = (fft.samples, 1 / Float(sizes.window))
        let (from, to) = part(of: frame)
        for n in from..<to { echo[start + n] += output[n] * window.unsafeElements[n] * scale }
    }

    /// Sets the shift that `shift` applies: by `delay` samples, later if positive.
    @_noLocks mutating func prepareShift(by delay: Double) {
        let (length, reach) = (Double(sizes.length), Self.reach)
        let whole = max(-length, min(length, rt_floor(delay)))
        let fraction = delay - whole
        self.whole = Int(whole)
        // Sample n comes from around n - delay: weight j belongs to the sample j - reach + 1 before that.
        var sum = 0.0
        for j in 0..<(2 * reach) {
            let x = Double(j - reach + 1) - fraction
            let sinc = abs(x) < 1e-9 ? 1 : rt_sin(.pi * x) / (.pi * x)
            let weight = sinc * (0.5 + 0.5 * rt_cos(.pi * x / (Double(reach) + 0.5)))
            weights.unsafeElements[2 * reach - 1 - j] = Float(weight)
            sum += weight
        }
        for j in 0..<(2 * reach) { weights.unsafeElements[j] /= Float(sum) }
    }

    /// Writes a hop of an echo, shifted; what would come from outside of it is silence.
    @_noLocks func shift(_ echo: UnsafePointer<Float>, hop: Int, into result: UnsafeMutablePointer<Float>) {
        let (length, taps) = (sizes.length, 2 * Self.reach)
        guard let weights = UnsafePointer(weights.unsafeElements.baseAddress) else { return }
        let first = -whole - Self.reach
        var n = hop * sizes.hop
        let end = n + sizes.hop
        while n < end {
            let start = n + first
            if start >= 0 && start + taps + 7 <= length && n + 8 <= end {
                filterEight(echo + start, weights, taps, into: result + n)
                n += 8
                continue
            }
            var value: Float = 0
            for j in max(0, -start)..<max(max(0, -start), min(taps, length - start)) {
                value += echo[start + j] * weights[j]
            }
            result[n] = value
            n += 1
        }
    }

    /// The samples of a frame's window that lie in an echo.
    @_noLocks private func part(of frame: Int) -> (from: Int, to: Int) {
        let start = (frame - 1) * sizes.hop
        return (max(0, -start), min(sizes.window, sizes.length - start))
    }
}
