internal import CRealtime
internal import Realtime
internal import Spectral

/// The bands of frequency that onsets are looked for in.
internal struct OnsetBandLayout: Sendable {
    /// In hertz: as narrow as the window resolves up to 700 Hz, then in proportion to frequency.
    private static let edges: [Double] = [
        60, 190, 290, 390, 490, 590, 690, 880, 1_080, 1_280, 1_480, 1_780, 2_080, 2_480, 2_980, 3_580, 4_280, 5_080,
        6_080, 7_280, 8_680, 10_400, 12_500, 16_000,
    ]

    /// The first bin of each band, and the end of the last.
    let firstBins: [Int]
    /// Each band's width in hertz.
    let widths: [Double]

    init(sizes: OnsetSizes) {
        let spacing = sizes.sampleRate / Double(sizes.window)
        let bins = Self.edges.map { min(sizes.window / 2 + 1, Int(rt_ceil($0 / spacing))) }
        // A band without a bin has nothing to say.
        let places = bins.indices.dropLast().filter { bins[$0] < bins[$0 + 1] }
        firstBins = places.map { bins[$0] } + [bins[(places.last ?? 0) + 1]]
        widths = places.map { Self.edges[$0 + 1] - Self.edges[$0] }
    }

    var count: Int { widths.count }

    /// The band that a bin lies in.
    func band(of bin: Int) -> Int? { (0..<count).first { firstBins[$0] <= bin && bin < firstBins[$0 + 1] } }
}

/// The power in bands of frequency over the newest 10.7 ms, every hop.
internal struct OnsetBands: ~Copyable, Sendable {
    /// The number of bands below half the sample rate.
    let count: Int
    /// Power of full scale: |X|² of a transform of 512 samples.
    let powers: SampleBuffer<Float>
    /// Each band's share of all frequencies together.
    let widths: SampleBuffer<Float>
    /// The sum of all bands.
    private(set) var total: Float = 0

    private let firstBins: SampleBuffer<Int>
    private let window: SampleBuffer<Float>
    private var fft: RealFFT
    private let scale: Float

    init(sizes: OnsetSizes) throws(OnsetError) {
        let size = sizes.window
        fft = try transform(size: size)
        window = SampleBuffer(
            copying: (0..<size).map { Float(0.5 - 0.5 * rt_cos(2 * .pi * Double($0) / Double(size))) })
        let layout = OnsetBandLayout(sizes: sizes)
        count = layout.count
        firstBins = SampleBuffer(copying: layout.firstBins)
        powers = SampleBuffer(count: layout.count)
        let sum = layout.widths.reduce(0, +)
        widths = SampleBuffer(copying: layout.widths.map { Float($0 / sum) })
        let ratio = 512 / Float(size)
        scale = ratio * ratio
    }

    /// Measures the newest `window` samples of the sizes.
    @_noLocks mutating func measure(_ samples: UnsafeMutableBufferPointer<Float>) {
        let input = fft.samples
        for n in 0..<input.count { input[n] = samples[n] * window.unsafeElements[n] }
        fft.forward()
        let spectrum = fft.spectrum
        total = 0
        for band in 0..<count {
            var sum: Float = 0
            for k in firstBins.unsafeElements[band]..<firstBins.unsafeElements[band + 1] {
                let bin = spectrum[k]
                sum += bin.x * bin.x + bin.y * bin.y
            }
            powers.unsafeElements[band] = sum * scale
            total += sum * scale
        }
    }
}
