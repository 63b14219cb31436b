/// A plan on its grid: numbered bars, strokes on ticks, tempi as given. Independent of any sample rate.
///
/// It finds every fault of a plan, and answers for the place, the tempo and the muting of a beat. `BeatSchedule` adds the
/// frames.
package struct PlanGrid: Sendable {
    package private(set) var plan: PracticePlan
    /// The labels of the sections, with the bar at which each begins.
    package internal(set) var labels: [(label: String, bar: Int64)] = []
    internal var segments: [Segment] = []
    /// The tempo law, the counted notes per beat, and the pattern of each segment.
    internal var sources: [(law: TempoCourse.Law, countsPerBeat: Ratio, pattern: Int)] = []
    internal var strokes: [Stroke] = []
    /// The distances between neighbouring strokes, for each pattern.
    internal var steps: [[Int64]] = []
    internal var barLevels: [BarLevels] = []
    internal var gaps: [Bool] = []
    internal var layerCount = 1, loopSegment = -1
    /// The bar after the last; `nil`: the plan has no last bar.
    internal var endBar: Int64?
    /// The largest volume of each level, for beats and other voices, and for parts of a beat.
    internal var loudest: (beats: LevelAmplitudes, parts: LevelAmplitudes) = (LevelAmplitudes(), LevelAmplitudes())
    /// How many segments the plan has; the count-in before a later bar comes after them.
    internal var planSegmentCount = 0
    /// The entry bar, if it is not the first.
    internal var entry: (bar: Int64, place: SchedulePlace)?

    /// Lays out a plan.
    ///
    /// - Throws: `PlanFault` with the section that cannot be laid out.
    package init(_ plan: PracticePlan) throws(PlanFault) {
        self.plan = plan
        var layout = GridLayout(self)
        do throws(PlanError) {
            try layout.addSections()
            try layout.addEntry()
        } catch {
            throw PlanFault(error: error, section: layout.section)
        }
        self = layout.grid
    }

    /// The bars from bar 1 to the end; `nil`: no end, or one that is a time.
    package var barCount: Int64? {
        switch plan.end {
        case .bars(let count): count
        case .time: nil
        case nil: endBar.map { $0 - 1 }
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
}

/// An error of a plan, and the section that causes it.
package struct PlanFault: Error {
    package let error: PlanError
    /// The section's index; `nil`: the plan as a whole.
    package let section: Int?
}
