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
    var states: BeatStates
    private var notes = BeatNotes()
    var line = BeatLine()
    private var beats = BoundedQueue<TrackedBeat>(capacity: 64, filler: TrackedBeat())
    /// Samples of a frame, and frames so far.
    let frameLength: Double
    private var frames = 0
    private var hopsInFrame = 0
    private var accent: FrameAccent
    /// The course that is followed: its period and the place in it.
    var state = BeatStates.State()
    private var isFollowing = false
    private var trust: CourseTrust
    /// The last beat told: its number, and its time in samples as the states have it and as it was told.
    private var number = 0
    var lastBeat = -1e18, lastTold = -1e18
    /// Beats and samples since the last one with a note.
    private var unheard = 0
    private var lastHeard = 0.0
    /// The sample at which the music last stopped; the next note begins anew.
    private var stopped = 0.0

    private static var hopsPerFrame: Int { @_noLocks get { 3 } }
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
        // Soft notes under others and slurred ones tell no beat.
        var limits = OnsetConstants()
        (limits.foretold, limits.pitched) = (0, 0)
        let detector = try OnsetDetector(sampleRate: sampleRate, constants: limits)
        let frameLength = Double(detector.hop * Self.hopsPerFrame)
        let range = TempoRange(
            framesPerMinute: 60 * sampleRate.value / frameLength, around: around, constants: constants)
        states = BeatStates(
            periods: range.periods, beginning: range.beginning, preferred: range.preferred,
            frameSeconds: frameLength / sampleRate.value, constants: constants)
        accent = FrameAccent(frameSeconds: frameLength / sampleRate.value, constants: constants)
        trust = CourseTrust(constants)
        self.detector = detector
        self.sampleRate = sampleRate
        self.constants = constants
        self.frameLength = frameLength
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
        accent.take(detector.accent)
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
        accent.reset()
        (frames, hopsInFrame, number) = (0, 0, 0)
        stop()
    }
}

extension TempoTracker {
    /// Takes a frame in.
    @_noLocks private mutating func advance() {
        frames += 1
        hopsInFrame = 0
        states.advance(accent.finish())
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
        var near = states.best(after: state, among: neighbours(of: state.index, within: 0.06))
        // A course no likelier than the hypotheses that begin at each onset would leap to one of them: it goes by the beats of
        // the likeliest one.
        if near.probability < constants.renewal * best.probability, let led = states.level(of: best, after: state) {
            near = led
        }
        let others = states.isThreeToTwo(best, near) ? min(trust.others, constants.crossing) : trust.others
        if states.isAnotherLevel(best, of: near) {
            // What both have in common stays proven.
            let isLikelier = best.probability > trust.levels * near.probability
            state = isLikelier ? best : near
            if !isLikelier { states.keep(near, beside: best) }
        } else if best.probability > others * near.probability {
            state = best
            trust.restart()
        } else {
            state = near
        }
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
            trust.hear()
        } else {
            trust.miss()
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

    /// Forgets the beat that was followed.
    @_noLocks private mutating func stop() {
        states.reset()
        line.reset()
        (isFollowing, unheard, lastBeat, lastTold) = (false, 0, -1e18, -1e18)
        stopped = Double(frames) * frameLength
        trust.restart()
    }
}
