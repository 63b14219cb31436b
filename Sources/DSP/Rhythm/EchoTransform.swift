internal import CRealtime
internal import Realtime
internal import Spectral

/// Echoes in cells of time and frequency and back, and their shifts by a fraction of a sample.
internal struct EchoTransform: ~Copyable, Sendable {
    /// Half of the taps of a shift.
    private static var reach: Int { @_noLocks get { 8 } }

    let sizes: EchoSizes
    private var fft: RealFFT
    /// The root of a Hann window, before and after: together they add up to 1.
    private let window: SampleBuffer<Float>
    private let padded: SampleBuffer<Float>
    private let weights: SampleBuffer<Float>
    private let columns: SampleBuffer<Float>

    init(sizes: EchoSizes) throws(OnsetError) {
        fft = try transform(size: sizes.window)
        self.sizes = sizes
        window = SampleBuffer(
            copying: (0..<sizes.window).map { n in
                Float(rt_sqrt(0.5 - 0.5 * rt_cos(2 * .pi * Double(n) / Double(sizes.window))))
            }, filler: 0)
        padded = SampleBuffer(count: sizes.length + 2 * sizes.hop)
        weights = SampleBuffer(count: 2 * Self.reach)
        columns = SampleBuffer(count: sizes.bins)
    }

    /// Writes the spectra of all frames of an echo, one after the other.
    @_noLocks mutating func analyze(_ echo: UnsafePointer<Float>, into cells: UnsafeMutablePointer<SIMD2<Float>>) {
        for n in 0..<sizes.length { padded.unsafeElements[sizes.hop + n] = echo[n] }
        for n in 0..<sizes.hop {
            padded.unsafeElements[n] = 0
            padded.unsafeElements[sizes.hop + sizes.length + n] = 0
        }
        for frame in 0..<sizes.frames {
            let (input, start) = (fft.samples, frame * sizes.hop)
            for n in 0..<sizes.window { input[n] = padded.unsafeElements[start + n] * window.unsafeElements[n] }
            fft.forward()
            let (spectrum, row) = (fft.spectrum, cells + frame * sizes.bins)
            for k in 0..<sizes.bins { row[k] = spectrum[k] }
        }
    }

    /// Adds the sound of cells, each multiplied by its gain, to an echo.
    @_noLocks mutating func add(
        _ cells: UnsafePointer<SIMD2<Float>>, times gains: UnsafePointer<Float>,
        to echo: UnsafeMutablePointer<Float>
    ) {
        let scale = 1 / Float(sizes.window)
        for frame in 0..<sizes.frames {
            let (spectrum, first) = (fft.spectrum, frame * sizes.bins)
            for k in 0..<sizes.bins { spectrum[k] = cells[first + k] * gains[first + k] }
            fft.inverse()
            let (output, start) = (fft.samples, (frame - 1) * sizes.hop)
            let (from, to) = (max(0, -start), min(sizes.window, sizes.length - start))
            for n in from..<to { echo[start + n] += output[n] * window.unsafeElements[n] * scale }
        }
    }

    /// Writes an echo `delay` samples later; what would come from outside of it is silence.
    @_noLocks mutating func shift(
        _ echo: UnsafePointer<Float>, by delay: Double, into result: UnsafeMutablePointer<Float>
    ) {
        let (length, reach) = (sizes.length, Self.reach)
        let whole = max(-Double(length), min(Double(length), rt_floor(delay)))
        let fraction = delay - whole
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
        guard let taps = UnsafePointer(weights.unsafeElements.baseAddress) else { return }
        let first = -Int(whole) - reach
        for n in 0..<length {
            let start = n + first
            if start >= 0 && start + 2 * reach <= length {
                result[n] = dotProduct(echo + start, taps, 2 * reach)
                continue
            }
            var value: Float = 0
            for j in 0..<(2 * reach) where start + j >= 0 && start + j < length { value += echo[start + j] * taps[j] }
            result[n] = value
        }
    }

    /// Replaces each cell by the mean of itself and its eight neighbours; outside there is nothing.
    @_noLocks mutating func smooth(_ cells: UnsafeMutablePointer<Float>, by work: UnsafeMutablePointer<Float>) {
        let (frames, bins) = (sizes.frames, sizes.bins)
        for frame in 0..<frames {
            let (from, to) = (cells + frame * bins, work + frame * bins)
            to[0] = from[0] + from[1]
            for k in 1..<(bins - 1) { to[k] = from[k - 1] + from[k] + from[k + 1] }
            to[bins - 1] = from[bins - 2] + from[bins - 1]
        }
        let ninth: Float = 1 / 9
        for frame in 0..<frames {
            let (to, own) = (cells + frame * bins, work + frame * bins)
            for k in 0..<bins { to[k] = own[k] * ninth }
            if frame > 0 { for k in 0..<bins { to[k] += own[k - bins] * ninth } }
            if frame + 1 < frames { for k in 0..<bins { to[k] += own[k + bins] * ninth } }
        }
    }
}
