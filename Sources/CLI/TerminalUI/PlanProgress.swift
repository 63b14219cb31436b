public import Timebase

/// Where a beat stands in its plan: in which section, how far along a ramp, how far from the next muted bar.
public struct PlanProgress: Sendable {
    /// What can be said about the place of a beat.
    public struct Place: Sendable, Equatable {
        /// Before the first bar; label, bars and tempo are those of the bar that is counted in.
        public var isCountIn = false
        /// What the section is called.
        public var label: String?
        /// The bar within the section, from 1, and how many the section has.
        public var bar: Int64 = 1
        /// How many bars the section has, if it ends.
        public var bars: Int64?
        /// The tempo of the plan at this beat, in quarters a minute: exact where it is steady.
        public var tempo = Ratio(120)
        /// A moving tempo: where it comes from, where it leads, and how far it has come, 0 to 1.
        public var ramp: Ramp?
        /// A speed trainer: the next tempo, and in how many beats it begins.
        public var nextStep: Step?
        /// Where bars are muted in turn: whether this one is, and how many bars until that changes.
        public var gap: Gap?
    }

    /// A way from one tempo to another.
    public struct Ramp: Sendable, Equatable {
        /// Quarters a minute at its ends.
        public var from: Double, to: Double
        /// How much of it is over, 0 to 1.
        public var share: Double
    }

    /// A change of tempo to come.
    public struct Step: Sendable, Equatable {
        /// Quarters a minute.
        public var tempo: Double
        /// Beats until then.
        public var beats: Int64
    }

    /// Bars left out in turn.
    public struct Gap: Sendable, Equatable {
        /// Whether this bar is muted.
        public var isMuted: Bool
        /// Bars until that changes, this one included; `nil`: it does not.
        public var bars: Int64?
    }

    private let plan: PracticePlan
    /// The bar at which each section begins when the plan is played once.
    private let starts: [Int64]
    /// The bar after the last; `nil`: the last section has no end.
    private let end: Int64?

    /// The places of a plan.
    public init(_ plan: PracticePlan) {
        self.plan = plan
        var next: Int64? = 1
        var starts: [Int64] = []
        for section in plan.sections {
            starts.append(next ?? 1)
            next = next.flatMap { start in section.bars.map { start + $0 } }
        }
        (self.starts, end) = (starts, next)
    }

    /// How many bars there are from the first to the end; `nil`: no end, or one that is not counted in bars.
    public var barCount: Int64? {
        if case .bars(let count) = plan.end { return count }
        return plan.loopSection == nil && plan.end == nil ? end.map { $0 - 1 } : nil
    }

    /// Whether a beat is counted and not heard, as the plan has it.
    public func isMuted(bar: Int64, beat: Int32, section: Int32) -> Bool {
        if let mutes = plan.mutes, mutes.mutes(bar: bar, beat: beat) { return true }
        guard let (gap, number) = gap(bar: bar, section: Int(section)) else { return false }
        return gap.isMuted(bar: number)
    }

    /// The place of a beat.
    public func place(of beat: BeatEvent) -> Place {
        var place = Place()
        place.isCountIn = beat.section < 0
        // Before anything is heard, and while it is counted in, what holds is the bar that follows.
        let isBefore = place.isCountIn || beat.bar < 1
        let entry = max(1, plan.entryBar ?? 1)
        let index = isBefore ? section(ofBar: entry) : Int(beat.section)
        guard plan.sections.indices.contains(index) else { return place }
        let section = plan.sections[index]
        place.label = section.label
        place.bars = section.bars
        place.bar = barInSection(isBefore ? entry : beat.bar, index) + 1
        if let (gap, number) = gap(bar: beat.bar, section: index) {
            let isMuted = gap.isMuted(bar: number)
            // A round of the longest gaps there are is shorter.
            let change = (1...600).first { gap.isMuted(bar: number + $0) != isMuted }
            place.gap = Gap(isMuted: isMuted, bars: change)
        }
        let count = beats(before: place.bar - 1, in: section) + (isBefore ? 0 : Int64(beat.beat) - 1)
        follow(section.tempo, to: count, place: &place)
        if isBefore { (place.ramp, place.nextStep) = (nil, nil) }
        if place.isCountIn { place.bar = beat.bar }
        return place
    }

    /// The section in which a bar lies when the plan is played once.
    private func section(ofBar bar: Int64) -> Int { max(0, starts.lastIndex { $0 <= bar } ?? 0) }

    private func follow(_ course: TempoCourse, to beat: Int64, place: inout Place) {
        var start: Int64 = 0
        for (index, piece) in course.pieces.enumerated() {
            guard let length = piece.beats, index < course.pieces.count - 1, beat >= start + length else {
                switch piece.law {
                case .steady(let tempo): place.tempo = tempo
                case .ramp(let from, let to, let beats, let curve):
                    let ramp = TempoRamp(from: from.value, to: to.value, over: beats, curve: curve)
                    let tempo = ramp.tempo(atBeat: Double(beat - start))
                    place.tempo = Ratio(Int64((tempo * 1_000).rounded()), 1_000) ?? from
                    let share = min(1, Double(beat - start) / beats)
                    place.ramp = Ramp(from: from.value, to: to.value, share: share)
                }
                if let length = piece.beats, index + 1 < course.pieces.count, place.ramp == nil,
                    case .steady(let next) = course.pieces[index + 1].law
                {
                    place.nextStep = Step(tempo: next.value, beats: start + length - beat)
                }
                return
            }
            start += length
        }
    }

    /// The bar within a section, from 0; a plan that goes on at a section after its end comes by again and again.
    private func barInSection(_ bar: Int64, _ index: Int) -> Int64 {
        let place = bar - starts[index]
        guard let loop = plan.loopSection, let end, starts.indices.contains(loop), end > starts[loop], place >= 0
        else { return max(0, place) }
        return place % (end - starts[loop])
    }

    private func beats(before bar: Int64, in section: PlanSection) -> Int64 {
        let lengths = section.levels.map { Int64($0.count) }
        guard !lengths.isEmpty else { return 0 }
        let (rounds, rest) = bar.quotientAndRemainder(dividingBy: Int64(lengths.count))
        return rounds * lengths.reduce(0, +) + lengths.prefix(Int(rest)).reduce(0, +)
    }

    /// The gaps that hold in a bar, and the bar's number as they count.
    private func gap(bar: Int64, section: Int) -> (gap: GapPlan, bar: Int64)? {
        guard bar >= 1, plan.sections.indices.contains(section) else { return nil }
        if let own = plan.sections[section].gap { return (own, barInSection(bar, section) + 1) }
        return plan.gap.map { ($0, bar) }
    }
}
