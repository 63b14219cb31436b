internal import CRealtime
internal import Realtime
internal import Spectral

/// How much of the newest sound is new: the evidence for an onset at each hop.
///
/// Two measures are added. One is the mean logarithmic rise over bands of frequency; the reference is the largest power of
/// 10 to 20 ms ago in the band and its neighbours, so that vibrato is no rise. The other is the logarithmic rise of what a
/// linear predictor cannot foresee, which hears a soft note under one that rings. Both count only what stands out from the
/// noise and from 37 dB below the loudest of the last second.
/// - SeeAlso: Böck & Widmer, "Maximum Filter Vibrato Suppression for Onset Detection", DAFx 2013, for the reference.
internal struct OnsetScore: ~Copyable, Sendable {
    /// Samples of the low band that the predictor is judged by: the newest 4 ms, and the 30 ms before.
    private static var judged: Int { @_noLocks get { 32 } }
    private static var compared: Int { @_noLocks get { 240 } }
    /// Frames that the reference is the largest of: 10 to 20 ms ago. A frame is 10.7 ms long.
    private static var nearest: Int { @_noLocks get { 5 } }
    private static var farthest: Int { @_noLocks get { 10 } }
    /// 25 dB: more than the loudest of a player's notes lies over the faintest that begins as it ends.
    private static var cutOff: Float { @_noLocks get { 0.003 } }
    /// 20 dB below the loudest.
    private static var masked: Float { @_noLocks get { 0.01 } }
    /// Mean rise over the bands, in nepers of power.
    private(set) var rise: Float = 0
    /// The same among what lies less than 20 dB below the loudest of the last second: it tells a beat from softer notes between.
    private(set) var accent: Float = 0
    /// Rise of the predictor's residual, in nepers of power.
    private(set) var surprise: Float = 0
    /// Whether the newest hop is all but silent beside what sounded 10 to 20 ms ago: a tone that is cut off makes a noise, which
    /// is no note.
    private(set) var isCutOff = false
    /// What the predictor's residual may hold of clicks, with a margin.
    private(set) var lowFloor: Float = 0

    private let constants: OnsetConstants
    private var bands: OnsetBands
    private var predictor = LinearPredictor()
    private var bandNoise: MinimumStatistics, residualNoise: MinimumStatistics
    /// The bands of the last frames, each the largest of itself and its neighbours.
    private let widened: SampleBuffer<Float>
    private let newResidual = SampleBuffer<Float>(count: 1)
    /// The power of the low band in the last hops.
    private let hopPowers = SampleBuffer<Float>(count: farthest + 1)
    private let recentTotals = SampleBuffer<Float>(count: 4)
    private let tables = FrequencyTable(count: ClickFloor.lowCount)
    /// What the pre-emphasis does to the power at each frequency of the table.
    private let emphasis: SampleBuffer<Double>
    private let forgetting: Float
    /// The power of the loudest of the last second.
    private(set) var loudest: Float = 0
    private var loudestLow: Float = 0
    private var frames = 0

    init(sizes: OnsetSizes, constants: OnsetConstants) throws(OnsetError) {
        bands = try OnsetBands(sizes: sizes)
        self.constants = constants
        let block = sizes.hops(0.25)
        bandNoise = MinimumStatistics(count: bands.count, blockLength: block, least: 1e-10)
        residualNoise = MinimumStatistics(count: 1, blockLength: block, least: 1e-10)
        widened = SampleBuffer(count: bands.count * (Self.farthest + 1))
        emphasis = SampleBuffer(
            copying: (0..<ClickFloor.lowCount).map { n in
                OnsetStreams.emphasis(at: .pi * Double(n) / Double(ClickFloor.lowCount - 1))
            })
        forgetting = Float(rt_exp(-sizes.hopSeconds))
    }

    /// How many samples of the low band are looked back on.
    static var reach: Int {
        @_noLocks get { LinearPredictor.training + judged }
    }

    /// Looks at the newest hop.
    ///
    /// - Parameters:
    ///   - window: the newest samples, as many as a spectrum takes.
    ///   - streams: the low band, its newest hop included.
    ///   - floor: what a click canceller may have left over.
    @_noLocks mutating func advance(
        _ window: UnsafeMutableBufferPointer<Float>, _ streams: borrowing OnsetStreams, floor: borrowing ClickFloor
    ) {
        bands.measure(window)
        bandNoise.add(bands.powers.unsafeElements)
        measureRise(floor)
        measureSurprise(streams, floor)
        frames += 1
    }

    @_noLocks mutating func reset() {
        bandNoise.reset()
        residualNoise.reset()
        for n in 0..<widened.count { widened.unsafeElements[n] = 0 }
        for n in 0..<hopPowers.count { hopPowers.unsafeElements[n] = 0 }
        for n in 0..<recentTotals.count { recentTotals.unsafeElements[n] = 0 }
        (rise, accent, surprise, loudest, loudestLow, frames) = (0, 0, 0, 0, 0, 0)
        (lowFloor, isCutOff) = (0, false)
    }

    @_noLocks private mutating func measureRise(_ click: borrowing ClickFloor) {
        let (count, length) = (bands.count, Self.farthest + 1)
        let (power, noise) = (bands.powers.unsafeElements, bandNoise.level.unsafeElements)
        recentTotals.unsafeElements[frames % recentTotals.count] = bands.total
        var mean: Float = 0
        for n in 0..<recentTotals.count { mean += recentTotals.unsafeElements[n] / Float(recentTotals.count) }
        loudest = max(mean, loudest * forgetting)
        var (sum, loudSum): (Float, Float) = (0, 0)
        for band in 0..<count {
            var before: Float = 0
            for age in Self.nearest...Self.farthest where age <= frames {
                before = max(before, widened.unsafeElements[(frames - age) % length * count + band])
            }
            let floor =
                constants.noiseMargin * noise[band] + constants.clickMargin * click.bands.unsafeElements[band]
                + constants.least * loudest * bands.widths.unsafeElements[band]
            let ratio = (power[band] + floor) / (before + floor)
            guard ratio > 1 else { continue }
            sum += Float(rt_log(Double(ratio)))
            let masked = floor + Self.masked * loudest * bands.widths.unsafeElements[band]
            loudSum += Float(rt_log(Double((power[band] + masked) / (before + masked))))
        }
        rise = sum / Float(max(1, count))
        accent = loudSum / Float(max(1, count))
        let row = frames % length * count
        for band in 0..<count {
            let lower = power[max(0, band - 1)]
            let upper = power[min(count - 1, band + 1)]
            widened.unsafeElements[row + band] = max(power[band], max(lower, upper))
        }
    }

    @_noLocks private mutating func measureSurprise(_ streams: borrowing OnsetStreams, _ click: borrowing ClickFloor) {
        loudestLow = max(Float(streams.lowPower), loudestLow * forgetting)
        let length = Self.farthest + 1
        hopPowers.unsafeElements[frames % length] = Float(streams.lowPower)
        var past: Float = 0
        for age in Self.nearest...Self.farthest where age <= frames {
            past = max(past, hopPowers.unsafeElements[(frames - age) % length])
        }
        isCutOff = Float(streams.lowPower) < Self.cutOff * past
        let samples = streams.low.latest(Self.reach)
        guard let oldest = UnsafePointer(samples.baseAddress) else { return }
        predictor.train(oldest)
        let judged = oldest + LinearPredictor.training
        let now = predictor.residualPower(judged, Self.judged)
        let before = predictor.residualPower(judged - Self.compared, Self.compared)
        newResidual.unsafeElements[0] = Float(now)
        residualNoise.add(newResidual.unsafeElements)
        lowFloor = click.isZero ? 0 : constants.clickMargin * residualPower(of: click)
        let floor = Double(residualNoise.level.unsafeElements[0] + constants.least * loudestLow + lowFloor)
        surprise = max(0, Float(rt_log((now + floor) / (before + floor))))
    }

    /// The power of what is left of clicks after the predictor.
    @_noLocks private func residualPower(of click: borrowing ClickFloor) -> Float {
        var sum = 0.0
        for n in 0..<ClickFloor.lowCount {
            let gain = predictor.gain(at: n, of: tables) * emphasis.unsafeElements[n]
            sum += gain * Double(click.low.unsafeElements[n])
        }
        return Float(sum)
    }
}
