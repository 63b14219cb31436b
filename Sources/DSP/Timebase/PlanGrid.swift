/// A plan on its grid: the bars numbered, the strokes on ticks, the tempi as they were named.
///
/// Nothing here depends on a sample rate. Every fault of a plan is found here, and everything that a display tells about
/// the place of a beat; `BeatSchedule` adds the frames.
package struct PlanGrid: Sendable {
    /// The plan.
    package private(set) var plan: PracticePlan
    /// The labels of the sections, with the bar at which each begins.
    package internal(set) var labels: [(label: String, bar: Int64)] = []
    internal var segments: [Segment] = []
    /// For each segment what its tempo does, how many of the note that it counts make a beat, and the pattern it repeats.
    internal var sources: [(law: TempoCourse.Law, countsPerBeat: Ratio, pattern: Int)] = []
    internal var strokes: [Stroke] = []
    /// For each pattern the distances between neighbouring strokes.
    internal var steps: [[Int64]] = []
    internal var barLevels: [UInt64] = []
    internal var gaps: [Bool] = []
    internal var layerCount = 1
    internal var loopSegment = -1
    /// The bar after the last; `nil`: the plan has no last bar.
    internal var endBar: Int64?
    /// The largest volume at which each level is struck: as a beat or another voice, and as a part of a beat.
    internal var loudest: (beats: SIMD4<Float>, parts: SIMD4<Float>) = (SIMD4(), SIMD4())
    /// The segments of the plan; the count-in before a later bar comes after them.
    internal var planSegmentCount = 0
    /// Where the plan is entered, if not at its beginning.
    internal var entry: (bar: Int64, place: SchedulePlace)?

    /// Lays out a plan.
    ///
    /// - Throws: `PlanFault` with the section that cannot be laid out.
    package init(_ plan: PracticePlan) throws(PlanFault) {
        self.plan = plan
        var layout = GridLayout(self)
        try layout.addSections()
        try layout.addEntry()
        self = layout.grid
    }

    /// How many bars there are from bar 1 to the end; `nil`: no end, or one that is not counted in bars.
    package var barCount: Int64? {
        switch plan.end {
        case .bars(let count): count
        case .time: nil
        case nil: endBar.map { $0 - 1 }
        }
    }

    /// The bar at which a labelled section begins.
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

/// What is wrong with a plan, and in which of its sections.
package struct PlanFault: Error {
    package let error: PlanError
    /// The section's index; `nil`: the plan as a whole.
    package let section: Int?

    internal init(_ error: PlanError, in section: Int? = nil) { (self.error, self.section) = (error, section) }
}
