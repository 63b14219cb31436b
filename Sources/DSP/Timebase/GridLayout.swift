/// Lays out the sections of a plan; the work behind `PlanGrid`.
internal struct GridLayout {
    internal var grid: PlanGrid
    /// The index of the pattern of each key.
    private var patterns: [BarPattern.Key: Int] = [:]
    private var gapTables: [GapPlan: Int] = [:]
    private var nextBar: Int64 = 1
    /// Whether the last segment ends.
    private var hasEnd = true
    /// The section that is being laid out; `nil`: the plan as a whole.
    internal private(set) var section: Int?
    private var seconds = 0.0

    /// A million segments: 80 hours with a new tempo on each beat at 208 BPM.
    internal static let mostSegments = 1_000_000

    /// 190,000 years: 2^60 frames at 192 kHz, as far as the beat clock counts.
    private static let longestPlan = 0x1p60 / 192_000

    internal init(_ grid: PlanGrid) { self.grid = grid }

    /// Lays out each section once.
    internal mutating func addSections() throws(PlanError) {
        for (index, section) in grid.plan.sections.enumerated() {
            self.section = index
            guard hasEnd else { throw .neverReached(section: index) }
            if grid.plan.loopSection == index { grid.loopSegment = grid.segments.count }
            if let label = section.label { grid.labels.append((label, nextBar)) }
            try add(section, index: index)
        }
        section = nil
        guard !grid.segments.isEmpty else { throw .nothingToPlay }
        (grid.endBar, grid.planSegmentCount) = (hasEnd ? nextBar : nil, grid.segments.count)
    }

    /// Adds a count-in before the bar at a place, or before the first, as the last segment.
    internal mutating func add(_ countIn: CountIn, before place: SchedulePlace, inBar bar: Int64) throws(PlanError) {
        let segment = grid.segments[place.segment]
        let following = grid.plan.sections[Int(segment.section)]
        let levels = following.levels[Int((bar - segment.firstBar) % Int64(following.levels.count))]
        let tempo = grid.exactTempo(of: place.segment, atTick: grid.tick(of: place))
        let section = countIn.section(before: following, levels: levels, tempo: tempo)
        nextBar = 1 - (section.bars ?? 1)
        try add(section, index: -1)
    }

    private mutating func add(_ section: PlanSection, index: Int) throws(PlanError) {
        guard section.bars ?? 1 > 0, !section.tempo.pieces.isEmpty else { throw .nothingToPlay }
        let parts = try section.subdivision.levels(in: section.beat, isSwung: section.swing != .straight)
        let number = try lay(
            BarPattern.Key(levels: section.levels, parts: parts, swing: section.swing, cross: section.cross))
        let (pattern, firstStroke, firstBarLevels) = grid.patterns[number]
        let endTick = try section.bars.map { bars throws(PlanError) in try Self.tick(ofBar: bars, in: pattern) }

        var segment = Segment()
        (segment.firstStroke, segment.strokeCount) = (firstStroke, pattern.strokes.count)
        (segment.cycleTicks, segment.cycleBars) = (pattern.cycleTicks, Int64(pattern.barCount))
        segment.ticksPerBeat = pattern.ticksPerBeat
        (segment.beat, segment.counted) = (section.beat, section.tempo.noteValue)
        (segment.section, segment.firstBar, segment.firstBarLevels) = (Int32(index), nextBar, firstBarLevels)
        let countsPerBeat = section.beat.count(of: section.tempo.noteValue)
        segment.countsPerBeat = countsPerBeat.value
        segment.volume = section.volume.isFinite ? Float(max(0, section.volume)) : 0
        if let gap = section.gap { segment.gaps = lay(gap, from: nextBar) }
        var tick: Int64 = 0
        for piece in section.tempo.pieces {
            if let endTick, tick >= endTick { break }
            guard hasEnd else { throw .neverReached(section: index) }
            segment.startTick = tick
            var pieceEnd = endTick
            if let beats = piece.beats {
                guard beats > 0, beats <= Int64.max / 4 / pattern.ticksPerBeat else { throw .tooLong }
                let last = tick + beats * pattern.ticksPerBeat
                pieceEnd = min(last, endTick ?? last)
            }
            segment.endTick = pieceEnd ?? Int64.max
            place(&segment, in: pattern)
            segment.follow(piece.law)
            grid.segments.append(segment)
            grid.sources.append((piece.law, countsPerBeat, number))
            guard grid.segments.count <= Self.mostSegments else { throw .tooLong }
            if let pieceEnd {
                seconds += segment.seconds(ofBeats: Double(pieceEnd - tick) / Double(pattern.ticksPerBeat))
                guard seconds < Self.longestPlan else { throw .tooLong }
            } else {
                hasEnd = false
            }
            tick = segment.endTick
        }
        guard nextBar < Int64.max / 2, section.bars ?? 0 < Int64.max / 4 else { throw .tooLong }
        nextBar += section.bars ?? 0
    }

    /// The first tick of a bar, counted from 0 at the start of the section.
    private static func tick(ofBar bar: Int64, in pattern: BarPattern) throws(PlanError) -> Int64 {
        let count = Int64(pattern.barCount)
        guard bar / count < Int64.max / 4 / pattern.cycleTicks else { throw .tooLong }
        return bar / count * pattern.cycleTicks + pattern.barTicks[Int(bar % count)]
    }

    /// Finds the stroke, the bar and the beat at which a segment begins.
    private func place(_ segment: inout Segment, in pattern: BarPattern) {
        segment.startCycle = segment.startTick / pattern.cycleTicks
        let within = segment.startTick % pattern.cycleTicks
        // Every beat has a stroke, so the first one at or after the tick lies on it.
        var (low, high) = (0, pattern.strokes.count)
        while low < high {
            let middle = (low + high) / 2
            if pattern.strokes[middle].tick < within { low = middle + 1 } else { high = middle }
        }
        segment.startStroke = low
        let stroke = pattern.strokes[low]
        segment.startBar = segment.firstBar + segment.startCycle * segment.cycleBars + Int64(stroke.bar)
        segment.startBeat = stroke.beat
    }

    /// The index of a pattern among those of the grid.
    private mutating func lay(_ key: BarPattern.Key) throws(PlanError) -> Int {
        if let known = patterns[key] { return known }
        let pattern = try BarPattern(key)
        // All patterns together are bounded as one is.
        guard grid.strokes.count + pattern.strokes.count <= BarPattern.mostStrokes else { throw .tooLong }
        patterns[key] = grid.patterns.count
        grid.patterns.append((pattern, grid.strokes.count, grid.barLevels.count))
        grid.strokes += pattern.strokes
        for bar in 0..<pattern.barCount { grid.barLevels.append(BarLevels(key.levels[bar % key.levels.count])) }
        return grid.patterns.count - 1
    }

    /// The flags of a gap plan that starts at a bar.
    internal mutating func lay(_ plan: GapPlan, from bar: Int64) -> GapRun {
        var run = GapRun()
        run.first = gapTables[plan] ?? grid.gaps.count
        (run.count, run.repeatFrom, run.bar) = (plan.flags.count, plan.repeatFrom, bar)
        if gapTables[plan] == nil {
            gapTables[plan] = run.first
            grid.gaps += plan.flags
        }
        return run
    }
}
