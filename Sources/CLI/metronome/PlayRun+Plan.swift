internal import Music
internal import Platform
internal import Timebase
internal import Transport

extension PlayRun {
    /// The bar of a plan that would sound now, had nobody cut the run off; `nil` where the plan would have ended.
    ///
    /// The plan's own strokes are counted, so that each bar has its own meter and tempo. The clock of the sound card would be
    /// some 100 ppm off: 3 ms after half a minute.
    func bar(now: MonotonicTime, in grid: PlanGrid) -> Int64? {
        let rate = 48_000.0
        guard let began, now > began, let schedule = try? BeatSchedule(grid, sampleRate: rate.hertz) else { return bar }
        var strokes = PlanStrokes(schedule)
        guard strokes.seek(bar: bar), let first = strokes.next() else { return nil }
        let end = Double(first.frame) + (now - began) / .seconds(1) * rate
        var sounding = first.bar
        while let stroke = strokes.next() {
            if Double(stroke.frame) > end { return sounding }
            sounding = stroke.bar
        }
        return Double(strokes.endEvent.frame) > end ? sounding : nil
    }
}
