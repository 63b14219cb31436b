internal import CRealtime
internal import Realtime
internal import Spectral

/// Hears a soft note under louder ones that ring, by partials that were not there before.
///
/// Such a note raises neither the level nor what a predictor of 6 ms cannot foresee. But a spectrum of 128 ms separates its partials
/// from those that ring: each of them rises by 10 dB and more, where what rings can only fall, or beat by less within 64 ms.
/// The evidence is the sum of the rises of all bands, in decibels, beyond what beats have. What rises where a louder partial has left
/// its place is that one, moved (`PartialPlaces`), and strings that are damped splash: what is new must be more than that.
/// - SeeAlso: Böck & Widmer, "Maximum Filter Vibrato Suppression for Onset Detection", DAFx 2013, for the reference.
internal struct EmergingPartials: ~Copyable, Sendable {
    /// A note that was found.
    internal struct Note: BitwiseCopyable {
        /// How many input samples ago it began.
        var age: Double
        /// Seconds of standard error of that.
        var standardError: Double
        /// Mean rise over the bands, in nepers of power.
        var strength: Float
    }

    /// Hops of the detector between two spectra: 16 ms.
    static var hops: Int { @_noLocks get { 8 } }
    /// Samples of the low band in a spectrum: 128 ms.
    static var window: Int { @_noLocks get { 1_024 } }
    /// Spectra after which there is something to compare with: before, the references begin with silence.
    private static var deaf: Int { @_noLocks get { PartialPlaces.farthest + window / (hops * OnsetSizes.hopLow) } }
    /// The lowest and the highest frequency in hertz.
    private static let (lowest, highest) = (45.0, 3_500.0)
    /// 60 dB below the loudest of the last second.
    private static var least: Float { @_noLocks get { 1e-6 } }
    /// Decibels of a rise that do not count, as strings beat, and the most that count of one band: three partials are a note.
    private static var beats: Float { @_noLocks get { 6 } }
    private static var most: Float { @_noLocks get { 18 } }
    /// The ratio of a rise that counts.
    private static var beatRatio: Float { @_noLocks get { 3.981_072 } }
    /// Decibels in a neper of power.
    private static var decibels: Float { @_noLocks get { 4.342_944_8 } }

    private let constants: OnsetConstants
    /// Samples of the low band in a second.
    private let rate: Double
    private let count: Int
    private var spectrum: BandSpectrum
    /// By how many decibels each band has risen.
    private let rises: SampleBuffer<Float>
    private var places: PartialPlaces
    private var noise: MinimumStatistics
    private var clicks: ClicksInSpectrum
    private var loudest: Float = 0
    private let forgetting: Float
    private var spectra = 0, hopCount = 0
    /// The evidence of the last two spectra.
    private var earlier: Float = 0, last: Float = 0
    /// Whether what is new in the newest spectrum is more than a splash, and in the last one.
    private var isNew = false, wasNew = false
    private var beginning = EmergingBeginning()

    init(sizes: OnsetSizes, constants: OnsetConstants) throws(OnsetError) {
        self.constants = constants
        rate = sizes.sampleRate / Double(sizes.decimation)
        spectrum = try BandSpectrum(window: Self.window, rate: rate, lowest: Self.lowest, highest: Self.highest)
        count = spectrum.count
        rises = SampleBuffer(count: count)
        places = PartialPlaces(count: count)
        noise = MinimumStatistics(count: count, blockLength: max(8, sizes.hops(0.25) / Self.hops), least: 1e-9)
        clicks = ClicksInSpectrum(edges: spectrum.edges)
        forgetting = Float(rt_exp(-Double(Self.hops) * sizes.hopSeconds))
    }

    @_noLocks mutating func reset() {
        noise.reset()
        clicks.reset()
        places.reset()
        (loudest, spectra, hopCount, earlier, last) = (0, 0, 0, 0, 0)
        (isNew, wasNew) = (false, false)
    }

    /// Takes in a hop. Returns a note, once its evidence has been largest.
    ///
    /// - Parameters:
    ///   - streams: the hop included.
    ///   - floor: what a click canceller may have left over.
    @_noLocks mutating func advance(
        _ streams: borrowing OnsetStreams, floor: borrowing ClickFloor, decimation: Int
    ) -> Note? {
        clicks.add(floor)
        hopCount += 1
        guard hopCount % Self.hops == 0 else { return nil }
        clicks.endSpectrum()
        spectrum.measure(streams.low.latest(Self.window))
        noise.add(spectrum.power.unsafeElements)
        let evidence = compare()
        defer { (earlier, last, wasNew) = (last, evidence, isNew) }
        guard wasNew, last >= constants.emerged, last >= earlier, last > evidence else { return nil }
        beginning.start(streams.low.latest(EmergingBeginning.reach))
        choosePartials()
        guard let begun = beginning.find() else { return nil }
        return Note(
            age: (begun.age + Double(OnsetStreams.lag)) * Double(decimation), standardError: begun.standardError / rate,
            strength: last / Self.decibels / Float(count))
    }

    /// The evidence of the newest spectrum.
    @_noLocks private mutating func compare() -> Float {
        places.add(spectrum.power)
        var total: Float = 0
        for band in 0..<count { total += spectrum.power.unsafeElements[band] }
        loudest = max(loudest * forgetting, total)
        var (evidence, new): (Float, Float) = (0, 0)
        for band in 0..<count {
            let quiet =
                constants.noiseMargin * noise.level.unsafeElements[band] + Self.least * loudest
                + constants.clickMargin * clicks.power.unsafeElements[band]
            let reference = places.reference.unsafeElements[band]
            let ratio =
                (spectrum.power.unsafeElements[band] + quiet) / (reference + places.left.unsafeElements[band] + quiet)
            rises.unsafeElements[band] = 0
            guard ratio > Self.beatRatio else { continue }
            let rise = Self.decibels * Float(rt_log(Double(ratio)))
            rises.unsafeElements[band] = rise
            evidence += min(Self.most, rise - Self.beats)
            new += spectrum.power.unsafeElements[band] - reference
        }
        isNew = new > constants.splash * places.lost * total && places.moved < constants.ringing
        spectra += 1
        return spectra > Self.deaf ? evidence : 0
    }

    /// Follows partials that are clearly new, and the louder the sooner.
    @_noLocks private mutating func choosePartials() {
        for _ in 0..<EmergingBeginning.candidates {
            var (best, merit): (Int, Float) = (-1, -.infinity)
            for band in 0..<count where rises.unsafeElements[band] > Self.beats + 2 {
                let loudness = Self.decibels * Float(rt_log(Double(spectrum.power.unsafeElements[band])))
                let value = min(Self.most, rises.unsafeElements[band]) + 0.3 * loudness
                if value > merit { (best, merit) = (band, value) }
            }
            guard best >= 0 else { return }
            // Bands within the window's main lobe hold the same partial.
            let bins = spectrum.firstBins.unsafeElements
            let (first, end) = (bins[best] - Self.lobe, bins[best + 1] + Self.lobe)
            for band in 0..<count where bins[band + 1] > first && bins[band] < end {
                rises.unsafeElements[band] = 0
            }
            beginning.add(partialAt: spectrum.peak(of: best))
        }
    }

    /// Bins between two partials that are followed: 30 Hz.
    private static var lobe: Int { @_noLocks get { 3 } }
}
