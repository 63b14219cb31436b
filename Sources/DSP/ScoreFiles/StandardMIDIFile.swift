internal import Music
package import Timebase

/// A plan as a Standard MIDI File: one track of tempo and meter events and of a note for each stroke.
///
/// A MIDI tempo is a whole number of microseconds per quarter note. What rounding takes from one beat is given to the
/// next, so that every beat of the file, played back, is within one microsecond of its instant, for ever (a few below
/// 3.6 quarters per minute, which the format cannot say in one). So is every part of a beat and every stroke of another
/// voice: it lies at its place between the ticks of the beat, in a ramp too, and where these ticks or one tempo for the
/// whole beat would put it elsewhere in time, it has a tempo of its own.
///
/// A MIDI meter has at most 255 beats, of a power of two. Any other is written as the nearest there is, so that none stays
/// in force where it has ended: 4/3 as 4/4, 4/100 as 4/128, 300/64 as 150/32, which is as long, 1000/1 as 255/1.
///
/// - SeeAlso: Standard MIDI Files 1.0, MIDI Manufacturers Association, RP-001.
package struct StandardMIDIFile: Sendable {
    /// The bytes of the file.
    package let bytes: [UInt8]

    /// Ticks of a quarter note: 960 = 2⁶ · 3 · 5, where all strokes of the plan fall on whole ticks with them; otherwise
    /// 27,720, which every number from 1 to 12 divides, or the largest multiple of what the plan needs below 32,768. A plan
    /// that needs more has 27,720, and its strokes lie on the nearest tick.
    package let ticksPerQuarter: Int

    /// 2²⁴ strokes: nine days of 16ths at 120 beats per minute, in a file of 200 megabytes.
    private static var mostStrokes: Int { 1 << 24 }

    /// Microseconds are the frames of this file.
    private static let sampleRate = 1_000_000

    /// Writes a plan, from its beginning or the bar at which it is entered to its end.
    ///
    /// - Parameters:
    ///   - plan: what is played; a plan without end needs a limit.
    ///   - limit: where to end a plan that does not.
    package init(_ plan: PracticePlan, limit: Duration) throws(PlanError) {
        let schedule = try BeatSchedule(plan, sampleRate: Self.sampleRate.hertz)
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
        // A file has 15 bits for the number.
        guard let needed = schedule.ticksPerQuarter(atMost: 32_767) else { return 27_720 }
        for usual in [960, 27_720] where usual.isMultiple(of: needed) { return usual }
        return 32_767 / needed * needed
    }
}
