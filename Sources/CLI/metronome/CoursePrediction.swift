internal import Configuration
internal import Music
internal import Timebase

/// Tells the beats that a plan has in store, by the scheduler that the audio thread uses too.
struct CoursePrediction {
    let sampleRate: Hertz
    /// The true frames per second, where they are known.
    let frameRate: Ratio?

    /// The strokes that are looked through for a beat: a bar of the finest subdivision has fewer.
    private static let mostStrokes = 100_000

    /// The next beats.
    ///
    /// - Parameters:
    ///   - beat: the one to begin with, at its own instant; `nil`: the beginning of the plan.
    ///   - end: the frame at which the plan is cut off.
    /// - Returns: up to `count` beats, `beat` the first of them; `nil` if the plan does not have it.
    func beats(_ count: Int, of grid: PlanGrid, from beat: BeatEvent?, end: Int64? = nil) -> [BeatEvent]? {
        guard let schedule = try? BeatSchedule(grid, sampleRate: sampleRate, frameRate: frameRate) else { return nil }
        let memory = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
        memory.initialize(to: schedule)
        defer {
            memory.deinitialize(count: 1)
            memory.deallocate()
        }
        var scheduler = BeatScheduler(memory)
        var shift: Int64 = 0
        if let beat {
            guard let found = Self.place(&scheduler, on: beat) else { return nil }
            shift = found
        }
        var beats: [BeatEvent] = []
        for _ in 0..<Self.mostStrokes {
            var next = scheduler.next
            guard beats.count < count, !next.isEnd, next.frame < .max else { break }
            next.frame += shift
            if let end, next.frame >= end { break }
            if next.isBeat { beats.append(next) }
            scheduler.advance()
        }
        return beats
    }

    /// Moves to a beat; returns how much later it lies than the scheduler has it.
    private static func place(_ scheduler: inout BeatScheduler, on beat: BeatEvent) -> Int64? {
        guard beat.section >= 0 else {
            // A count-in stands at the beginning, and its bars have no place of their own in the plan.
            for _ in 0..<mostStrokes {
                let next = scheduler.next
                guard !next.isEnd, next.section < 0 else { return nil }
                if next.isBeat, next.bar == beat.bar, next.beat == beat.beat { return beat.frame - next.frame }
                scheduler.advance()
            }
            return nil
        }
        // A millionth of a frame is as good as the exact fraction here.
        let wide = Int128(beat.floorFrame) << 20 + Int128((beat.fraction * 0x1p20).rounded())
        guard let instant = Ratio(wide: wide, over: 1 << 20).flatMap(FramePosition.init) else { return nil }
        return scheduler.seek(bar: beat.bar, beat: beat.beat, at: instant) ? 0 : nil
    }
}
