public import Music
internal import Realtime

/// The strokes of a plan one after another, for tables and files; the audio thread steps through them the same way.
public struct PlanStrokes: ~Copyable {
    private let schedule: UnsafeMutablePointer<BeatSchedule>
    private var scheduler: BeatScheduler
    private let end: Int64

    /// The strokes of a plan from its entry bar on, for a stream of this sample rate.
    public init(_ plan: PracticePlan, sampleRate: Hertz) throws(PlanError) {
        self.init(try BeatSchedule(plan, sampleRate: sampleRate))
    }

    /// The strokes of a schedule from its entry bar on.
    ///
    /// - Parameter limit: the frames after which to stop a plan without end; `nil`: never.
    package init(_ schedule: consuming BeatSchedule, limit: Int64? = nil) {
        end = schedule.endFrame ?? limit.map { [start = schedule.startFrame] in start + $0 } ?? .max
        self.schedule = .allocate(capacity: 1)
        self.schedule.initialize(to: schedule)
        scheduler = BeatScheduler(self.schedule)
    }

    deinit {
        schedule.deinitialize(count: 1)
        schedule.deallocate()
    }

    /// The next stroke; `nil` at the end.
    public mutating func next() -> BeatEvent? {
        guard !isFinished else { return nil }
        let stroke = scheduler.next
        scheduler.advance()
        return stroke
    }

    /// Whether no stroke is left.
    public var isFinished: Bool { scheduler.isFinished || scheduler.nextFrame >= end }

    /// Moves to a bar; returns false and does nothing if the plan does not have it.
    public mutating func seek(bar: Int64) -> Bool { scheduler.seek(bar: bar) }

    /// The tick of the next stroke within its beat, and the ticks of the beat.
    package var gridPlace: (tick: Int64, ticksPerBeat: Int64) {
        let ticks = scheduler.segment.ticksPerBeat
        return (scheduler.tick % ticks, ticks)
    }

    /// The end of the last bar, or the limit.
    package var endEvent: BeatEvent {
        var event = scheduler.next
        if !scheduler.isFinished { (event.frame, event.floorFrame, event.fraction, event.isEnd) = (end, end, 0, true) }
        return event
    }
}

extension BeatSchedule {
    /// The fewest ticks per quarter note that place every stroke exactly; `nil` if they exceed `most`.
    package func ticksPerQuarter(atMost most: Int) -> Int? {
        var needed = 1
        for index in segments.indices {
            let segment = segments[index]
            let quarters = segment.beat.count(of: .quarter)
            let (grid, isTooFine) = segment.ticksPerBeat.multipliedReportingOverflow(by: quarters.denominator)
            guard !isTooFine, grid < 1 << 40 else { return nil }
            let shared = greatestCommonDivisor(UInt128(grid), UInt128(quarters.numerator))
            needed = leastCommonMultiple(needed, Int(grid) / Int(shared))
            if needed > most { return nil }
        }
        return needed
    }
}
