/// Lays a plan out in tables; the work behind `BeatSchedule.init`.
internal struct ScheduleLayout {
    internal let frameRate: Ratio
    internal var segments: [Segment] = []
    internal var strokes: [Stroke] = []
    internal var increments: [Increment] = []
    internal var barLevels: [UInt64] = []
    internal var gaps: [Bool] = []
    internal var labels: [(label: String, bar: Int64)] = []
    internal var layerCount = 1
    internal var loopSegment = -1
    /// The instant at which the last segment ends; `nil`: never.
    internal var end: ExactInstant? = ExactInstant()

    /// The largest volume at which each level is struck: as a beat or another voice, and as a part of a beat.
    internal var loudest: (beats: SIMD4<Float>, parts: SIMD4<Float>) = (SIMD4(), SIMD4())

    private struct LaidPattern {
        var pattern: BarPattern
        var firstStroke: Int
        var firstBarLevels: Int
        /// 1 for each level that is struck.
        var beats = SIMD4<Float>()
        var parts = SIMD4<Float>()
    }

    private var patterns: [BarPattern.Key: LaidPattern] = [:]
    private var incrementTables: [IncrementKey: Int] = [:]
    private var gapTables: [GapPlan: Int] = [:]
    internal var nextBar: Int64 = 1

    private struct IncrementKey: Hashable {
        var numerator: Int64
        var denominator: UInt64
        var steps: [Int64]
    }

    /// A million segments: 80 hours of a new tempo on each beat at 208 BPM.
    private static let mostSegments = 1_000_000

    internal init(frameRate: Ratio) { self.frameRate = frameRate }

    internal mutating func add(_ plan: PracticePlan) throws(PlanError) {
        if let countIn = plan.countIn, let first = plan.sections.first {
            let section = countIn.section(before: first, levels: first.levels[0], tempo: first.tempo.first)
            nextBar = 1 - (section.bars ?? 1)
            try add(section, index: -1, gap: nil, barLimit: nil)
        }
        var left: Int64?
        if case .bars(let count) = plan.end { left = count }
        // A loop is laid out as often as a limit of bars, or the bar to enter at, asks for; then it goes on from the last
        // time round.
        var isAgain = false
        repeat {
            let first = isAgain ? plan.loopSection ?? 0 : 0
            for (index, section) in plan.sections.enumerated().dropFirst(first) {
                if let left, left <= 0 { break }
                guard end != nil else { throw .neverReached(section: index) }
                if plan.loopSection == index { loopSegment = segments.count }
                if let label = section.label, !isAgain { labels.append((label, nextBar)) }
                try add(section, index: index, gap: plan.gap, barLimit: left)
                if let bars = section.bars, let limit = left { left = limit - bars }
            }
            guard !segments.isEmpty else { throw .nothingToPlay }
            isAgain = loopSegment >= 0 && end != nil && (left.map { $0 > 0 } ?? (plan.entryBar ?? 0 >= nextBar))
        } while isAgain
        if loopSegment >= 0 {
            if left == nil { end = nil } else { loopSegment = -1 }
        }
    }

    internal mutating func add(_ section: PlanSection, index: Int, gap: GapPlan?, barLimit: Int64?) throws(PlanError) {
        let key = BarPattern.Key(
            levels: section.levels, subdivision: section.subdivision, swing: section.swing, cross: section.cross)
        let laid = try lay(key)
        let pattern = laid.pattern
        guard section.bars ?? 1 > 0, section.denominator > 0, !section.tempo.pieces.isEmpty else {
            throw .nothingToPlay
        }
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
        segment.sampleRate = frameRate.value
        segment.quartersPerBeat = 4 / Double(section.denominator)
        segment.volume = section.volume.isFinite ? Float(max(0, section.volume)) : 0
        loudest.beats = pointwiseMax(loudest.beats, laid.beats * segment.volume)
        loudest.parts = pointwiseMax(loudest.parts, laid.parts * segment.volume)
        segment.section = Int32(index)
        segment.denominator = Int32(section.denominator)
        if let own = section.gap ?? gap {
            (segment.firstGap, segment.gapCount, segment.gapRepeat) = lay(own)
            segment.gapBar = section.gap == nil ? 1 : nextBar
        }
        var tick: Int64 = 0
        for piece in section.tempo.pieces {
            if let endTick, tick >= endTick { break }
            guard end != nil else { throw .neverReached(section: index) }
            segment.startTick = tick
            var pieceEnd = endTick
            if let beats = piece.beats {
                guard beats > 0, beats <= Int64.max / 4 / pattern.ticksPerBeat else { throw .tooLong }
                let last = tick + beats * pattern.ticksPerBeat
                pieceEnd = min(last, endTick ?? last)
            }
            segment.endTick = pieceEnd ?? Int64.max
            place(&segment, in: pattern)
            try set(piece.law, of: &segment, steps: pattern.steps, denominator: section.denominator)
            if let place = end?.place(inHalves: segment.tickDenominator) {
                (segment.anchor, segment.anchorHalves) = place
            }
            segments.append(segment)
            guard segments.count <= Self.mostSegments else { throw .tooLong }
            if let pieceEnd, segment.isOutOfReach(tick: pieceEnd) { throw .tooLong }
            if let pieceEnd { end?.add(segment, ticks: pieceEnd - tick) } else { end = nil }
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

    private mutating func set(
        _ law: TempoCourse.Law, of segment: inout Segment, steps: [Int64], denominator: Int
    ) throws(PlanError) {
        let beatsPerQuarter = Double(denominator) / 4
        switch law {
        case .ramp(let from, let to, let beats, let curve) where from != to:
            guard from > Ratio(0), to > Ratio(0), beats > 0 else { throw .nothingToPlay }
            segment.tickNumerator = 0
            segment.ramp = TempoRamp(
                from: from.value * beatsPerQuarter, to: to.value * beatsPerQuarter, over: beats, curve: curve)
        case .steady(let tempo), .ramp(let tempo, _, _, _):
            // A tick: 60 · rate / (tempo · denominator / 4 · ticks per beat) frames.
            guard tempo > Ratio(0) else { throw .nothingToPlay }
            let above = 240 * Int128(frameRate.numerator) * Int128(tempo.denominator)
            let below = Int128(tempo.numerator) * Int128(denominator) * Int128(segment.ticksPerBeat)
            let (whole, isTooFine) = below.multipliedReportingOverflow(by: Int128(frameRate.denominator))
            // Beyond 62 bits it is the nearest tick that has them, off by less than 10^-18 of itself.
            let exact = isTooFine ? nil : Ratio(wide: above, over: whole)
            let fitting = exact.flatMap { $0.denominator < 1 << 62 ? $0 : nil }
            guard !isTooFine, let tick = fitting ?? Ratio(nearestTo: above, over: whole, limit: 1 << 62) else {
                throw .tooFine
            }
            segment.tickNumerator = tick.numerator
            segment.tickDenominator = UInt64(tick.denominator)
            let key = IncrementKey(numerator: tick.numerator, denominator: segment.tickDenominator, steps: steps)
            if let known = incrementTables[key] {
                segment.firstIncrement = known
                return
            }
            segment.firstIncrement = increments.count
            incrementTables[key] = increments.count
            for step in steps {
                let product = Int128(step) * Int128(tick.numerator)
                increments.append(
                    Increment(
                        whole: Int64(product / Int128(tick.denominator)),
                        remainder: UInt64(product % Int128(tick.denominator))))
            }
        }
    }

    private mutating func lay(_ key: BarPattern.Key) throws(PlanError) -> LaidPattern {
        if let known = patterns[key] { return known }
        let pattern = try BarPattern(key)
        var laid = LaidPattern(pattern: pattern, firstStroke: strokes.count, firstBarLevels: barLevels.count)
        for stroke in pattern.strokes where stroke.level != .silent {
            if stroke.part == 0 { laid.beats[stroke.level.number] = 1 } else { laid.parts[stroke.level.number] = 1 }
        }
        strokes += pattern.strokes
        guard strokes.count <= 1 << 23 else { throw .tooLong }
        layerCount = max(layerCount, pattern.layerCount)
        for bar in 0..<pattern.barCount {
            let levels = key.levels[bar % key.levels.count]
            barLevels.append(packed(levels))
        }
        patterns[key] = laid
        return laid
    }

    private mutating func lay(_ plan: GapPlan) -> (first: Int, count: Int, repeatFrom: Int) {
        if let known = gapTables[plan] { return (known, plan.isMuted.count, plan.repeatFrom) }
        gapTables[plan] = gaps.count
        gaps += plan.isMuted
        return (gaps.count - plan.isMuted.count, plan.isMuted.count, plan.repeatFrom)
    }
}

/// The levels of the first 32 beats of a bar, two bits each, the first beat lowest.
internal func packed(_ levels: [AccentLevel]) -> UInt64 {
    var packed: UInt64 = 0
    for (beat, level) in levels.prefix(32).enumerated() { packed |= UInt64(level.number) << UInt64(2 * beat) }
    return packed
}
