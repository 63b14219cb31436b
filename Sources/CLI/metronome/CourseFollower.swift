internal import Music
internal import Timebase
internal import Transport

/// Knows the beats that come, from those that the audio thread has rendered and the plan that goes on from there.
///
/// A beat is rendered up to a buffer before it is heard. When a command takes effect, the first beat that differs tells so, and
/// what follows it is told anew before it is heard.
struct CourseFollower {
    struct Beat {
        var event: BeatEvent
        var number: Int64
    }

    private let prediction: CoursePrediction
    /// The plan that plays.
    private var grid: PlanGrid
    private(set) var revision = 1
    /// Beats that were rendered, the last heard ones among them, and those that were not rendered yet.
    private(set) var rendered: [Beat] = [], ahead: [Beat] = []
    private var number: Int64 = 0
    /// Where the plan is cut off.
    private var end: Int64?
    /// How many beats have been rendered since the course was taken.
    private(set) var sinceTaken = 0

    /// Begins at the beginning of a plan.
    init(_ prediction: CoursePrediction, grid: PlanGrid, end: Int64?) {
        (self.prediction, self.grid, self.end) = (prediction, grid, end)
        plan(from: nil)
    }

    /// Begins somewhere in a plan: the first beat that is rendered tells where.
    init(_ prediction: CoursePrediction, within grid: PlanGrid) {
        (self.prediction, self.grid) = (prediction, grid)
    }

    /// Follows a beat that was rendered.
    ///
    /// - Parameters:
    ///   - plan: what plays once all commands have taken effect.
    ///   - isOther: whether that is another plan than before.
    ///   - hasMoved: whether a command has moved the end of the plan.
    mutating func follow(_ event: BeatEvent, plan latest: @autoclosure () -> PlanGrid, isOther: Bool, hasMoved: Bool) {
        number += 1
        sinceTaken += 1
        if hasMoved { end = nil }
        if let next = ahead.first, Self.isSame(next.event, event), !isOther || event.beat != 1 {
            ahead.removeFirst()
            rendered.append(Beat(event: event, number: number))
            if ahead.count <= sentAhead { plan(from: event) }
            return
        }
        rendered.append(Beat(event: event, number: number))
        // A command that waits for a bar has not taken effect on every beat.
        let before = ahead.dropFirst().map(\.event)
        let latest = latest()
        for candidate in [latest, grid] {
            guard let first = prediction.beats(1, of: candidate, from: event)?.first, Self.isSame(first, event) else {
                continue
            }
            grid = candidate
            plan(from: event)
            break
        }
        let isAsBefore = zip(before, ahead).allSatisfy { Self.isSame($0, $1.event) }
        if !isAsBefore || before.isEmpty || isOther { revision += 1 }
    }

    /// Forgets what lies ahead: the metronome has stopped.
    mutating func stop() {
        (rendered, ahead) = ([], [])
        revision += 1
    }

    /// Cuts off what lies ahead at the next beat, or at the next bar; returns the frame of that.
    mutating func stop(atBar: Bool) -> Int64? {
        guard let place = ahead.firstIndex(where: { !atBar || $0.event.beat == 1 }) else { return nil }
        let frame = ahead[place].event.frame
        ahead.removeSubrange(place...)
        revision += 1
        return frame
    }

    /// Everything that was sent is to be replaced.
    mutating func renew() { revision += 1 }

    /// The beats to send: the last heard, those on their way to the ear, those to come.
    mutating func take(heardUpTo frame: Int64) -> [Beat] {
        sinceTaken = 0
        let unheard = rendered.firstIndex { $0.event.frame > frame } ?? rendered.endIndex
        rendered.removeFirst(max(0, unheard - PlayCourse.behind))
        return rendered + ahead.prefix(sentAhead)
    }

    /// The number of a beat that was rendered.
    func number(of event: BeatEvent) -> Int64? { rendered.last { $0.event.frame == event.frame }?.number }

    /// How many of the beats ahead are sent: 64, or what lasts 40 s.
    private var sentAhead: Int {
        guard let first = ahead.first else { return 0 }
        let end = first.event.frame + Int64(Double(PlayCourse.aheadSeconds) * prediction.sampleRate.value)
        let lasting = ahead.firstIndex { $0.event.frame > end } ?? ahead.count
        return min(ahead.count, max(PlayCourse.ahead, min(lasting, PlayCourse.mostAhead)))
    }

    private mutating func plan(from event: BeatEvent?) {
        let count = PlayCourse.mostAhead + PlayCourse.renewal + (event == nil ? 0 : 1)
        let beats = prediction.beats(count, of: grid, from: event, end: end) ?? []
        let coming = event == nil ? beats[...] : beats.dropFirst()
        ahead = zip((number + 1)..., coming).map { Beat(event: $1, number: $0) }
        ahead = Array(ahead.prefix(sentAhead + PlayCourse.renewal))
    }

    /// Whether a beat is the one that was expected. A frame more or less is the rounding of an instant.
    private static func isSame(_ one: BeatEvent, _ other: BeatEvent) -> Bool {
        abs(one.frame - other.frame) <= 1 && one.bar == other.bar && one.beat == other.beat
            && one.beatsInBar == other.beatsInBar && one.level == other.level
            && (one.section < 0) == (other.section < 0) && abs(one.tempo - other.tempo) <= 1e-9 * other.tempo
    }
}
