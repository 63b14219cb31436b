/// Puts the grid of a plan on the frames of a stream: the instant at which each segment starts, and its tick length.
internal struct FrameLayout {
    internal private(set) var segments: [Segment]
    internal private(set) var increments: [Increment] = []
    /// The instant at which the last segment ends; `nil`: never.
    internal private(set) var end: ExactInstant? = ExactInstant()
    /// The frame at which playing begins.
    internal private(set) var startFrame: Int64 = 0

    private var incrementTables: [IncrementKey: Int] = [:]

    private struct IncrementKey: Hashable {
        var numerator: Int64
        var denominator: UInt64
        var pattern: Int
    }

    internal init(_ grid: PlanGrid, frameRate: Ratio) throws(PlanError) {
        segments = grid.segments
        for index in segments.indices {
            segments[index].sampleRate = frameRate.value
            try set(grid.sources[index].law, of: index, in: grid, frameRate: frameRate)
            guard index < grid.planSegmentCount else { continue }
            if let place = end?.place(inHalves: segments[index].tickDenominator) {
                (segments[index].anchor, segments[index].anchorHalves) = place
            }
            let segment = segments[index]
            if segment.endTick == Int64.max {
                end = nil
            } else {
                guard !segment.isOutOfReach(tick: segment.endTick) else { throw .tooLong }
                end?.add(segment, ticks: segment.endTick - segment.startTick)
            }
        }
        if grid.loopSegment >= 0 { end = nil }
        try enter(grid)
    }

    /// Finds the instant of the entry bar, and lets its count-in end there.
    private mutating func enter(_ grid: PlanGrid) throws(PlanError) {
        guard let (bar, place) = grid.entry else { return }
        let (segment, tick) = (segments[place.segment], grid.tick(of: place))
        guard !segment.isOutOfReach(tick: tick) else { throw .noSuchBar(bar) }
        var start = ExactInstant()
        for earlier in segments[..<place.segment] { start.add(earlier, ticks: earlier.endTick - earlier.startTick) }
        start.add(segment, ticks: tick - segment.startTick)
        if let last = segments.indices.last, last >= grid.planSegmentCount {
            start.add(segments[last], ticks: segments[last].endTick, isBackward: true)
            (segments[last].anchor, segments[last].anchorHalves) = start.place(inHalves: segments[last].tickDenominator)
        }
        startFrame = start.nearestFrame()
    }

    private mutating func set(
        _ law: TempoCourse.Law, of index: Int, in grid: PlanGrid, frameRate: Ratio
    ) throws(PlanError) {
        let (segment, (_, counts, pattern)) = (segments[index], grid.sources[index])
        guard let tempo = law.steadyTempo else { return }
        // A tick is 60 · rate · counts per beat / (tempo · ticks per beat) frames.
        let above = 60 * Int128(frameRate.numerator) * Int128(tempo.denominator) * Int128(counts.numerator)
        let below = Int128(tempo.numerator) * Int128(counts.denominator) * Int128(segment.ticksPerBeat)
        let (whole, isTooFine) = below.multipliedReportingOverflow(by: Int128(frameRate.denominator))
        // Beyond 62 bits the nearest tick is used, with a relative error below 10^-18.
        let exact = isTooFine ? nil : Ratio(wide: above, over: whole)
        let fitting = exact.flatMap { $0.denominator < 1 << 62 ? $0 : nil }
        guard !isTooFine, let tick = fitting ?? Ratio(nearestTo: above, over: whole, limit: 1 << 62) else {
            throw .tooFine
        }
        segments[index].tickNumerator = tick.numerator
        segments[index].tickDenominator = UInt64(tick.denominator)
        let key = IncrementKey(
            numerator: tick.numerator, denominator: segments[index].tickDenominator, pattern: pattern)
        segments[index].firstIncrement = incrementTables[key] ?? increments.count
        guard incrementTables[key] == nil else { return }
        incrementTables[key] = increments.count
        let denominator = UInt128(segments[index].tickDenominator)
        for step in grid.patterns[pattern].pattern.steps {
            let product = UInt128(UInt64(step)) * UInt128(UInt64(tick.numerator))
            increments.append(Increment(whole: Int64(product / denominator), remainder: UInt64(product % denominator)))
        }
    }
}
