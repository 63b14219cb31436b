/// A plan on its grid: numbered bars, strokes on ticks, tempi as given. Independent of any sample rate.
///
/// It finds every fault of a plan, and answers for the place, the tempo and the muting of a beat. `BeatSchedule` adds the
/// frames.
package struct PlanGrid: Sendable {
    package internal(set) var plan: PracticePlan
    /// The bars of the map that the plan is read from; none for another plan.
    package var order = PlayingOrder()
    /// The labels of the sections, with the bar at which each begins.
    package internal(set) var labels: [(label: String, bar: Int64)] = []
    internal var segments: [Segment] = []
    /// The tempo law, the counted notes per beat, and the pattern of each segment.
    internal var sources: [(law: TempoCourse.Law, countsPerBeat: Ratio, pattern: Int)] = []
    internal var strokes: [Stroke] = []
    /// The patterns, and where their strokes and the levels of their bars begin in the tables.
    internal var patterns: [(pattern: BarPattern, firstStroke: Int, firstBarLevels: Int)] = []
    internal var barLevels: [BarLevels] = []
    internal var gaps: [Bool] = []
    internal var loopSegment = -1
    /// The bar after the last; `nil`: there is none.
    internal var endBar: Int64?
    /// How many segments the plan has; the count-in before a later bar comes after them.
    internal var planSegmentCount = 0
    /// The entry bar, if it is not the first.
    internal var entry: (bar: Int64, place: SchedulePlace)?

    /// Lays out a plan.
    package init(_ plan: PracticePlan) throws(PlanError) {
        var section: Int?
        self = try PlanGrid(sectionsOf: plan, failing: &section).playing(plan)
    }

    /// Lays out the sections of a plan, without what `playing` adds.
    ///
    /// - Parameter section: becomes the index of the section that causes an error, or `nil` for the plan as a whole.
    package init(sectionsOf plan: PracticePlan, failing section: inout Int?) throws(PlanError) {
        self.plan = plan
        var layout = GridLayout(self)
        defer { section = layout.section }
        try layout.addSections()
        self = layout.grid
    }

    /// The bars from bar 1 to the end; `nil`: no end, or one that is a time.
    package var barCount: Int64? {
        switch plan.end {
        case .bars(let count): count
        case .time: nil
        case nil: loopSegment < 0 ? endBar.map { $0 - 1 } : nil
        }
    }

    package func bar(of label: String) -> Int64? { labels.first { $0.label == label }?.bar }

    internal func place(bar: Int64, beat: Int32) -> SchedulePlace? {
        segments.withUnsafeBufferPointer { segments in
            strokes.withUnsafeBufferPointer { strokes in
                SchedulePlace(
                    bar: bar, beat: beat, segments: UnsafeMutableBufferPointer(mutating: segments),
                    count: planSegmentCount, strokes: UnsafeMutableBufferPointer(mutating: strokes))
            }
        }
    }

    internal func tick(of place: SchedulePlace) -> Int64 {
        let segment = segments[place.segment]
        return place.cycle * segment.cycleTicks + strokes[segment.firstStroke + place.stroke].tick
    }

    /// How many voices the strokes need.
    internal var layerCount: Int { sources.reduce(1) { max($0, patterns[$1.pattern].pattern.layerCount) } }

    /// The largest volume of each level, for beats and other voices, and for parts of a beat.
    internal var loudest: (beats: LevelAmplitudes, parts: LevelAmplitudes) {
        var loudest = (beats: LevelAmplitudes(), parts: LevelAmplitudes())
        for (segment, source) in zip(segments, sources) {
            let pattern = patterns[source.pattern].pattern
            for level in pattern.beats { loudest.beats[level] = max(loudest.beats[level], segment.volume) }
            for level in pattern.parts { loudest.parts[level] = max(loudest.parts[level], segment.volume) }
        }
        return loudest
    }
}
