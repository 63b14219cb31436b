/// What plays, as far as devices are told.
package struct PlayStage: Sendable, Equatable {
    /// The words of the command line, or the entry of the list.
    package var title = ""
    /// The labelled parts of the plan in the order of playing; a part that is played twice is there twice.
    package var parts: [Part] = []
    /// The name of the set list and of its entries; none without a list.
    package var list = ""
    package var entries: [String] = []
    /// The entry that plays, from 0.
    package var entry = 0
    /// By what name the score is found that belongs to it: that of the map's file, or of the entry; may be empty.
    package var piece = ""
    /// The bars of the score in the order of playing, where a map repeats some or jumps.
    package var order: [Run] = []
    /// The run with which it begins again after the last; `nil`: it ends.
    package var again: Int?

    /// A labelled part of a plan.
    package struct Part: Sendable, Equatable {
        package let label: String
        /// Its first bar in playing order, from 1.
        package let bar: Int64

        package init(label: String, bar: Int64) { (self.label, self.bar) = (label, bar) }
    }

    /// Consecutive bars of a score, counted from 1.
    package struct Run: Sendable, Equatable {
        package let first: Int64
        /// `nil`: without end.
        package let count: Int64?

        package init(first: Int64, count: Int64?) { (self.first, self.count) = (first, count) }
    }

    package init() {}
}

/// What goes along with a metronome that plays: it is told the beats to come, and hands over what players ask for.
package protocol PlayCompanion: AnyObject {
    var queue: TransportQueue { get }
    /// What lies ahead.
    func publish(_ course: PlayCourse)
    func show(_ stage: PlayStage)
    /// What became of a command.
    func settle(_ id: String, _ outcome: TransportOutcome)
    /// A beat is heard now.
    func hear(_ beat: CourseBeat)
    /// Where to go on, if an earlier run was cut off.
    var resumed: PlayRun? { get }
    /// Where it is now, so that the next run can go on there.
    func keep(_ run: PlayRun)
    /// What the terminal shows of it.
    var status: CompanionStatus { get }
}

/// What the terminal shows of a companion.
package struct CompanionStatus: Sendable, Equatable {
    /// Where a browser finds it.
    package var address = ""
    /// The address as lines of half blocks, dark on a light ground, for a camera.
    package var code: [String] = []
    /// How many devices are connected.
    package var devices = 0
    /// The largest error that the clock of a device can have, in seconds; `nil` before any was measured.
    package var clockError: Double?

    package init() {}
}
