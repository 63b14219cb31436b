internal import Timebase

/// The events of one track.
internal struct MIDITrack {
    private var events = MIDIEvents()
    private var lastTick: Int64 { events.lastTick }
    /// The tick of the current beat, and its instant in microseconds when the file is played.
    private var beatTick: Int64 = 0
    private var played = 0.0
    private var microsecondsPerQuarter = 0
    private var meter: (beats: Int32, beat: NoteValue)?
    /// Note ends that are still to be written.
    private var sounding: [(tick: Int64, note: UInt8)] = []

    /// A 32nd note: long enough for a drum machine.
    private var noteLength: Int64 { ticksPerQuarter / 32 }
    private let ticksPerQuarter: Int64

    /// The strokes of the current beat.
    private var strokes: [MIDIStroke] = []

    /// An empty track, which starts with the first stroke.
    init(_ ticksPerQuarter: Int, loudest: Float) {
        self.ticksPerQuarter = Int64(ticksPerQuarter)
        fullVelocity = 127 / loudest
    }

    /// The velocities of the levels relative to full velocity, and the factor for parts of a beat.
    static let levels = LevelAmplitudes(\.relativeVelocity)
    static let part: Float = 0.6
    private let fullVelocity: Float

    mutating func take(_ stroke: MIDIStroke) {
        if events.isEmpty, strokes.isEmpty { played = stroke.instant }
        if stroke.event.isBeat { writeBeat(until: stroke.event) }
        strokes.append(stroke)
    }

    mutating func finish(at end: BeatEvent) {
        writeBeat(until: end)
        finishNotes(before: .max)
        event(at: max(beatTick, lastTick), MIDIEvents.endOfTrack)
    }

    private mutating func writeBeat(until next: BeatEvent) {
        guard let first = strokes.first else { return }
        defer { strokes.removeAll(keepingCapacity: true) }
        let beat = first.event
        let isSteady = isSteady(until: next)
        let last = Double(next.floorFrame) + next.fraction
        // A plan that ends after some time may end within a beat, whose tempo is that of a whole one.
        let end = isSteady && next.isEnd ? max(last, first.instant + Self.length(of: beat)) : last
        var ticks = Int64((beat.beatValue.count(of: .quarter).value * Double(ticksPerQuarter)).rounded())
        // 24 bits of microseconds limit a quarter to 16.8 s; a slower beat is written as two, four or more.
        while slowest(until: end, ticks: ticks) > Double(0xFF_FFFE), ticks < 1 << 36 { ticks *= 2 }
        finishNotes(before: beatTick)
        if beat.beat == 1, meter.map({ $0 == (beat.beatsInBar, beat.beatValue) }) != true { writeMeter(beat) }
        if isSteady {
            // One event stands for all beats of this tempo, at most half a microsecond off in each quarter. Corrections of
            // that would look like changes of tempo in a program that imports the file.
            let quarter = (end - first.instant) / Double(ticks) * Double(ticksPerQuarter)
            write(tempo: Int(min(max(quarter.rounded(), 1), Double(0xFF_FFFF))), at: beatTick)
            played = end
            for stroke in strokes where stroke.event.sounds {
                strike(stroke.event, at: beatTick + stroke.tick(of: ticks))
            }
            beatTick += Int64((Double(ticks) * ((last - first.instant) / (end - first.instant))).rounded(.up))
            return
        }
        // One tempo for the beat, unless that moves one of its strokes.
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
            if stroke.event.sounds { strike(stroke.event, at: beatTick + tick) }
        }
        beatTick += ticks
    }

    /// The length of a beat at its tempo, in microseconds.
    private static func length(of beat: BeatEvent) -> Double {
        60e6 * beat.beatValue.count(of: beat.countedValue).value / beat.tempo
    }

    /// Whether the tempo is the same from the current beat to the next.
    private func isSteady(until next: BeatEvent) -> Bool {
        let tempo = strokes.first?.event.tempo
        return strokes.allSatisfy { $0.event.tempo == tempo } && (next.isEnd || next.tempo == tempo)
    }

    /// The longest quarter that the strokes of the current beat need, in microseconds.
    private func slowest(until end: Double, ticks: Int64) -> Double {
        var slowest = (end - played) / Double(ticks)
        for (stroke, next) in zip(strokes, strokes.dropFirst()) {
            let between = next.tick(of: ticks) - stroke.tick(of: ticks)
            if between > 0 { slowest = max(slowest, (next.instant - stroke.instant) / Double(between)) }
        }
        return slowest * Double(ticksPerQuarter)
    }

    /// The microseconds of some ticks at a tempo in microseconds per quarter.
    private func time(of ticks: Int64, at tempo: Int) -> Double {
        Double(ticks) * Double(tempo) / Double(ticksPerQuarter)
    }

    /// The tempo that reaches an instant from the present one, including earlier rounding errors.
    private func tempo(until instant: Double, over ticks: Int64) -> Int {
        let wanted = ((instant - played) / Double(ticks) * Double(ticksPerQuarter)).rounded()
        return Int(min(max(wanted, 1), Double(0xFF_FFFF)))
    }

    private mutating func setTempo(until instant: Double, from first: Int64, to last: Int64) {
        // Strokes after the last tick of the beat belong to the next one.
        guard last > first else { return }
        let tempo = tempo(until: instant, over: last - first)
        write(tempo: tempo, at: beatTick + first)
        played += time(of: last - first, at: tempo)
    }

    /// Writes a tempo in microseconds per quarter, unless it is the present one.
    private mutating func write(tempo: Int, at tick: Int64) {
        guard tempo != microsecondsPerQuarter else { return }
        microsecondsPerQuarter = tempo
        finishNotes(before: tick)
        event(at: tick, MIDIEvents.tempo(tempo))
    }

    /// Writes a meter. The format holds up to 255 notes over a power of two; other meters become the nearest one. A dotted
    /// beat is three or seven of these notes, and the clocks per click tell its length.
    private mutating func writeMeter(_ beat: BeatEvent) {
        meter = (beat.beatsInBar, beat.beatValue)
        let share = beat.beatValue.share
        var power = 0
        // The nearest power of two, the larger one in a tie.
        while (3 << power) <= 2 * share.denominator { power += 1 }
        var beats = Int64(beat.beatsInBar) * share.numerator
        while beats > 255, beats.isMultiple(of: 2), power > 0 { (beats, power) = (beats / 2, power - 1) }
        // 24 MIDI clocks and 8 32nds per quarter.
        let clocks = UInt8(clamping: (96 * share.numerator) >> Int64(power))
        event(at: beatTick, [0xFF, 0x58, 0x04, UInt8(clamping: beats), UInt8(power), max(1, clocks), 8])
    }

    /// Writes a note on channel 10 of General MIDI: 76 high and 77 low wood block, from 56 (cowbell) on for other voices.
    private mutating func strike(_ stroke: BeatEvent, at tick: Int64) {
        finishNotes(before: tick + 1)
        let note: UInt8 =
            stroke.layer > 0
            ? UInt8(clamping: 55 + Int(stroke.layer)) : stroke.level == .accent && stroke.part == 0 ? 76 : 77
        let loudness = Self.levels[stroke.level] * stroke.volume * (stroke.part == 0 ? 1 : Self.part)
        // End a note of the same number, whose end would otherwise end this one.
        for earlier in sounding where earlier.note == note { event(at: tick, [0x89, note, 0x40]) }
        sounding.removeAll { $0.note == note }
        event(at: tick, [0x99, note, UInt8(min(127, max(1, (loudness * fullVelocity).rounded())))])
        sounding.append((tick + noteLength, note))
    }

    private mutating func finishNotes(before tick: Int64) {
        for note in sounding where note.tick < tick { event(at: max(note.tick, lastTick), [0x89, note.note, 0x40]) }
        sounding.removeAll { $0.tick < tick }
    }

    private mutating func event(at tick: Int64, _ bytes: [UInt8]) { events.add(bytes, at: tick) }

    var file: [UInt8] { events.file(ticksPerQuarter: Int(ticksPerQuarter)) }
}
