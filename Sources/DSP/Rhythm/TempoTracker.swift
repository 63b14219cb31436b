internal import CRealtime
public import Music
internal import Realtime
public import Timebase

/// Finds the beat of what is heard, as it sounds: when each beat is, and the tempo with its standard error.
///
/// ```swift
/// var tracker = try TempoTracker(sampleRate: 48.kilohertz)
/// let block = [Float](repeating: 0, count: 512)  // from a microphone
/// tracker.process(block.span)
/// while let beat = tracker.nextBeat() { print(beat.frame, beat.tempo.beatsPerMinute) }
/// ```
///
/// Blocks may have any size, and the beats do not depend on it. A hidden Markov model of periods and places within the beat
/// follows what stands out of the sound; each of its beats is then put where the note on it begins, which `OnsetDetector` knows
/// to a fraction of a millisecond. It follows ramps of some 3 beats per minute in a second, and new tempi within a few beats.
/// After three seconds and four beats without a note the music has stopped; the next note begins anew.
///
/// Notes alone do not say whether 160 is not 80: without a hint it prefers tempi near 115. `around` names a tempo known
/// beforehand: the music then begins within a quarter of it, and may become half or twice as fast.
///
/// At most 64 beats wait to be taken; then the oldest are dropped.
///
/// - Complexity: that of `OnsetDetector`, and some 30,000 states every 6 ms, together under 2 % of a core at 48 kHz. Nothing
///   allocates, locks or throws after `init`, and the compiler checks that.
/// - SeeAlso: Krebs, Böck & Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015.
public struct TempoTracker: ~Copyable, Sendable {
    /// The rate of the samples.
    public let sampleRate: Hertz
    private let constants: TempoConstants
    private var detector: OnsetDetector
    private var states: BeatStates
    private var notes = BeatNotes()
    private var line = BeatLine()
    private var beats = BoundedQueue<TrackedBeat>(capacity: 64, filler: TrackedBeat())
    /// Samples of a frame, and frames so far.
    private let frameLength: Double
    private var frames = 0
    private var hopsInFrame = 0
    /// The largest accent of the frame, and the largest of the last seconds.
    private var accent: Float = 0, loudest: Float = 0
    private let forgetting: Float
    /// The course that is followed: its period and the place in it.
    private var state = BeatStates.State()
    private var isFollowing = false
    /// By how much another course must be likelier to replace it, and one at another level of the same beat.
    private var trust = Self.firstTrust, levelTrust = Self.firstTrust
    /// How many beats of the course were heard.
    private var proven = 0
    /// The last beat told: its number, and its time in samples as the states have it and as it was told.
    private var number = 0
    private var lastBeat = -1e18, lastTold = -1e18
    /// Beats and samples since the last one with a note.
    private var unheard = 0
    private var lastHeard = 0.0
    /// The sample at which the music last stopped; the next note begins anew.
    private var stopped = 0.0

    private static var firstTrust: Float { @_noLocks get { 3 } }
    private static var hopsPerFrame: Int { @_noLocks get { 3 } }
    /// An accent below is none, in nepers of power: what noise makes of itself.
    private static var faintest: Float { @_noLocks get { 0.1 } }

    /// The tempi that may be named beforehand, in beats per minute.
    package static let hints = 30.0...320

    /// A tracker for one sample rate, 8 to 192 kHz. Allocates, some 200 kilobytes.
    ///
    /// - Parameter around: a tempo within a quarter of which the music begins, 30 to 320 beats per minute; `nil`: 40 to 240.
    public init(sampleRate: Hertz, around: Tempo? = nil) throws(OnsetError) {
        try self.init(sampleRate: sampleRate, around: around, constants: TempoConstants())
    }

    /// A tracker with limits of its own.
    @_spi(Measurement) public init(
        sampleRate: Hertz, around: Tempo? = nil, constants: TempoConstants
    ) throws(OnsetError) {
        let detector = try OnsetDetector(sampleRate: sampleRate)
        let frameLength = Double(detector.hop * Self.hopsPerFrame)
        let framesPerMinute = 60 * sampleRate.value / frameLength
        var (slowest, fastest, preferred) = (39.0, 246.0, Double(constants.preferred))
        var beginning = framesPerMinute / fastest...framesPerMinute / slowest
        if let around {
            preferred = min(Self.hints.upperBound, max(Self.hints.lowerBound, around.beatsPerMinute.value))
            (slowest, fastest) = (preferred * 0.5, preferred * 2)
            beginning = framesPerMinute / (preferred * 1.25)...framesPerMinute / (preferred * 0.75)
        }
        let periods = Int(framesPerMinute / fastest)...Int(rt_ceil(framesPerMinute / slowest))
        states = BeatStates(
            periods: periods, beginning: beginning, preferred: framesPerMinute / preferred, constants: constants)
        self.detector = detector
        self.sampleRate = sampleRate
        self.constants = constants
        levelTrust = constants.levelFirst
        self.frameLength = frameLength
        forgetting = Float(rt_exp(-frameLength / sampleRate.value / Double(constants.memory)))
    }

    /// Processes mono samples, full scale ±1.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) {
        var index = 0
        while detector.processHop(samples, at: &index) { takeHop() }
    }

    /// Processes what a click canceller has left of the last samples: see `OnsetDetector.process(_:after:)`.
    @_noLocks internal mutating func process(
        _ samples: borrowing Span<Float>, after canceller: borrowing ClickCanceller
    ) {
        var index = 0
        while detector.processHop(samples, at: &index, after: canceller) { takeHop() }
    }

    @_noLocks private mutating func takeHop() {
        accent = max(accent, detector.accent)
        notes.take(from: &detector)
        hopsInFrame += 1
        if hopsInFrame == Self.hopsPerFrame { advance() }
    }

    /// The oldest beat that was not taken yet, or `nil`.
    @_noLocks public mutating func nextBeat() -> TrackedBeat? { beats.pop() }

    /// How many beats were dropped because they were not taken in time.
    public var droppedBeats: Int { @_noLocks get { beats.dropped } }

    /// Starts again as before the first sample.
    @_noLocks public mutating func reset() {
        detector.reset()
        notes.reset()
        beats.removeAll()
        (frames, hopsInFrame, accent, loudest, number) = (0, 0, 0, 0, 0)
        stop()
    }
}

extension TempoTracker {
    private var frameSeconds: Double { @_noLocks get { frameLength / sampleRate.value } }

    /// Takes a frame in.
    @_noLocks private mutating func advance() {
        frames += 1
        loudest = max(accent, loudest * forgetting)
        var strength: Float = 0
        if accent > Self.faintest {
            strength = Float(rt_pow(Double(accent / loudest), Double(constants.exponent)))
        }
        (accent, hopsInFrame) = (0, 0)
        states.advance(strength)
        if states.isEmpty {
            guard let newest = notes.newest, newest > stopped else { return }
            let ago = (Double(frames) * frameLength - newest) / frameLength - Double(constants.lag) / frameSeconds
            states.begin(ago: max(0, Int(rt_round(ago))))
        }
        follow()
        tell()
    }

    /// Chooses the course: the one that is followed, unless another is much likelier.
    @_noLocks private mutating func follow() {
        let best = states.best()
        guard isFollowing else {
            (state, isFollowing) = (best, true)
            return
        }
        let near = states.best(after: state, among: neighbours(of: state.index, within: 0.06))
        let others = states.isThreeToTwo(best, near) ? min(trust, constants.crossing) : trust
        if states.isAnotherLevel(best, of: near) {
            // What both have in common stays proven.
            let isLikelier = best.probability > levelTrust * near.probability
            state = isLikelier ? best : near
            if !isLikelier { states.keep(near, beside: best) }
        } else if best.probability > others * near.probability {
            (state, trust, levelTrust, proven) = (best, Self.firstTrust, constants.levelFirst, 0)
        } else {
            state = near
        }
    }

    /// The periods near one.
    @_noLocks private func neighbours(of index: Int, within share: Double) -> Range<Int> {
        let width = Int(rt_ceil(share * Double(states.shortest + index)))
        return (index - width)..<(index + width + 1)
    }

    /// Tells a beat when it has been heard for a while.
    @_noLocks private mutating func tell() {
        let period = Double(states.shortest + state.index) * frameLength
        let since = Double(state.place - states.half(of: state.index)) * frameLength
        let delay = Double(constants.delay) * sampleRate.value
        guard since >= delay, since < max(period / 2, 1.2 * delay) else { return }
        let frame = Double(frames) * frameLength - since - Double(constants.lag) * sampleRate.value
        guard frame - lastBeat > 0.6 * period else { return }
        // Within a sixteenth of the beat, but no farther than a player scatters: 20 ms.
        let width = min(0.02 * sampleRate.value, period / 16)
        let note = notes.nearest(to: frame, width: width)
        unheard = note == nil ? unheard + 1 : 0
        if note != nil {
            lastHeard = frame
            trust = min(constants.hysteresis, trust * constants.growth)
            proven += 1
            if Float(proven) > constants.levelStart {
                levelTrust = min(constants.levelHysteresis, levelTrust * constants.levelGrowth)
            }
        } else {
            levelTrust = max(constants.levelFirst, levelTrust / constants.levelLoss)
        }
        // A course that has not proved itself yet does not count beats on.
        guard note != nil || line.count >= 3 else { return }
        guard unheard < 4 || frame - lastHeard < 3 * sampleRate.value else {
            stop()
            return
        }
        var beat = TrackedBeat()
        (beat.number, beat.frame, beat.isHeard) = (number, note?.frame ?? frame, note != nil)
        beat.frame = max(0, beat.frame)
        beat.standardError = note?.standardError ?? 0.01
        beat.toldAt = detector.sampleCount
        fit(beat, period: period)
        beat.tempo = tempo
        beats.push(beat)
        number += 1
        (lastBeat, lastTold) = (frame, beat.frame)
    }

    /// The tempo by the last beats, or by the states.
    private var tempo: TempoEstimate {
        @_noLocks get {
            var estimate = TempoEstimate()
            let period = Double(states.shortest + state.index) * frameLength / sampleRate.value
            estimate.beatsPerMinute = 60 / period
            estimate.confidence = states.share(of: neighbours(of: state.index, within: 0.04))
            estimate.standardError = estimate.beatsPerMinute * (estimate.confidence > 0.5 ? 0.02 : 0.25)
            if line.count >= 3 {
                estimate.beatsPerMinute = 60 / line.period
                estimate.standardError = 60 / (line.period * line.period) * line.standardError
            }
            estimate.beatCount = line.count
            return estimate
        }
    }

    @_noLocks private mutating func fit(_ beat: TrackedBeat, period: Double) {
        let passed = rt_round((beat.frame - lastTold) / period)
        // Another tempo, or a gap that no counting bridges, begins a new line.
        let isNew =
            passed < 1 || passed > 8 || abs((beat.frame - lastTold) / period - passed) > 0.2
            || line.count > 0 && abs(line.period * sampleRate.value / period - 1) > 0.15
        if isNew { line.reset() }
        line.add(beat.frame / sampleRate.value, after: isNew ? 0 : passed, error: beat.standardError)
    }

    /// Forgets the beat that was followed.
    @_noLocks private mutating func stop() {
        states.reset()
        line.reset()
        (isFollowing, unheard, lastBeat, lastTold) = (false, 0, -1e18, -1e18)
        (stopped, trust, levelTrust, proven) = (Double(frames) * frameLength, Self.firstTrust, constants.levelFirst, 0)
    }
}
