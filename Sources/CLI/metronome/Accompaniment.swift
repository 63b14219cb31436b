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
    /// The course as it was published: its revision, and the moment of a beat, by which a change of the clock shows.
    var published: (revision: Int, frame: Int64, heard: MonotonicTime)?
    /// Where a stop that waits takes effect.
    var stopFrame: Int64?
    var status = CompanionStatus()

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
