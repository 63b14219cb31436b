internal import CRealtime
internal import Realtime
internal import Spectral

/// How much of the sound lies at frequencies where there was none: a bowed or blown note, or one under another that rings,
/// moves its partials even where it does not raise the level.
///
/// The amplitudes of narrow bands are compared with the largest of 48 to 72 ms ago in each band and its neighbours, times by
/// how much the whole has grown: neither vibrato, which moves a partial by less than a band, nor a swell counts.
/// - SeeAlso: Böck & Widmer, "Maximum Filter Vibrato Suppression for Onset Detection", DAFx 2013, for the reference.
internal struct PartialChange: ~Copyable, Sendable {
    /// Hops of the detector between two spectra: 8 ms.
    static var hops: Int { @_noLocks get { 4 } }
    /// Spectra that the reference is the largest of: the window of 43 ms of the nearest ends where the newest begins.
    private static var nearest: Int { @_noLocks get { 6 } }
    private static var farthest: Int { @_noLocks get { 9 } }
    /// The lowest and the highest frequency: below and above, partials are few or noisy.
    private static let (lowest, highest) = (45.0, 8_000.0)
    /// A band that has grown by 3 dB more than the whole is new.
    private static var growth: Float { @_noLocks get { 1.41 } }

    /// What is kept per hop of what a click may have left: a tenth after the 21 hops of the window.
    private static var remembered: Float { @_noLocks get { 0.9 } }

    /// The share of the amplitude that is new, 0 to 1.
    private(set) var share: Float = 0
    /// How many samples a spectrum is taken from: four windows of the detector.
    let window: Int

    private let count: Int
    private var spectrum: BandSpectrum
    /// The band of the detector that a narrow one lies in, and what its power is divided by to get that of the narrow band.
    private let wideBand: SampleBuffer<Int>
    private let wideShare: SampleBuffer<Float>
    /// The amplitudes of the last spectra, and those of the largest of a band and its neighbours.
    private let widened: SampleBuffer<Float>, sums: SampleBuffer<Float>
    private var noise: MinimumStatistics
    /// What clicks may have left within the window, in the detector's bands.
    private let clicks: SampleBuffer<Float>
    private let scale: Float
    private var frames = 0

    init(sizes: OnsetSizes) throws(OnsetError) {
        let window = 4 * sizes.window
        self.window = window
        spectrum = try BandSpectrum(
            window: window, rate: sizes.sampleRate, lowest: Self.lowest,
            highest: min(Self.highest, 0.45 * sizes.sampleRate))
        let edges = spectrum.edges
        count = spectrum.count
        let layout = OnsetBandLayout(sizes: sizes)
        let wide = edges.dropLast().map { layout.band(of: $0 / 4) ?? 0 }
        wideBand = SampleBuffer(copying: wide)
        wideShare = SampleBuffer(
            copying: zip(wide, zip(edges, edges.dropFirst())).map { band, edges in
                let bins = layout.firstBins[band + 1] - layout.firstBins[band]
                return Float(edges.1 - edges.0) / Float(4 * max(1, bins))
            })
        widened = SampleBuffer(count: count * (Self.farthest + 1))
        sums = SampleBuffer(count: Self.farthest + 1)
        noise = MinimumStatistics(
            count: count, blockLength: max(16, sizes.hops(0.25) / Self.hops), least: 1e-10)
        clicks = SampleBuffer(count: layout.count)
        let ratio = 512 / Float(window)
        scale = ratio * ratio
    }

    @_noLocks mutating func reset() {
        noise.reset()
        for n in 0..<widened.count { widened.unsafeElements[n] = 0 }
        for n in 0..<sums.count { sums.unsafeElements[n] = 0 }
        for n in 0..<clicks.count { clicks.unsafeElements[n] = 0 }
        (share, frames) = (0, 0)
    }

    /// Remembers what a canceller may have left in a hop of the detector.
    @_noLocks mutating func add(_ floor: borrowing ClickFloor) {
        for n in 0..<clicks.count {
            clicks.unsafeElements[n] = max(Self.remembered * clicks.unsafeElements[n], floor.bands.unsafeElements[n])
        }
    }

    /// Looks at the newest `window` samples.
    @_noLocks mutating func advance(
        _ samples: UnsafeMutableBufferPointer<Float>, loudest: Float, _ constants: OnsetConstants
    ) {
        spectrum.measure(samples, scale: scale)
        noise.add(spectrum.power.unsafeElements)
        let (length, row) = (Self.farthest + 1, frames % (Self.farthest + 1))
        // The amplitudes over the floor, in place of the powers.
        var (sum, silence): (Float, Float) = (0, 0)
        for band in 0..<count {
            let wide = wideBand.unsafeElements[band]
            let floor =
                constants.noiseMargin * noise.level.unsafeElements[band]
                + constants.clickMargin * clicks.unsafeElements[wide] * wideShare.unsafeElements[band]
                + constants.least * loudest / Float(count)
            silence += Float(rt_sqrt(Double(floor)))
            let rest = max(0, spectrum.power.unsafeElements[band] - floor)
            spectrum.power.unsafeElements[band] = Float(rt_sqrt(Double(rest)))
            sum += spectrum.power.unsafeElements[band]
        }
        var before: Float = 0
        for age in Self.nearest...Self.farthest where age <= frames {
            before = max(before, sums.unsafeElements[(frames - age) % length])
        }
        let grown = Self.growth * max(1, sum / max(1e-9, before))
        var new: Float = 0
        for band in 0..<count {
            var reference: Float = 0
            for age in Self.nearest...Self.farthest where age <= frames {
                reference = max(reference, widened.unsafeElements[(frames - age) % length * count + band])
            }
            new += max(0, spectrum.power.unsafeElements[band] - grown * reference)
        }
        share = before > 0 && frames > Self.farthest ? new / (sum + silence) : 0
        for band in 0..<count {
            let lower = spectrum.power.unsafeElements[max(0, band - 1)]
            let upper = spectrum.power.unsafeElements[min(count - 1, band + 1)]
            widened.unsafeElements[row * count + band] = max(spectrum.power.unsafeElements[band], max(lower, upper))
        }
        sums.unsafeElements[row] = sum
        frames += 1
    }
}
