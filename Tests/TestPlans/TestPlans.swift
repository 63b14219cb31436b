internal import Music
package import Notation
public import Timebase

/// A plan as it is written on a command line.
package func plan(_ tempo: String, _ change: (inout PlanOptions) throws -> Void = { _ in }) throws -> PracticePlan {
    var options = PlanOptions(tempo: try TempoNotation(parsing: tempo))
    try change(&options)
    return try options.plan()
}

/// The strokes of a plan, as the scheduler hands them out: all of them, or the first `limit`.
public func strokes(
    of plan: PracticePlan, sampleRate: Int = 48_000, limit: Int = 1_000_000, from bar: Int64? = nil
) throws -> [BeatEvent] {
    var all = PlanStrokes(try BeatSchedule(plan, sampleRate: sampleRate.hertz))
    if let bar, !all.seek(bar: bar) { throw PlanError.noSuchBar(bar) }
    var strokes: [BeatEvent] = []
    while strokes.count < limit, let stroke = all.next() { strokes.append(stroke) }
    return strokes
}

/// The strokes of a command line of options.
package func strokes(
    _ tempo: String, sampleRate: Int = 48_000, limit: Int = 1_000,
    _ change: (inout PlanOptions) throws -> Void = { _ in }
) throws -> [BeatEvent] {
    try strokes(of: try plan(tempo, change), sampleRate: sampleRate, limit: limit)
}

/// The beats of a plan without the strokes between them, `limit` of them at most.
public func beats(of plan: PracticePlan, limit: Int) throws -> [BeatEvent] {
    var all = PlanStrokes(try BeatSchedule(plan, sampleRate: 48.kilohertz))
    var beats: [BeatEvent] = []
    while beats.count < limit, let stroke = all.next() { if stroke.isBeat { beats.append(stroke) } }
    return beats
}
