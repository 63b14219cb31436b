/// Where a plan is entered, if not at its beginning.
internal struct PlanEntry {
    internal var bar: Int64
    /// The frame at which playing begins: that of the bar, or of the count-in before it.
    internal var startFrame: Int64
}

extension ScheduleLayout {
    /// Finds the bar at which a plan is entered and lays its count-in before it, as one more segment after all others.
    internal mutating func enter(_ plan: PracticePlan) throws(PlanError) -> PlanEntry? {
        guard let bar = plan.entryBar, bar != 1 else { return nil }
        guard let (index, tick) = place(ofBar: bar) else { throw .noSuchBar(bar) }
        let segment = segments[index]
        var start = ExactInstant()
        for earlier in segments[..<index] { start.add(earlier, ticks: earlier.endTick - earlier.startTick) }
        start.add(segment, ticks: tick - segment.startTick)
        // Up to bar 1 the plan has its count-in already.
        guard let countIn = plan.countIn, bar > 1, segment.section >= 0 else {
            return PlanEntry(bar: bar, startFrame: start.nearestFrame())
        }
        let section = plan.sections[Int(segment.section)]
        let levels = section.levels[Int((bar - segment.firstBar) % Int64(section.levels.count))]
        let tempo = section.tempo.tempo(ofBeat: tick / segment.ticksPerBeat) ?? Ratio(120)
        let lead = countIn.section(before: section, levels: levels, tempo: tempo)
        // Laid out from 0 on, then moved to where it ends with the beginning of the bar.
        (end, nextBar) = (ExactInstant(), 1 - (lead.bars ?? 1))
        try add(lead, index: -1, gap: nil, barLimit: nil)
        var last = segments.removeLast()
        start.add(last, ticks: last.endTick, isBackward: true)
        (last.anchor, last.anchorHalves) = start.place(inHalves: last.tickDenominator)
        segments.append(last)
        return PlanEntry(bar: bar, startFrame: start.nearestFrame())
    }

    /// The segment in which a bar begins, by its number, and the tick at which it does.
    private func place(ofBar bar: Int64) -> (index: Int, tick: Int64)? {
        let isBefore = { (segment: Segment) in
            segment.startBar < bar || (segment.startBar == bar && segment.startBeat == 0)
        }
        guard bar < 1 << 48, let index = segments.lastIndex(where: isBefore) else { return nil }
        let found = segments[index]
        let inside = bar - found.firstBar
        let first = found.firstStroke
        let stroke = strokes[first..<(first + found.strokeCount)].first {
            $0.part == 0 && $0.layer == 0 && $0.beat == 0 && Int64($0.bar) == inside % found.cycleBars
        }
        let cycle = inside / found.cycleBars
        guard let stroke, cycle < Int64.max / 4 / found.cycleTicks else { return nil }
        let tick = cycle * found.cycleTicks + stroke.tick
        return tick < found.endTick && !found.isOutOfReach(tick: tick) ? (index, tick) : nil
    }
}

extension CountIn {
    /// The bars that count in: as the section that follows, with every beat heard and nothing between the beats.
    internal func section(before following: PlanSection, levels: [AccentLevel], tempo: Ratio) -> PlanSection {
        var section = following
        (section.label, section.cross, section.gap) = (nil, nil, nil)
        (section.subdivision, section.swing) = (.whole, .straight)
        section.levels = [levels.map { max($0, .normal) }]
        section.tempo = TempoCourse(pieces: [TempoCourse.Piece(law: .steady(tempo), beats: nil)])
        switch self {
        case .bars(let count):
            section.bars = Int64(count)
        case .beats(let count):
            section.bars = 1
            section.levels = [[.accent] + Array(repeating: .normal, count: count - 1)]
        }
        return section
    }
}

extension TempoCourse {
    /// The tempo at a whole beat, in quarters per minute; in a ramp to a millionth of it.
    internal func tempo(ofBeat beat: Int64) -> Ratio? {
        var left = beat
        for piece in pieces {
            guard let beats = piece.beats, left >= beats else {
                guard case .ramp(let from, let to, let length, let curve) = piece.law, from != to else {
                    return piece.law.start
                }
                let ramp = TempoRamp(from: from.value, to: to.value, over: length, curve: curve)
                return Ratio(Int64((ramp.tempo(atBeat: Double(left)) * 1e6).rounded()), 1_000_000)
            }
            left -= beats
        }
        return pieces.last?.law.start
    }
}
