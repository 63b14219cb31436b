internal import CRealtime
internal import Realtime
internal import Spectral

/// Hears a soft note under one that rings, by what was not foretold below 900 Hz.
///
/// Every 4 ms the last 16 ms are compared with what the 116 ms before them let expect. A string that rings goes on as
/// foretold, louder or softer, and so does one that is damped; a note that begins does not. Its partials need not be louder than
/// what rings, and a click has next to nothing so low.
internal struct LowForecast: ~Copyable, Sendable {
    /// A note that was found.
    internal struct Note: BitwiseCopyable {
        /// Input samples before the newest one: of the note, and of the end of the look that hears it best.
        var age: Double, heardAge: Double
        /// How much more is not foretold than before, in nepers of power.
        var strength: Float
    }

    /// Of the time of a note, in seconds: 19 bass notes of 20 lie within 9 ms on TimGM6mb, within 19 ms on FluidR3.
    static var standardError: Double { @_noLocks get { 0.005 } }
    /// The share of the detector's bands that lie below 900 Hz: the strength of a note is told over all.
    static var share: Float { @_noLocks get { 0.3 } }

    /// Hops of the detector between two looks: 4 ms, the samples of 16 ms, and the looks that those make.
    static var hops: Int { @_noLocks get { 2 } }
    static var window: Int { @_noLocks get { 32 } }
    static var looks: Int { @_noLocks get { 4 } }
    /// Samples of the band of 8 kHz for one of this.
    static var decimation: Int { @_noLocks get { 4 } }
    /// Of the filter before: what is above 1,050 Hz does not come back as something low.
    private static var filterReach: Int { @_noLocks get { 8 } }
    private static var cut: Double { @_noLocks get { 0.85 } }
    /// Looks that a note is compared with: 20 to 60 ms before it.
    private static var nearest: Int { @_noLocks get { 5 } }
    private static var farthest: Int { @_noLocks get { 15 } }
    /// A note is the largest rise of 48 ms before it and 16 ms after it.
    private static var before: Int { @_noLocks get { 12 } }
    /// Nothing is told before so many looks: the first references are silence.
    private static var deaf: Int { @_noLocks get { 20 } }

    private let taps: SampleBuffer<Float>
    private let constants: OnsetConstants
    let filterDelay: Int
    var samples: SampleHistory
    var predictor = LeastSquaresPredictor()
    private let foretold: SampleBuffer<Double>
    private let error: SampleBuffer<Double>
    let residuals: SampleBuffer<Float>
    private let unexplained = SampleBuffer<Float>(count: 1)
    /// Of each look: the power that was not foretold, all power, and the rise of the former.
    private var errors = SampleHistory(length: farthest + 1), powers = SampleHistory(length: 16)
    private var rises = SampleHistory(length: 17)
    /// What clicks may have left over in the last looks.
    private var clicks = SampleHistory(length: 12)
    private var noise: MinimumStatistics
    private var loudest: Float = 0
    private let forgetting: Float
    private var hopCount = 0, lookCount = 0
    /// The rise of a note that may be a string that is damped, and the looks until that is known.
    private var doubted: Float = 0, doubt = 0

    init(sizes: OnsetSizes, constants: OnsetConstants) {
        self.constants = constants
        let size = OnsetSizes.hopLow / Self.decimation
        taps = SampleBuffer(copying: lowPass(factor: Self.decimation, reach: Self.filterReach, cut: Self.cut))
        filterDelay = (OnsetStreams.lag + Self.filterReach * Self.decimation) * sizes.decimation
        samples = SampleHistory(length: Self.searched + Self.later + LeastSquaresPredictor.reach + size)
        foretold = SampleBuffer(count: Self.window)
        error = SampleBuffer(count: Self.window)
        residuals = SampleBuffer(count: Self.searched)
        noise = MinimumStatistics(count: 1, blockLength: max(16, sizes.hops(0.25) / Self.hops), least: 1e-12)
        forgetting = Float(rt_exp(-Double(Self.hops) * sizes.hopSeconds))
    }

    @_noLocks mutating func reset() {
        samples.clear()
        errors.clear()
        powers.clear()
        rises.clear()
        clicks.clear()
        noise.reset()
        (loudest, hopCount, lookCount, doubt) = (0, 0, 0, 0)
    }

    /// Takes in a hop. Returns the note that begins in it, as far as it is known by now.
    ///
    /// - Parameters:
    ///   - streams: the hop included.
    ///   - floor: what a click canceller may have left over.
    @_noLocks mutating func advance(
        _ streams: borrowing OnsetStreams, floor: borrowing ClickFloor, decimation: Int
    ) -> Note? {
        let count = OnsetSizes.hopLow / Self.decimation
        let room = samples.extend(by: count)
        let input = streams.plain.latest(OnsetStreams.plainLength)
        guard let base = input.baseAddress, let taps = UnsafePointer(taps.unsafeElements.baseAddress) else {
            return nil
        }
        let reach = 2 * Self.filterReach * Self.decimation
        let start = UnsafePointer(base + OnsetStreams.plainLength - reach - OnsetSizes.hopLow)
        for n in 0..<count { room[n] = dotProduct(start + (n + 1) * Self.decimation - 1, taps, reach + 1) }
        hopCount += 1
        guard hopCount % Self.hops == 0 else { return nil }
        look(floor)
        guard lookCount > Self.deaf else { return nil }
        var (strength, later) = (found(), 0)
        if strength > 0, isFalling { (doubted, doubt, strength) = (strength, Self.looks + 1, 0) }
        if doubt > 0 {
            doubt -= 1
            if doubt == 0, goesOn { (strength, later) = (doubted, Self.looks * Self.hops * count) }
        }
        guard strength > 0 else { return nil }
        let place =
            changePoint(from: Self.oldest + later, to: Self.later + later) ?? Self.oldest - Self.later + later
        return Note(
            age: inputSamples(place, decimation), heardAge: inputSamples(Self.window + later, decimation),
            strength: strength)
    }

    /// Input samples from a sample of this band to the newest.
    @_noLocks func inputSamples(_ age: Int, _ decimation: Int) -> Double {
        Double(age * Self.decimation * decimation + filterDelay)
    }

    /// Whether the power falls by more than 6 dB while the new sound comes: a string that is damped looks like a soft note then, but
    /// 16 ms later it has lost another 3 dB.
    private var isFalling: Bool {
        @_noLocks get {
            let powers = powers.latest(13)
            return powers[12] < 0.25 * powers[0]
        }
    }
    private var goesOn: Bool {
        @_noLocks get {
            let powers = powers.latest(Self.looks + 1)
            return powers[Self.looks] > 0.5 * powers[0]
        }
    }

    /// Compares the newest 16 ms with what was foretold of them.
    @_noLocks private mutating func look(_ floor: borrowing ClickFloor) {
        let reach = LeastSquaresPredictor.reach
        guard let x = samples.latest(reach + Self.window).baseAddress, let p = foretold.unsafeElements.baseAddress
        else { return }
        predictor.train(UnsafePointer(x))
        let start = UnsafePointer(x + reach)
        predictor.foretell(after: start, Self.window, into: p)
        var power: Float = 0
        for n in 0..<Self.window {
            power += start[n] * start[n]
            error.unsafeElements[n] = Double(start[n]) - p[n]
        }
        power /= Float(Self.window)
        let rest = withoutTheForetold()
        unexplained.unsafeElements[0] = rest
        noise.add(unexplained.unsafeElements)
        loudest = max(loudest * forgetting, power)
        var left: Float = 0
        if !floor.isZero { for n in 0..<Self.lowest { left += floor.low.unsafeElements[n] } }
        clicks.extend(by: 1)[0] = left
        let recent = clicks.latest(12)
        for n in 0..<12 { left = max(left, recent[n]) }
        let quiet =
            constants.noiseMargin * noise.level.unsafeElements[0] + constants.leastForecast * loudest
            + constants.clickMargin * left + Self.silence
        errors.extend(by: 1)[0] = rest
        powers.extend(by: 1)[0] = power
        let past = errors.latest(Self.farthest + 1)
        var reference: Float = 0
        for age in Self.nearest...Self.farthest { reference += past[Self.farthest - age] }
        reference /= Float(Self.farthest - Self.nearest + 1)
        rises.extend(by: 1)[0] = Float(rt_log(Double((rest + quiet) / (reference + quiet))))
        lookCount += 1
    }

    /// Frequencies of a floor below 900 Hz, and one for the filter's slope; and -100 dB.
    private static var lowest: Int { @_noLocks get { 16 } }
    private static var silence: Float { @_noLocks get { 1e-10 } }

    /// The mean square of the error without what goes on as foretold but louder or softer, also ever more so: a string that is
    /// damped is no note.
    @_noLocks private func withoutTheForetold() -> Float {
        let (e, p) = (error.unsafeElements, foretold.unsafeElements)
        var (pp, pt, tt, ep) = (0.0, 0.0, 0.0, 0.0)
        for n in 0..<Self.window {
            let t = Double(n) / Double(Self.window) * p[n]
            pp += p[n] * p[n]
            pt += p[n] * t
            tt += t * t
            ep += e[n] * p[n]
        }
        let (gain, slope) = pp > 0 ? (ep / pp, pt / pp) : (0, 0)
        let rest = tt - slope * pt
        var (et, ee) = (0.0, 0.0)
        for n in 0..<Self.window {
            let error = e[n] - gain * p[n]
            et += error * (Double(n) / Double(Self.window) - slope) * p[n]
            ee += error * error
        }
        // The second direction counts where it is one.
        let sum = rest > 1e-6 * pp ? ee - et * et / rest : ee
        return Float(max(0, sum) / Double(Self.window))
    }

    /// The rise of the look 16 ms ago, if a note begins in it; otherwise 0.
    @_noLocks private func found() -> Float {
        let rises = rises.latest(Self.before + Self.looks + 1)
        let rise = rises[Self.before]
        guard rise > constants.foretold else { return 0 }
        for n in 0...(Self.before + Self.looks) where rises[n] > rise { return 0 }
        let (errors, powers) = (errors.latest(Self.looks + 1), powers.latest(13))
        // What is new of the sound then, and what still is 16 ms later.
        let new = errors[0] / max(Self.silence, powers[12 - Self.looks])
        let still = errors[Self.looks] / max(Self.silence, powers[12])
        if new > constants.new, still > constants.still { return rise }
        // A soft note under a loud one is a small part of it, and what rings goes on.
        let isSteady = powers[12] > constants.damped * powers[0]
        return rise > constants.clearForecast && new > constants.part && still > constants.part && isSteady ? rise : 0
    }
}
