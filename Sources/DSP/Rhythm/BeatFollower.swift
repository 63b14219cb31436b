internal import CRealtime
public import Music
internal import Realtime
public import Timebase

/// Leads a metronome by a player's beat: it starts after four even notes, and then keeps with the player.
///
/// It is given the notes as they are heard and the clicks as they are rendered, all in frames of the metronome, and says where
/// the next click goes. Nothing in it depends on when it is called: time is that of the frames.
///
/// ```swift
/// var follower = BeatFollower(sampleRate: 48.kilohertz)
/// for tap in 0..<4 { follower.hear(24_000 * Double(tap)) }
/// print(follower.steering?.frame ?? .nan)  // 96000: the fifth
/// ```
///
/// The player's beat is tracked by `BeatCourses`: time, period and change of period, by filters that allow for a tempo that
/// begins to change, stops changing or is suddenly another one, and for notes that do not mean the beat. The clicks keep to it
/// by their intervals alone: each interval differs from the last one by at most 3 %, so that there is neither a jump nor a
/// double click, and a small difference is made up for over some beats.
///
/// When no note is near a beat, the tempo stays. A player who goes on elsewhere, with four even notes, is met again over some
/// beats, by intervals that change as little. After `patience` beats without a note it stops, and waits for four notes again.
///
/// - Complexity: some 100 filter steps a note. Nothing allocates, locks or throws after `init`, and the compiler checks that.
public struct BeatFollower: ~Copyable, Sendable {
    /// The rate of the frames.
    public let sampleRate: Hertz
    /// After how many beats without a note it stops.
    public let patience: Int
    let constants: FollowerConstants
    private(set) var starting: StartingNotes
    private(set) var courses: BeatCourses
    private var offbeat = OffbeatPlace()
    private var clicks = OpenClicks()
    private(set) var isFollowing = false
    /// How many times it has started.
    public private(set) var starts = 0
    /// The place of the next click, and when the last one was, in seconds, with the interval before it.
    private(set) var next = 1
    private(set) var lastClick = 0.0, lastInterval = 0.0
    /// The last place with a note, and how many notes have been near none since.
    private(set) var lastHeard = 0
    private var astray = 0
    /// A follower that waits for four notes. Allocates.
    ///
    /// - Parameters:
    ///   - around: a tempo within a quarter of which the player begins; notes between the beats do no harm then.
    ///   - patience: after how many beats without a note it stops, 4 or more.
    public init(sampleRate: Hertz, around: Tempo? = nil, patience: Int = 16) {
        self.init(sampleRate: sampleRate, around: around, patience: patience, constants: FollowerConstants())
    }

    /// A follower with limits of its own.
    @_spi(Measurement) public init(
        sampleRate: Hertz, around: Tempo? = nil, patience: Int = 16, constants: FollowerConstants
    ) {
        (self.sampleRate, self.patience, self.constants) = (sampleRate, max(4, patience), constants)
        starting = StartingNotes(
            hint: around.map { 60 / $0.beatsPerMinute.value } ?? 0, scatter: constants.scatter)
        courses = BeatCourses(constants)
    }

    /// Takes in a note of the player.
    ///
    /// - Parameters:
    ///   - frame: when it began; notes come in the order of their times.
    ///   - standardError: that of its time, in seconds.
    @_noLocks public mutating func hear(_ frame: Double, standardError: Double = 0) {
        let seconds = frame / sampleRate.value
        guard isFollowing else {
            if let beat = starting.hear(seconds) { begin(beat) }
            return
        }
        let now = courses.mean(at: courses.place)
        let beats = (seconds - now.seconds) / now.period + courses.place
        let place = rt_round(beats)
        let near = courses.mean(at: place)
        let late = seconds - near.seconds
        let variance = constants.scatter * constants.scatter + standardError * standardError
        if abs(late) < constants.reach * near.period, place >= 1, place < Self.mostBeats {
            note(seconds, at: Int(place))
            courses.hear(seconds, at: place, variance: variance, stray: constants.stray)
            (lastHeard, astray) = (max(lastHeard, Int(place)), 0)
            starting.reset()
            return
        }
        between(seconds, variance: variance)
        astray += 1
        // A player who is not on the beat may count in anew.
        if next - 1 - lastHeard >= 3, let beat = starting.hear(seconds) { begin(beat) }
    }

    /// Takes in a beat that a tempo tracker found: it starts where notes are no even row, and where the player has left the
    /// beat.
    ///
    /// - Parameters:
    ///   - frame: when it is.
    ///   - period: frames from beat to beat.
    ///   - standardErrors: those of both, in seconds.
    @_noLocks public mutating func hear(
        beatAt frame: Double, period: Double, standardErrors: (time: Double, period: Double)
    ) {
        if isFollowing && (next - 1 - lastHeard < 4 || astray < 4) { return }
        var beat = StartingNotes.Beat()
        (beat.seconds, beat.period) = (frame / sampleRate.value, period / sampleRate.value)
        beat.timeError = max(standardErrors.time, constants.scatter)
        beat.periodError = max(standardErrors.period, 0.2 * constants.scatter)
        begin(beat)
    }

    /// Takes in a beat of the metronome that was rendered, at its instant.
    @_noLocks public mutating func strike(_ frame: Double) {
        guard isFollowing else { return }
        let seconds = frame / sampleRate.value
        let aim = courses.mean(at: Double(next))
        lastInterval = lastInterval > 0 ? seconds - lastClick : aim.period
        lastClick = seconds
        var beat = FollowedBeat()
        (beat.number, beat.click) = (next, frame)
        beat.beatsPerMinute = 60 / lastInterval
        beat.silentBeats = max(0, next - lastHeard)
        clicks.strike(beat)
        next += 1
        if next - 1 - lastHeard > patience { stop() }
    }

    /// Tells that no more notes come that began before a frame.
    @_noLocks public mutating func advance(to frame: Double) {
        while let beat = clicks.pass(frame, sampleRate: sampleRate.value) {
            // Before the next click is struck.
            if isFollowing, beat.number - lastHeard >= patience { return stop() }
        }
    }

    /// The oldest beat that is over and was not taken yet.
    @_noLocks public mutating func nextBeat() -> FollowedBeat? { clicks.next() }

    /// Stops, and waits for four notes.
    @_noLocks public mutating func stop() {
        clicks.stop()
        starting.reset()
        courses.reset()
        offbeat = OffbeatPlace()
        (isFollowing, astray) = (false, 0)
    }
}

extension BeatFollower {
    /// Starts with a beat that was found. A metronome that plays already moves to it, unless it is another tempo.
    @_noLocks private mutating func begin(_ beat: StartingNotes.Beat) {
        let errors = (time: beat.timeError, period: beat.periodError)
        let ratio = beat.period / lastInterval
        if isFollowing, lastInterval > 0, ratio < Self.restart, ratio > 1 / Self.restart {
            // The beat that will be nearest to the next click becomes that click's.
            let ahead = max(0, rt_round((lastClick + lastInterval - beat.seconds) / beat.period))
            courses.begin(at: beat.seconds, period: beat.period, errors: errors, place: Double(next) - ahead)
            (lastHeard, astray, offbeat) = (next - 1, 0, OffbeatPlace())
            starting.reset()
            return
        }
        stop()
        (isFollowing, starts) = (true, starts + 1)
        (next, lastHeard, lastClick, lastInterval) = (1, 0, 0, 0)
        courses.begin(at: beat.seconds, period: beat.period, errors: errors, place: 0)
    }

    /// Beyond this ratio of the periods a player who counts in anew wants another tempo at once: at 3 % a beat it would take
    /// eight beats.
    private static var restart: Double { @_noLocks get { 1.25 } }
    /// Twenty years of eighths at 100 a minute: a frame that lies beyond is none.
    private static var mostBeats: Double { @_noLocks get { 1e9 } }

    /// Remembers which note is played on a beat: the one nearest to where the player's beat was expected.
    @_noLocks private mutating func note(_ seconds: Double, at place: Int) {
        let frame = seconds * sampleRate.value
        if place == next {
            clicks.expect(frame)
        } else {
            clicks.note(frame, on: place)
        }
    }

    /// Takes in a note between two beats, if the player has a place for such notes.
    @_noLocks private mutating func between(_ seconds: Double, variance: Double) {
        let beat = rt_floor(courses.place)
        let from = courses.mean(at: beat)
        let passed = rt_floor((seconds - from.seconds) / from.period)
        guard passed >= 0 else { return }
        let first = courses.mean(at: beat + passed)
        let phase = (seconds - first.seconds) / first.period
        guard OffbeatPlace.contains(phase) else { return }
        if let spread = offbeat.variance {
            courses.hear(
                seconds, at: beat + passed + offbeat.mean,
                variance: variance + spread * first.period * first.period, stray: 2 * constants.stray)
        }
        offbeat.hear(phase)
    }
}
