internal import Music
package import Timebase

/// A plan as a Standard MIDI File: one track with tempo and meter events and one note per stroke.
///
/// A MIDI tempo is a whole number of microseconds per quarter note. A steady tempo is one event, and the file then plays up
/// to half a microsecond per quarter fast or slow: 1 ppm at 120 BPM, nothing where a quarter is a whole number of
/// microseconds. Where the tempo moves, rounding errors carry over to the next beat, so that every beat plays within one
/// microsecond of its exact instant (beats of more than two quarters within half of one for
/// each quarter; a beat below 3.6 per minute is written as several). There the same holds for parts of a beat and for
/// other voices: a stroke gets a tempo of its own if one tempo for the whole beat would move it.
///
/// A MIDI meter has at most 255 beats over a power of two. Other meters become the nearest one: 4/3 becomes 4/4, 4/100
/// 4/128, 300/64 150/32, 1000/1 255/1.
///
/// - SeeAlso: Standard MIDI Files 1.0, MIDI Manufacturers Association, RP-001.
package struct StandardMIDIFile: Sendable {
    package let bytes: [UInt8]

    /// Ticks per quarter note: 960 if they place all strokes exactly; otherwise 27,720, which every number from 1 to 12
    /// divides, or the largest multiple of what the plan needs below 32,768. A plan that needs more gets 27,720, and its
    /// strokes lie on the nearest tick.
    package let ticksPerQuarter: Int

    /// 2²³ strokes: 24 days of eighths at 120 BPM, 100 MB.
    private static var mostStrokes: Int { 1 << 23 }

    /// A frame is a microsecond here.
    private static let sampleRate = 1_000_000

    /// Writes a plan from its beginning, or its entry bar, to its end, or to `limit` if it has none.
    package init(_ grid: PlanGrid, limit: Duration) throws(PlanError) {
        let schedule = try BeatSchedule(grid, sampleRate: Self.sampleRate.hertz)
        let loudest = schedule.loudestStroke(gains: MIDITrack.levels, part: MIDITrack.part)
        ticksPerQuarter = Self.ticksPerQuarter(for: schedule)
        var strokes = PlanStrokes(schedule, limit: limit.frameCount(at: Ratio(Int64(Self.sampleRate))))
        var track = MIDITrack(ticksPerQuarter, loudest: max(1, loudest))
        var count = 0
        while true {
            let (tick, ticks) = strokes.gridPlace
            guard let stroke = strokes.next() else { break }
            track.take(MIDIStroke(event: stroke, tick: tick, ticksPerBeat: ticks))
            count += 1
            guard count <= Self.mostStrokes else { throw .tooLong }
        }
        track.finish(at: strokes.endEvent)
        bytes = track.file
    }

    private static func ticksPerQuarter(for schedule: borrowing BeatSchedule) -> Int {
        // The header has 15 bits for the number.
        guard let needed = schedule.ticksPerQuarter(atMost: 32_767) else { return 27_720 }
        for usual in [960, 27_720] where usual.isMultiple(of: needed) { return usual }
        return 32_767 / needed * needed
    }
}
