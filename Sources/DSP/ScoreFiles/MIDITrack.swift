internal import Timebase

/// The events of one track as they are written.
internal struct MIDITrack {
    private var data: [UInt8] = []
    private var lastTick: Int64 = 0
    /// The tick and the instant, in microseconds as the file will be played, of the beat at hand.
    private var beatTick: Int64 = 0
    private var played = 0.0
    private var microsecondsPerQuarter = 0
    private var meter: (beats: Int32, denominator: Int32) = (0, 0)
    /// Note ends that are still to be written.
    private var sounding: [(tick: Int64, note: UInt8)] = []

    /// A 32nd note: long enough for a drum machine.
    private var noteLength: Int64 { ticksPerQuarter / 32 }
    private let ticksPerQuarter: Int64

    /// The strokes of the beat at hand.
    private var strokes: [MIDIStroke] = []

    /// An empty track; its time begins with the first stroke.
    init(_ ticksPerQuarter: Int, loudest: Float) {
        self.ticksPerQuarter = Int64(ticksPerQuarter)
        fullVelocity = 127 / loudest
    }

    /// Velocities of the levels as shares of the full one, and what a part of a beat has of them.
    static let levels = SIMD4<Float>(0, 0.55, 0.75, 1)
    static let part: Float = 0.6
    private let fullVelocity: Float

    mutating func take(_ stroke: MIDIStroke) {
        if data.isEmpty, strokes.isEmpty { played = stroke.instant }
        if stroke.event.isBeat { writeBeat(until: stroke.event) }
        strokes.append(stroke)
    }

    mutating func finish(at end: BeatEvent) {
        writeBeat(until: end)
        finishNotes(before: .max)
        event(at: max(beatTick, lastTick), [0xFF, 0x2F, 0x00])
    }

    private mutating func writeBeat(until next: BeatEvent) {
        guard let beat = strokes.first?.event else { return }
        defer { strokes.removeAll(keepingCapacity: true) }
        let end = Double(next.floorFrame) + next.fraction
        var ticks = Int64((4 * Double(ticksPerQuarter) / Double(beat.denominator)).rounded())
        // 24 bits of microseconds are a quarter of 16.8 s; a slower beat is written as two, four or more of them.
        while slowest(until: end, ticks: ticks) > Double(0xFF_FFFE), ticks < 1 << 36 { ticks *= 2 }
        finishNotes(before: beatTick)
        if (beat.beatsInBar, beat.denominator) != meter, beat.beat == 1 { writeMeter(beat) }
        // One tempo for the beat, unless a stroke of it would not be where it belongs.
        let even = tempo(until: end, over: ticks)
        let isEven = strokes.allSatisfy { stroke in
            abs(played + time(of: stroke.tick(of: ticks), at: even) - stroke.instant) <= 1
        }
        var tick: Int64 = 0
        if isEven { setTempo(until: end, from: 0, to: ticks) }
        for (index, stroke) in strokes.enumerated() {
            tick = stroke.tick(of: ticks)
            if !isEven, index == 0 || tick > strokes[index - 1].tick(of: ticks) {
                let later = strokes[index...].first { $0.tick(of: ticks) > tick }
                setTempo(until: later?.instant ?? end, from: tick, to: later?.tick(of: ticks) ?? ticks)
            }
            if stroke.event.level != .silent && !stroke.event.isMuted { strike(stroke.event, at: beatTick + tick) }
        }
        beatTick += ticks
    }

    /// The longest quarter that the strokes of the beat at hand ask for, in microseconds.
    private func slowest(until end: Double, ticks: Int64) -> Double {
        var slowest = (end - played) / Double(ticks)
        for (stroke, next) in zip(strokes, strokes.dropFirst()) {
            let between = next.tick(of: ticks) - stroke.tick(of: ticks)
            if between > 0 { slowest = max(slowest, (next.instant - stroke.instant) / Double(between)) }
        }
        return slowest * Double(ticksPerQuarter)
    }

    /// How long so many ticks last at so many microseconds per quarter.
    private func time(of ticks: Int64, at tempo: Int) -> Double {
        Double(ticks) * Double(tempo) / Double(ticksPerQuarter)
    }

    /// The tempo that leads from where the file is to an instant; what earlier rounding owes goes into it.
    private func tempo(until instant: Double, over ticks: Int64) -> Int {
        let wanted = ((instant - played) / Double(ticks) * Double(ticksPerQuarter)).rounded()
        return Int(min(max(wanted, 1), Double(0xFF_FFFF)))
    }

    private mutating func setTempo(until instant: Double, from first: Int64, to last: Int64) {
        // Strokes that fall together after the last tick of the beat belong to the next.
        guard last > first else { return }
        let tempo = tempo(until: instant, over: last - first)
        if tempo != microsecondsPerQuarter {
            microsecondsPerQuarter = tempo
            finishNotes(before: beatTick + first)
            event(at: beatTick + first, [0xFF, 0x51, 0x03] + (0..<3).map { UInt8(tempo >> (16 - 8 * $0) & 0xFF) })
        }
        played += time(of: last - first, at: tempo)
    }

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
        // The same note that still sounds ends here, or its end would be the end of this one.
        for earlier in sounding where earlier.note == note { event(at: tick, [0x89, note, 0x40]) }
        sounding.removeAll { $0.note == note }
        event(at: tick, [0x99, note, UInt8(min(127, max(1, (loudness * fullVelocity).rounded())))])
        sounding.append((tick + noteLength, note))
    }

    private mutating func finishNotes(before tick: Int64) {
        for note in sounding where note.tick < tick { event(at: max(note.tick, lastTick), [0x89, note.note, 0x40]) }
        sounding.removeAll { $0.tick < tick }
    }

    private mutating func event(at tick: Int64, _ bytes: [UInt8]) {
        // A distance has 28 bits at most; a longer one is cut by texts without a letter.
        while tick - lastTick > 0xFFF_FFFF {
            data += Self.variableLength(0xFFF_FFFF) + [0xFF, 0x01, 0x00]
            lastTick += 0xFFF_FFFF
        }
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

    var file: [UInt8] {
        func big(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        return Array("MThd".utf8) + big(6, 4) + big(0, 2) + big(1, 2) + big(Int(ticksPerQuarter), 2)
            + Array("MTrk".utf8)
            + big(data.count, 4) + data
    }
}
