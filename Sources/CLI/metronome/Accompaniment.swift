internal import Platform
internal import Timebase
internal import Transport

/// What a display needs to let a companion go along.
struct Accompaniment {
    let companion: any PlayCompanion
    var follower: CourseFollower
    /// What the follower, and the companion, were told last.
    var planCount = 0
    var wasRunning = true, wasMuted = false
    var stage: PlayStage?
    /// What of the stage changes with the plan only, and the plan that it was made for.
    var piece: (planCount: Int, stage: PlayStage)?
    /// The course as it was published: its revision, and the moment of a beat, by which a change of the clock shows.
    var published: (revision: Int, frame: Int64, heard: MonotonicTime)?
    /// The tempo of the next start, as it was told while nothing played, and the plan that it was told of.
    var resting: (planCount: Int, tempo: Double)?
    /// Where a stop that waits takes effect.
    var stopFrame: Int64?
    var status = CompanionStatus()
    /// Where the next run would go on, and how that was kept last.
    var run: PlayRun?, keptRun: PlayRun?

    /// A moment that moved by more is told again: a tenth of what a player can feel, ten times what the clock scatters.
    static let tolerance: Duration = .microseconds(500)

    init(_ companion: any PlayCompanion, _ follower: CourseFollower) {
        (self.companion, self.follower) = (companion, follower)
    }
}

extension CourseBeat {
    /// A beat as it is told; muted ones make no sound.
    init(_ beat: CourseFollower.Beat, heard: MonotonicTime, isMuted: Bool) {
        let event = beat.event
        self.init(
            number: beat.number, heard: heard, bar: event.bar, beat: event.beat, beatsInBar: event.beatsInBar,
            isCountIn: event.section < 0, level: event.isMuted || isMuted ? 0 : event.level.number, tempo: event.tempo)
    }
}

extension PlayStage {
    /// The order and the labels of a plan, and the name of the file of its map.
    init(_ grid: PlanGrid, map: String?) {
        self.init()
        let name = map?.split(separator: "/").last ?? ""
        piece = String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
        parts = grid.labels.map { Part(label: $0.label, bar: $0.bar) }
        guard !grid.order.isAsWritten else { return }
        order = grid.order.runs.map { Run(first: $0.first, count: $0.count) }
        again = grid.order.again
    }
}
