/// A plan as a Standard MIDI File: one track of tempo and meter events and of a note for each stroke.
///
/// A MIDI tempo is a whole number of microseconds per quarter note. What rounding takes from one beat is given to the
/// next, so that every beat of the file, played back, is within one microsecond of its instant, for ever (a few below
/// 3.6 quarters per minute, which the format cannot say in one).
///
/// A MIDI meter has at most 255 beats, of a power of two. Any other is written as the nearest there is, so that none stays
/// in force where it has ended: 4/3 as 4/4, 4/100 as 4/128, 300/64 as 150/32, which is as long, 1000/1 as 255/1.
///
/// - SeeAlso: Standard MIDI Files 1.0, MIDI Manufacturers Association, RP-001.
public struct StandardMIDIFile: Sendable {
    /// The bytes of the file.
    public let bytes: [UInt8]

    /// Ticks of a quarter note: 2⁶ · 3 · 5, so that triplets, quintuplets and 64ths fall on whole ticks.
    public static var ticksPerQuarter: Int { 960 }

    /// 2²⁴ strokes: nine days of 16ths at 120 beats per minute, in a file of 200 megabytes.
    private static var mostStrokes: Int { 1 << 24 }

    /// Microseconds are the frames of this file.
    private static let sampleRate = 1_000_000

    /// Writes a plan, from its beginning or the bar at which it is entered to its end.
    ///
    /// - Parameters:
    ///   - plan: what is played; a plan without end needs a limit.
    ///   - limit: where to end a plan that does not.
    public init(_ plan: PracticePlan, limit: TimeSpan) throws(PlanError) {
        let schedule = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
        schedule.initialize(to: try BeatSchedule(plan, sampleRate: Self.sampleRate))
        defer {
            schedule.deinitialize(count: 1)
            schedule.deallocate()
        }
        let first = schedule.pointee.startFrame
        let last = schedule.pointee.endFrame ?? first + limit.frameCount(sampleRate: Self.sampleRate)
        var scheduler = BeatScheduler(schedule)
        let loudest = schedule.pointee.loudestStroke(gains: MIDITrack.levels, part: MIDITrack.part)
        var track = MIDITrack(from: scheduler.next, loudest: max(1, loudest))
        var count = 0
        while !scheduler.isFinished, scheduler.nextFrame < last {
            track.take(scheduler.next)
            scheduler.advance()
            count += 1
            guard count <= Self.mostStrokes else { throw .tooLong }
        }
        var end = scheduler.next
        if !scheduler.isFinished { (end.floorFrame, end.fraction) = (last, 0) }
        track.finish(at: end)
        bytes = track.file(ticksPerQuarter: Self.ticksPerQuarter)
    }
}

/// The events of one track as they are written.
private struct MIDITrack {
    private var data: [UInt8] = []
    private var lastTick: Int64 = 0
    /// The tick and the instant, in microseconds as the file will be played, of the beat at hand.
    private var beatTick: Int64 = 0
    private var played: Double
    private var microsecondsPerQuarter = 0
    private var meter: (beats: Int32, denominator: Int32) = (0, 0)
    /// Note ends that are still to be written.
    private var sounding: [(tick: Int64, note: UInt8)] = []

    /// A 32nd note: long enough for a drum machine, shorter than any part of a beat it would run into.
    private let noteLength: Int64 = 30

    /// The strokes of the beat at hand, which share its tempo.
    private var strokes: [BeatEvent] = []

    /// A track that begins with a stroke.
    init(from first: BeatEvent, loudest: Float) {
        played = Double(first.floorFrame) + first.fraction
        fullVelocity = 127 / loudest
    }

    /// Velocities of the levels as shares of the full one, and what a part of a beat has of them.
    static let levels = SIMD4<Float>(0, 0.55, 0.75, 1)
    static let part: Float = 0.6
    private let fullVelocity: Float

    mutating func take(_ stroke: BeatEvent) {
        if stroke.part == 0, stroke.layer == 0 { writeBeat(until: stroke) }
        strokes.append(stroke)
    }

    mutating func finish(at end: BeatEvent) {
        writeBeat(until: end)
        finishNotes(before: .max)
        event(at: max(beatTick, lastTick), [0xFF, 0x2F, 0x00])
    }

    private mutating func writeBeat(until next: BeatEvent) {
        guard let beat = strokes.first else { return }
        defer { strokes.removeAll(keepingCapacity: true) }
        let denominator = Double(beat.denominator)
        var ticks = Int64((Double(4 * StandardMIDIFile.ticksPerQuarter) / denominator).rounded())
        let (from, to) = (instant(beat), instant(next))
        // 24 bits of microseconds are a quarter of 16.8 s; a slower beat is written as two, four or more of them.
        while (to - played) / Double(ticks) * Double(StandardMIDIFile.ticksPerQuarter) > Double(0xFF_FFFE),
            ticks < 1 << 26
        {
            ticks *= 2
        }
        // What earlier rounding owes goes into this beat.
        let quarters = Double(ticks) / Double(StandardMIDIFile.ticksPerQuarter)
        let wanted = Int(((to - played) / quarters).rounded())
        let clamped = min(max(wanted, 1), 0xFF_FFFF)
        finishNotes(before: beatTick)
        if (beat.beatsInBar, beat.denominator) != meter, beat.beat == 1 { writeMeter(beat) }
        if clamped != microsecondsPerQuarter {
            microsecondsPerQuarter = clamped
            event(at: beatTick, [0xFF, 0x51, 0x03] + (0..<3).map { UInt8(clamped >> (16 - 8 * $0) & 0xFF) })
        }
        for stroke in strokes where stroke.level != .silent && !stroke.isMuted {
            let share = to > from ? (instant(stroke) - from) / (to - from) : 0
            strike(stroke, at: beatTick + Int64((share * Double(ticks)).rounded()))
        }
        played += Double(clamped) * quarters
        beatTick += ticks
    }

    private func instant(_ event: BeatEvent) -> Double { Double(event.floorFrame) + event.fraction }

    /// A meter event holds up to 255 beats of a power of two; another meter is written as the nearest.
    private mutating func writeMeter(_ beat: BeatEvent) {
        meter = (beat.beatsInBar, beat.denominator)
        var power = 0
        // Up while the next power is at most as far: 3 lies as near to 4 as to 2.
        while (3 << power) <= 2 * beat.denominator { power += 1 }
        var beats = beat.beatsInBar
        while beats > 255, beats.isMultiple(of: 2), power > 0 { (beats, power) = (beats / 2, power - 1) }
        // 24 MIDI clocks in a quarter, 8 32nds in a quarter.
        let clocks = UInt8(clamping: 96 >> power)
        event(at: beatTick, [0xFF, 0x58, 0x04, UInt8(clamping: beats), UInt8(power), max(1, clocks), 8])
    }

    /// Channel 10 of General MIDI: 76 high and 77 low wood block, 56 cowbell and its neighbours for other voices.
    private mutating func strike(_ stroke: BeatEvent, at tick: Int64) {
        finishNotes(before: tick + 1)
        let note: UInt8 =
            stroke.layer > 0
            ? UInt8(clamping: 55 + Int(stroke.layer)) : stroke.level == .accent && stroke.part == 0 ? 76 : 77
        let loudness =
            Self.levels[stroke.level.number] * stroke.volume * (stroke.part == 0 ? 1 : Self.part)
        event(at: tick, [0x99, note, UInt8(min(127, max(1, (loudness * fullVelocity).rounded())))])
        sounding.append((tick + noteLength, note))
    }

    private mutating func finishNotes(before tick: Int64) {
        for note in sounding where note.tick < tick { event(at: max(note.tick, lastTick), [0x89, note.note, 0x40]) }
        sounding.removeAll { $0.tick < tick }
    }

    private mutating func event(at tick: Int64, _ bytes: [UInt8]) {
        data += Self.variableLength(UInt64(max(0, tick - lastTick)))
        data += bytes
        lastTick = max(lastTick, tick)
    }

    /// Seven bits a byte, the highest first, the eighth bit set in all but the last.
    private static func variableLength(_ value: UInt64) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    func file(ticksPerQuarter: Int) -> [UInt8] {
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        return Array("MThd".utf8) + big(6, 4) + big(0, 2) + big(1, 2) + big(ticksPerQuarter, 2) + Array("MTrk".utf8)
            + big(data.count, 4) + data
    }
}
