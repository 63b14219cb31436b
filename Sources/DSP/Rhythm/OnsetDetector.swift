public import Music
internal import Realtime
internal import Spectral

/// Finds the beginning of each note in a stream of mono samples, as it sounds.
///
/// ```swift
/// var detector = try OnsetDetector(sampleRate: 48.kilohertz)
/// let block = [Float](repeating: 0, count: 512)  // from a microphone
/// detector.process(block.span)
/// while let onset = detector.nextOnset() {
///     if onset.stage == .refined { print(onset.frame, onset.strength) }
/// }
/// ```
///
/// Blocks may have any size, and the onsets do not depend on it. At most 256 reports wait; then the oldest are dropped.
/// Two notes less than 45 ms apart are one. Samples that are not finite count as silence. The first 30 ms of a stream have
/// nothing to be compared with, and no onset is told in them.
///
/// A note that begins without an attack, slurred or swelling, is found by its pitch and told some 100 ms late, and so is a soft
/// one under others that ring, by its partials; see `Onset`.
///
/// - Complexity: a transform of 10.7 ms and a prediction of order 48 every 2 ms, one of order 32 every 4 ms, a transform of 43 ms
///   every 8 ms, a reading of the pitch every 10.7 ms, a transform of 128 ms of the low band every 16 ms. Nothing allocates, locks or
///   throws after `init`, and the compiler checks that.
public struct OnsetDetector: ~Copyable, Sendable {
    let sizes: OnsetSizes
    let constants: OnsetConstants
    var slicer: FrameSlicer
    var streams: OnsetStreams
    private var score: OnsetScore
    private var change: PartialChange
    private var unrest: OnsetUnrest
    var refinement: OnsetRefinement
    var movedTone = MovedTone()
    var spell: MovingSpell
    var forecast: LowForecast
    var pitch: PitchChange?
    var emerging: EmergingPartials?
    private var reports: BoundedQueue<Onset>
    var floor: ClickFloor
    private var floors = OnsetFloors()
    /// Hops so far.
    var hops = 0
    /// The hop of the newest note, of the one that may begin now, and how long the latter has been looked at.
    var lastNote = -1 << 40, candidate = -1
    var isTold = false
    private var rise: Float = 0, surprise: Float = 0
    var number = 0
    /// Hops that are heard of a note before it is told, 4 ms: a tone that is cut off makes a noise too, but silence follows it.
    private let hearing = 2
    /// Hops: 30 ms, 45 ms, 120 ms, 12 ms, 20 ms and 48 ms.
    private let deaf: Int, merged: Int, settled: Int, restart: Int, patience: Int, wait: Int
    /// A note of the forecast is another one if it begins so many hops after the last: 80 ms, as a flute swells for so long.
    let apart: Int
    /// And is told within so many hops of its best look, 40 ms.
    let longest: Int
    /// Hops from another note to one of the pitch, and to one of its partials.
    let settledPitch: Int, settledPartials: Int
    /// The note of the forecast that waits, the end of its best look in hops, or -1, and its strength.
    var lowFrame = 0.0, lowHop = -1
    var lowStrength: Float = 0

    /// A detector for one sample rate, 8 to 192 kHz. Allocates.
    public init(sampleRate: Hertz) throws(OnsetError) {
        try self.init(sampleRate: sampleRate, constants: OnsetConstants())
    }

    /// A detector with limits of its own.
    @_spi(Measurement) public init(sampleRate: Hertz, constants: OnsetConstants) throws(OnsetError) {
        let sizes = try OnsetSizes(sampleRate: sampleRate)
        // All before anything is stored: a value without copies is whole or not there.
        let score = try OnsetScore(sizes: sizes, constants: constants)
        let change = try PartialChange(sizes: sizes)
        let pitch = constants.pitched > 0 ? try PitchChange(sizes: sizes, constants: constants) : nil
        let emerging = constants.emerged > 0 ? try EmergingPartials(sizes: sizes, constants: constants) : nil
        self.pitch = pitch
        self.emerging = emerging
        self.score = score
        self.change = change
        unrest = OnsetUnrest(sizes: sizes)
        spell = MovingSpell(sizes: sizes)
        self.constants = constants
        self.sizes = sizes
        streams = OnsetStreams(sizes: sizes, length: max(OnsetRefinement.reach, EmergingBeginning.reach))
        let reach = constants.pitched > 0 ? ToneRise.reach(sampleRate) : 0
        slicer = FrameSlicer(hop: sizes.hop, window: max(4 * sizes.window, streams.reach, reach))
        refinement = OnsetRefinement(sizes: sizes, constants: constants)
        forecast = LowForecast(sizes: sizes, constants: constants)
        reports = BoundedQueue(capacity: 256, filler: Onset())
        floor = ClickFloor(bandCount: OnsetBandLayout(sizes: sizes).count)
        (deaf, merged, settled) = (sizes.hops(0.03), sizes.hops(0.045), sizes.hops(Double(constants.settled)))
        (apart, longest) = (sizes.hops(0.08), sizes.hops(0.04))
        settledPitch = sizes.hops(Double(constants.settledPitch))
        settledPartials = sizes.hops(Double(constants.settledPartials))
        (restart, patience) = (OnsetRefinement.ahead / OnsetSizes.hopLow, sizes.hops(0.02))
        wait = (OnsetRefinement.ahead + OnsetRefinement.late) / OnsetSizes.hopLow
    }

    /// Processes mono samples, full scale ±1.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) {
        var index = 0
        while slicer.fill(from: samples, at: &index) { advance() }
    }

    /// Processes what a click canceller has left of the last samples.
    ///
    /// What may be left of clicks is no onset: the detector hears only what stands out of it.
    /// - Parameters:
    ///   - samples: what `canceller.process` returned.
    ///   - canceller: of the same sample rate, with as many samples processed as here with these.
    @_noLocks public mutating func process(
        _ samples: borrowing Span<Float>, after canceller: borrowing ClickCanceller
    ) {
        var index = 0
        while slicer.fill(from: samples, at: &index) {
            canceller.write(floor: &floor, endingAt: slicer.sampleCount, sizes)
            advance()
        }
    }

    /// Processes samples from `index` on until a hop ends. Returns whether one did; then `accent` is that of the hop.
    @_noLocks internal mutating func processHop(_ samples: borrowing Span<Float>, at index: inout Int) -> Bool {
        guard slicer.fill(from: samples, at: &index) else { return false }
        advance()
        return true
    }

    /// The same with what a click canceller has left of the samples.
    @_noLocks internal mutating func processHop(
        _ samples: borrowing Span<Float>, at index: inout Int, after canceller: borrowing ClickCanceller
    ) -> Bool {
        guard slicer.fill(from: samples, at: &index) else { return false }
        canceller.write(floor: &floor, endingAt: slicer.sampleCount, sizes)
        advance()
        return true
    }

    /// How much louder the newest hop is than what went before, among sounds that matter beside the loudest.
    internal var accent: Float { @_noLocks get { score.accent } }

    /// Samples of a hop.
    internal var hop: Int { @_noLocks get { sizes.hop } }

    /// Samples so far.
    internal var sampleCount: Int64 { @_noLocks get { slicer.sampleCount } }

    /// The oldest report that was not taken yet, or `nil`.
    @_noLocks public mutating func nextOnset() -> Onset? { reports.pop() }

    /// How many reports were dropped because they were not taken in time.
    public var droppedOnsets: Int { @_noLocks get { reports.dropped } }

    /// Starts again as before the first sample.
    @_noLocks public mutating func reset() {
        slicer.reset()
        streams.reset()
        score.reset()
        change.reset()
        unrest.reset()
        forecast.reset()
        pitch?.reset()
        emerging?.reset()
        reports.reset()
        floor.clear()
        floors.clear()
        (hops, lastNote, candidate, isTold, number) = (0, -1 << 40, -1, false, 0)
        (rise, surprise, lowHop) = (0, 0, -1)
        spell.reset()
    }

    @_noLocks private mutating func advance() {
        if let input = slicer.latest(streams.reach).baseAddress { streams.advance(input) }
        score.advance(slicer.latest(sizes.window), streams, floor: floor)
        floors.add(low: score.lowFloor, high: constants.clickMargin * floor.high)
        change.add(floor)
        hops += 1
        if hops % PartialChange.hops == 0 {
            change.advance(slicer.latest(change.window), loudest: score.loudest, constants)
            pitch?.add(share: change.share)
        }
        notice()
        decide()
        if constants.foretold > 0 { hearLow() }
        hearPitch()
        hearPartials()
    }

    /// The evidence of the newest hop begins a candidate, or ends one that came to nothing.
    @_noLocks private mutating func notice() {
        let evidence = score.rise + constants.predictorWeight * score.surprise
        unrest.add(evidence)
        // One that waits to be confirmed gives way to a rise only.
        let isWaiting = strength > threshold && score.rise < constants.audible
        let isFree = candidate < 0 || (!isTold && hops - candidate >= restart && !isWaiting)
        if isFree && evidence > constants.noticed && hops > deaf && hops - lastNote >= merged {
            (candidate, rise, surprise) = (hops, 0, 0)
        }
        guard candidate >= 0 else { return }
        rise = max(rise, score.rise)
        surprise = max(surprise, score.surprise)
        if !isTold && (score.isCutOff || hops - candidate > (strength > threshold ? wait : patience)) {
            if !score.isCutOff, rise < constants.risen, goesOn(until: 0, within: constants.moving) { spell.add(hops) }
            candidate = -1
        }
    }

    /// The evidence for the candidate.
    private var strength: Float { @_noLocks get { rise + constants.predictorWeight * surprise } }

    /// Whether something of the candidate is heard beside what the predictor did not foresee: a rise or other partials. A
    /// flute's breath and a string's buzz are not foreseen either.
    private var isHeard: Bool {
        @_noLocks get { rise >= constants.audible || change.share > constants.moved }
    }

    @_noLocks private mutating func decide() {
        guard candidate >= 0 else { return }
        let strength = strength
        if !isTold && strength > threshold && isHeard && hops - candidate >= hearing {
            // A tone that vibrates is not foreseen, but it is the one before.
            if rise < constants.risen, goesOn(until: 0, within: constants.moving) {
                spell.add(hops)
                candidate = -1
                return
            }
            isTold = true
            lastNote = candidate
            tell(.first, at: Double(candidate * sizes.hop) - OnsetRefinement.notice * sizes.sampleRate, strength)
        }
        guard isTold, hops - candidate >= restart else { return }
        let age = (hops - candidate) * OnsetSizes.hopLow
        var found = refinement.find(in: streams, age: age, floors: floors)
        if spell.holds(before: candidate) {
            found.isInMovingTone = true
            if !found.isSharp { follow(&found, age: age) }
        }
        let error = found.standardError(strength: strength)
        if constants.foretold > 0, !found.isSharp, !found.isInMovingTone, error > Double(constants.vague),
            let age = forecast.place(
                noticed: (hops - candidate) * OnsetSizes.hopLow / LowForecast.decimation, sizes.decimation)
        {
            tell(.refined, at: Double(slicer.sampleCount) - age, strength, error: Double(constants.vague))
        } else {
            tell(.refined, at: Double(candidate * sizes.hop) + found.offset, strength, found)
        }
        (candidate, isTold) = (-1, false)
        number += 1
    }

    /// What the candidate has to exceed.
    private var threshold: Float {
        @_noLocks mutating get {
            let base = constants.certain + constants.unrestWeight * unrest.mean
            let age = candidate - lastNote
            guard age < settled else { return base }
            return base + constants.doubt * Float(settled - age) / Float(settled - merged)
        }
    }

    @_noLocks mutating func tell(
        _ stage: Onset.Stage, at frame: Double, _ strength: Float, _ found: OnsetRefinement.Result? = nil,
        error: Double = OnsetRefinement.guess
    ) {
        var onset = Onset()
        (onset.number, onset.stage, onset.frame, onset.strength) = (number, stage, max(0, frame), Double(strength))
        onset.toldAt = slicer.sampleCount
        onset.standardError = error
        if let found {
            onset.kind = found.isSharp ? .sharp : .soft
            onset.standardError = found.standardError(strength: strength)
        }
        reports.push(onset)
    }
}
