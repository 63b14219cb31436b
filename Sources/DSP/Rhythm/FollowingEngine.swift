public import Music
internal import Realtime
public import Timebase

/// Hears a player and leads a metronome by what it hears: `ListeningEngine`, `TempoTracker` and `BeatFollower` in one.
///
/// Live and simulated it is the same engine. The caller gives each stroke that the metronome has rendered and each block of
/// samples with its place on the time axis of the metronome, and passes `steering` on whenever it has changed.
///
/// ```swift
/// func follow(_ block: [Float], at position: Double, with engine: inout FollowingEngine,
///             leading control: inout MetronomeControl, after events: inout SPSCRing<BeatEvent>.Consumer) {
///     while let stroke = events.pop() { engine.expect(stroke) }
///     engine.process(block.span, at: position)
///     if let steering = engine.steering { control.steer(steering) } else { control.stop() }
/// }
/// ```
///
/// The clicks are taken out of what is heard before a note is looked for, so that it does not follow itself. A sound that was
/// never heard hides the first note on it.
///
/// - Complexity: that of `ListeningEngine` and `TempoTracker`, under 4 % of a core at 48 kHz. Nothing allocates, locks or
///   throws after `init`, and the compiler checks that.
public struct FollowingEngine: ~Copyable, Sendable {
    private var listening: ListeningEngine
    private var follower: BeatFollower

    /// An engine for one sample rate, 8 to 192 kHz. Allocates, half a megabyte for each click sound at 48 kHz.
    ///
    /// - Parameters:
    ///   - clicks: those that the microphone hears; none, if the player wears headphones.
    ///   - around: a tempo within a quarter of which the player begins.
    ///   - patience: after how many beats without a note it stops.
    public init(
        sampleRate: Hertz, clicks: PlayedClicks = .none, around: Tempo? = nil, patience: Int = 16
    ) throws(OnsetError) {
        try self.init(
            sampleRate: sampleRate, clicks: clicks, around: around, patience: patience, constants: FollowerConstants())
    }

    /// An engine with limits of its own.
    @_spi(Measurement) public init(
        sampleRate: Hertz, clicks: PlayedClicks, around: Tempo?, patience: Int, constants: FollowerConstants
    ) throws(OnsetError) {
        let tracker = try TempoTracker(sampleRate: sampleRate, around: around)
        listening = try ListeningEngine(sampleRate: sampleRate, clicks: clicks, tracker: tracker)
        follower = BeatFollower(
            sampleRate: sampleRate, around: around, patience: patience, constants: constants)
    }

    /// What it does now.
    public var state: BeatFollower.State { @_noLocks get { follower.state } }

    /// How many times it has started.
    public var starts: Int { @_noLocks get { follower.starts } }

    /// Where the next click goes; `nil`: nothing is to be played.
    public var steering: BeatSteering? { @_noLocks get { follower.steering } }

    /// Gives a stroke that the metronome has rendered, at the latest 10 ms before the microphone hears it.
    @_noLocks public mutating func expect(_ stroke: BeatEvent) {
        listening.expect(stroke)
        if stroke.isBeat { follower.strike(Double(stroke.floorFrame) + stroke.fraction) }
    }

    /// Processes mono samples, full scale ±1: see `ListeningEngine.process`.
    @_noLocks public mutating func process(
        _ samples: borrowing Span<Float>, at position: Double, framesPerSample: Double = 1
    ) {
        listening.process(samples, at: position, framesPerSample: framesPerSample)
        while let onset = listening.heard.pop() {
            follower.hear(onset.frame, standardError: onset.onset.standardError)
        }
        while let beat = listening.nextTrackedBeat() { hear(beat) }
        // A note is known 50 ms after it began at the latest.
        follower.advance(to: listening.position - 0.05 * listening.sampleRate.value)
    }

    /// The oldest beat of the metronome that is over and was not taken yet.
    @_noLocks public mutating func nextBeat() -> FollowedBeat? { follower.nextBeat() }

    /// The next note of the player, compared with the clicks, if one is known.
    @_noLocks public mutating func nextNote() -> PlayedNote? { listening.nextNote() }

    /// The next point of the grid that is over.
    @_noLocks public mutating func nextPoint() -> GridPoint? { listening.nextPoint() }

    /// Where on the time axis the samples end that were processed.
    public var position: Double { @_noLocks get { listening.position } }

    /// Stops, and waits for four notes.
    @_noLocks public mutating func stop() { follower.stop() }

    /// A beat of the tracker counts when it is sure: four beats on one line, and most of the probability.
    @_noLocks private mutating func hear(_ beat: TrackedBeat) {
        guard beat.isHeard, beat.tempo.beatCount >= 5, beat.tempo.confidence > 0.6 else { return }
        let tempo = beat.tempo.beatsPerMinute
        follower.hear(
            beatAt: beat.frame, period: 60 / tempo * listening.sampleRate.value,
            standardErrors: (beat.standardError, 60 / (tempo * tempo) * beat.tempo.standardError))
    }
}
