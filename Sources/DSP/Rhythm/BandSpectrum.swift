internal import CRealtime
internal import Realtime
internal import Spectral

/// The power of a sound in narrow bands: 24 in an octave, each a bin wide at least.
internal struct BandSpectrum: ~Copyable, Sendable {
    private static let bandsPerOctave = 24.0

    /// The first bin of each band, and the end of the last one.
    let firstBins: SampleBuffer<Int>
    /// The power in each band of what was measured last.
    let power: SampleBuffer<Float>
    private var fft: RealFFT
    private let taper: SampleBuffer<Float>

    /// - Parameters:
    ///   - window: samples that a spectrum is taken from.
    ///   - rate: samples in a second.
    ///   - lowest: in hertz, as `highest`.
    init(window: Int, rate: Double, lowest: Double, highest: Double) throws(OnsetError) {
        fft = try transform(size: window)
        taper = SampleBuffer(
            copying: (0..<window).map { Float(0.5 - 0.5 * rt_cos(2 * .pi * Double($0) / Double(window))) })
        let spacing = rate / Double(window)
        var edges = [Int(rt_ceil(lowest / spacing))]
        let end = min(window / 2, Int(highest / spacing))
        while let edge = edges.last, edge < end {
            edges.append(max(edge + 1, Int(rt_round(Double(edge) * rt_pow(2, 1 / Self.bandsPerOctave)))))
        }
        firstBins = SampleBuffer(copying: edges)
        power = SampleBuffer(count: edges.count - 1)
    }

    /// The bands.
    var count: Int { @_noLocks get { power.count } }
    /// The first bins as an array.
    var edges: [Int] { Array(firstBins.unsafeElements) }

    /// Measures the newest samples of a window.
    ///
    /// - Parameter scale: of the power.
    @_noLocks mutating func measure(_ samples: UnsafeMutableBufferPointer<Float>, scale: Float = 1) {
        let input = fft.samples
        for n in 0..<input.count { input[n] = samples[n] * taper.unsafeElements[n] }
        fft.forward()
        let spectrum = fft.spectrum
        for band in 0..<power.count {
            var sum: Float = 0
            for k in firstBins.unsafeElements[band]..<firstBins.unsafeElements[band + 1] {
                sum += spectrum[k].x * spectrum[k].x + spectrum[k].y * spectrum[k].y
            }
            power.unsafeElements[band] = sum * scale
        }
    }

    /// The frequency of a band's largest bin in radians a sample, between bins by a parabola through the logarithms.
    @_noLocks func peak(of band: Int) -> Double {
        let spectrum = fft.spectrum
        var (place, most): (Int, Float) = (firstBins.unsafeElements[band], 0)
        for k in firstBins.unsafeElements[band]..<firstBins.unsafeElements[band + 1] {
            let power = spectrum[k].x * spectrum[k].x + spectrum[k].y * spectrum[k].y
            if power > most { (place, most) = (k, power) }
        }
        @_noLocks func level(_ k: Int) -> Float {
            Float(rt_log(Double(spectrum[k].x * spectrum[k].x + spectrum[k].y * spectrum[k].y) + 1e-30))
        }
        let top = parabolicPeak(level(place - 1), level(place), level(place + 1)).offset
        // At the edge of a band the largest bin need not be a peak.
        let offset = max(-0.5, min(0.5, top))
        return 2 * .pi * (Double(place) + offset) / Double(taper.count)
    }
}
