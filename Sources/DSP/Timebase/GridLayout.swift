/// Lays a plan out on its grid; the work behind `PlanGrid.init`.
internal struct GridLayout {
    internal var grid: PlanGrid
    private var patterns: [BarPattern.Key: LaidPattern] = [:]
    private var gapTables: [GapPlan: Int] = [:]
    private var nextBar: Int64 = 1
    /// Whether the last segment ends.
    private var hasEnd = true
    /// The section that is being laid out; `nil`: the plan as a whole.
    internal private(set) var section: Int?
    private var seconds = 0.0

    private struct LaidPattern {
        var pattern: BarPattern
        var number: Int
        var firstStroke: Int
        var firstBarLevels: Int
        /// The levels that are struck.
        var beats: Set<AccentLevel> = [], parts: Set<AccentLevel> = []
    }

    /// A million segments: 80 hours with a new tempo on each beat at 208 BPM.
    private static let mostSegments = 1_000_000

    /// 190,000 years: 2^60 frames at 192 kHz, as far as the beat clock counts.
    private static let longestPlan = 0x1p60 / 192_000

    internal init(_ grid: PlanGrid) { self.grid = grid }

    internal mutating func addSections() throws(PlanError) {
        let plan = grid.plan
        if let countIn = plan.countIn, let first = plan.sections.first {
            let tempo = first.tempo.pieces.first?.law.tempo(atBeat: 0)
            try addCountIn(countIn.section(before: first, levels: first.levels.first ?? [], tempo: tempo))
        }
        var left: Int64?
        if case .bars(let count) = plan.end { left = count }
        // A loop is laid out as often as the limit of bars or the entry bar requires; playing repeats the last round.
        var isAgain = false
        repeat {
            let first = isAgain ? plan.loopSection ?? 0 : 0
            for (index, section) in plan.sections.enumerated().dropFirst(first) {
                if let left, left <= 0 { break }
                if plan.loopSection == index { grid.loopSegment = grid.segments.count }
                if let label = section.label, !isAgain { grid.labels.append((label, nextBar)) }
                self.section = index
                guard hasEnd else { throw .neverReached(section: index) }
                try add(section, index: index, barLimit: left)
                self.section = nil
                if let bars = section.bars, let limit = left { left = limit - bars }
            }
            guard !grid.segments.isEmpty else { throw .nothingToPlay }
            isAgain = grid.loopSegment >= 0 && hasEnd && (left.map { $0 > 0 } ?? (plan.entryBar ?? 0 >= nextBar))
        } while isAgain
        if grid.loopSegment >= 0, left != nil { grid.loopSegment = -1 }
        grid.endBar = hasEnd && grid.loopSegment < 0 ? nextBar : nil
        grid.planSegmentCount = grid.segments.count
    }

    /// Finds the entry bar, and adds its count-in as a segment after all others.
    internal mutating func addEntry() throws(PlanError) {
        let plan = grid.plan
        guard let bar = plan.entryBar, bar != 1 else { return }
        guard let place = grid.place(bar: bar, beat: 1) else { throw .noSuchBar(bar) }
        grid.entry = (bar, place)
        let segment = grid.segments[place.segment]
        // Before bar 1 the plan has its own count-in.
        guard let countIn = plan.countIn, bar > 1, segment.section >= 0 else { return }
        let section = plan.sections[Int(segment.section)]
        let levels = section.levels[Int((bar - segment.firstBar) % Int64(section.levels.count))]
        let beats = Double((grid.tick(of: place) - segment.startTick) / segment.ticksPerBeat)
        let tempo = grid.sources[place.segment].law.tempo(atBeat: beats)
        try addCountIn(countIn.section(before: section, levels: levels, tempo: tempo))
    }

    private mutating func addCountIn(_ section: PlanSection) throws(PlanError) {
        (nextBar, hasEnd) = (1 - (section.bars ?? 1), true)
        try add(section, index: -1, barLimit: nil)
    }

    private mutating func add(_ section: PlanSection, index: Int, barLimit: Int64?) throws(PlanError) {
        guard section.bars ?? 1 > 0, !section.tempo.pieces.isEmpty else {
            throw .nothingToPlay
        }
        let parts = try section.subdivision.levels(in: section.beat, isSwung: section.swing != .straight)
        let laid = try lay(
            BarPattern.Key(levels: section.levels, parts: parts, swing: section.swing, cross: section.cross))
        let pattern = laid.pattern
        var barCount = section.bars
        if let barLimit { barCount = min(barCount ?? barLimit, barLimit) }
        let endTick = try barCount.map { bars throws(PlanError) in try Self.tick(ofBar: bars, in: pattern) }

        var segment = Segment()
        segment.firstStroke = laid.firstStroke
        segment.strokeCount = pattern.strokes.count
        segment.cycleTicks = pattern.cycleTicks
        segment.cycleBars = Int64(pattern.barCount)
        segment.ticksPerBeat = pattern.ticksPerBeat
        segment.firstBarLevels = laid.firstBarLevels
        segment.firstBar = nextBar
        let countsPerBeat = section.beat.count(of: section.tempo.noteValue)
        segment.countsPerBeat = countsPerBeat.value
        segment.volume = section.volume.isFinite ? Float(max(0, section.volume)) : 0
        for level in laid.beats { grid.loudest.beats[level] = max(grid.loudest.beats[level], segment.volume) }
        for level in laid.parts { grid.loudest.parts[level] = max(grid.loudest.parts[level], segment.volume) }
        segment.section = Int32(index)
        segment.beat = section.beat
        if let own = section.gap ?? grid.plan.gap, index >= 0 {
            segment.gaps = lay(own)
            segment.gaps.bar = section.gap == nil ? 1 : nextBar
        }
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
            try set(piece.law, of: &segment)
            grid.segments.append(segment)
            grid.sources.append((piece.law, countsPerBeat, laid.number))
            guard grid.segments.count <= Self.mostSegments else { throw .tooLong }
            if let pieceEnd {
                seconds += segment.seconds(ofBeats: Double(pieceEnd - tick) / Double(pattern.ticksPerBeat))
                guard seconds < Self.longestPlan else { throw .tooLong }
            } else {
                hasEnd = false
            }
            tick = segment.endTick
        }
        guard nextBar < Int64.max / 2, barCount ?? 0 < Int64.max / 4 else { throw .tooLong }
        nextBar += barCount ?? 0
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

    private func set(_ law: TempoCourse.Law, of segment: inout Segment) throws(PlanError) {
        switch law {
        case .ramp(let from, let to, let beats, let curve) where from != to:
            guard from > Ratio(0), to > Ratio(0), beats > 0 else { throw .nothingToPlay }
            segment.steadyTempo = 0
            segment.ramp = TempoRamp(
                from: from.value / segment.countsPerBeat, to: to.value / segment.countsPerBeat, over: beats,
                curve: curve)
        case .steady(let tempo), .ramp(let tempo, _, _, _):
            guard tempo > Ratio(0) else { throw .nothingToPlay }
            segment.steadyTempo = tempo.value
        }
    }

    private mutating func lay(_ key: BarPattern.Key) throws(PlanError) -> LaidPattern {
        if let known = patterns[key] { return known }
        let pattern = try BarPattern(key)
        var laid = LaidPattern(
            pattern: pattern, number: grid.steps.count, firstStroke: grid.strokes.count,
            firstBarLevels: grid.barLevels.count)
        for stroke in pattern.strokes where stroke.level != .silent {
            if stroke.part == 0 { laid.beats.insert(stroke.level) } else { laid.parts.insert(stroke.level) }
        }
        grid.strokes += pattern.strokes
        grid.steps.append(pattern.steps)
        // 2^23: half a gigabyte of strokes.
        guard grid.strokes.count <= 1 << 23 else { throw .tooLong }
        grid.layerCount = max(grid.layerCount, pattern.layerCount)
        for bar in 0..<pattern.barCount { grid.barLevels.append(BarLevels(key.levels[bar % key.levels.count])) }
        patterns[key] = laid
        return laid
    }

    private mutating func lay(_ plan: GapPlan) -> GapRun {
        var run = GapRun()
        run.first = gapTables[plan] ?? grid.gaps.count
        (run.count, run.repeatFrom) = (plan.flags.count, plan.repeatFrom)
        if gapTables[plan] == nil {
            gapTables[plan] = run.first
            grid.gaps += plan.flags
        }
        return run
    }
}
