import Timebase

/// The beats of a plan as they are heard, `limit` of them at most.
func beats(of plan: PracticePlan, limit: Int) throws -> [BeatEvent] {
    let schedule = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
    schedule.initialize(to: try BeatSchedule(plan, sampleRate: 48_000))
    defer {
        schedule.deinitialize(count: 1)
        schedule.deallocate()
    }
    var scheduler = BeatScheduler(schedule)
    var beats: [BeatEvent] = []
    while beats.count < limit, !scheduler.isFinished {
        if scheduler.isOnBeat { beats.append(scheduler.next) }
        scheduler.advance()
    }
    return beats
}

/// A plan as it is said on a command line.
func plan(_ tempo: String, _ change: (inout PlanOptions) throws -> Void = { _ in }) throws -> PracticePlan {
    var options = PlanOptions(tempo: try TempoNotation(parsing: tempo))
    try change(&options)
    return try options.plan()
}
