/// What changes a grid without laying out its sections again.
extension PlanGrid {
    /// The grid with all its tempi multiplied; `nil` if one of them cannot be represented.
    package func scaled(by factor: Ratio) -> PlanGrid? {
        guard let plan = plan.scaled(by: factor) else { return nil }
        var scaled = self
        scaled.plan = plan
        for index in segments.indices {
            guard let law = sources[index].law.scaled(by: factor) else { return nil }
            scaled.sources[index].law = law
            scaled.segments[index].follow(law)
        }
        return scaled
    }

    /// These sections with the count-in, the muted bars and beats, the entry bar and the end of a plan.
    ///
    /// - Parameter plan: has the sections of this grid.
    package func playing(_ plan: PracticePlan) throws(PlanError) -> PlanGrid {
        var layout = GridLayout(self)
        layout.grid.plan = plan
        if case .bars(let count) = plan.end { try layout.grid.end(after: count) }
        if let bar = plan.entryBar { try layout.grid.unroll(to: bar) }
        if let gap = plan.gap {
            let run = layout.lay(gap, from: 1)
            for index in layout.grid.segments.indices where layout.grid.segments[index].gaps.count == 0 {
                layout.grid.segments[index].gaps = run
            }
        }
        if let countIn = plan.countIn {
            try layout.add(countIn, before: SchedulePlace(segment: 0, cycle: 0, stroke: 0), inBar: 1)
            layout.grid.beginWithLast()
        }
        if let bar = plan.entryBar, bar != 1 {
            guard let place = layout.grid.place(bar: bar, beat: 1) else { throw .noSuchBar(bar) }
            layout.grid.entry = (bar, place)
            // Before bar 1 the plan has its own count-in.
            if let countIn = plan.countIn, bar > 1 { try layout.add(countIn, before: place, inBar: bar) }
        }
        return layout.grid
    }

    /// Cuts the plan off after a bar.
    private mutating func end(after bar: Int64) throws(PlanError) {
        guard bar > 0 else { throw .nothingToPlay }
        try unroll(to: bar)
        loopSegment = -1
        if let endBar, endBar - 1 <= bar { return }
        guard bar < .max, let place = place(bar: bar + 1, beat: 1) else { throw .tooLong }
        let tick = tick(of: place)
        let count = place.segment + (tick > segments[place.segment].startTick ? 1 : 0)
        segments.removeSubrange(count...)
        sources.removeSubrange(count...)
        if count > place.segment { segments[place.segment].endTick = tick }
        labels.removeAll { $0.bar > bar }
        (endBar, planSegmentCount) = (bar + 1, count)
    }

    /// Repeats a loop until it reaches a bar; playing then repeats the last round.
    private mutating func unroll(to bar: Int64) throws(PlanError) {
        while loopSegment >= 0, let end = endBar, end <= bar {
            let (round, length) = (loopSegment..<segments.count, end - segments[loopSegment].firstBar)
            loopSegment = segments.count
            for index in round {
                var segment = segments[index]
                (segment.firstBar, segment.startBar) = (segment.firstBar + length, segment.startBar + length)
                segment.gaps.bar += length
                segments.append(segment)
                sources.append(sources[index])
            }
            (endBar, planSegmentCount) = (end + length, segments.count)
            guard segments.count <= GridLayout.mostSegments else { throw .tooLong }
        }
    }

    /// Moves the last segment to the beginning.
    private mutating func beginWithLast() {
        segments.insert(segments.removeLast(), at: 0)
        sources.insert(sources.removeLast(), at: 0)
        if loopSegment >= 0 { loopSegment += 1 }
        planSegmentCount += 1
    }
}
