import Timebase

/// The strokes of a plan, as the scheduler hands them out: all of them, or the first `limit`.
func strokes(
    of plan: PracticePlan, sampleRate: Int = 48_000, limit: Int = 1_000_000, from bar: Int64? = nil
) throws -> [BeatEvent] {
    let schedule = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
    schedule.initialize(to: try BeatSchedule(plan, sampleRate: sampleRate))
    defer {
        schedule.deinitialize(count: 1)
        schedule.deallocate()
    }
    var scheduler = BeatScheduler(schedule)
    if let bar, !scheduler.seek(bar: bar) { throw PlanError.noSuchBar(bar) }
    var strokes: [BeatEvent] = []
    while strokes.count < limit, !scheduler.isFinished {
        strokes.append(scheduler.next)
        scheduler.advance()
    }
    return strokes
}

/// The strokes of a command line of options.
func strokes(
    _ tempo: String, sampleRate: Int = 48_000, limit: Int = 1_000,
    _ change: (inout PlanOptions) throws -> Void = { _ in }
) throws -> [BeatEvent] {
    var options = PlanOptions(tempo: try TempoNotation(parsing: tempo))
    try change(&options)
    return try strokes(of: try options.plan(), sampleRate: sampleRate, limit: limit)
}
