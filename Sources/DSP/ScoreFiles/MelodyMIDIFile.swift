internal import Music

/// A melody as a Standard MIDI File, each note at the time at which it was played, to half a millisecond.
///
/// One note sounds at a time: one that would still sound when the next begins ends there.
/// - SeeAlso: Standard MIDI Files 1.0, MIDI Manufacturers Association, RP-001.
package struct MelodyMIDIFile: Sendable {
    package let bytes: [UInt8]

    private static let ticksPerQuarter = 960
    /// What programs take for the tempo of a file that has none, in quarters per minute.
    private static let usualTempo = 120.0
    /// The range of the pitch wheel that General MIDI starts with, in cents to either side.
    private static let wheelRange = 200.0

    /// Writes the notes in the order of their beginnings.
    ///
    /// - Parameters:
    ///   - tempo: quarters per minute, 4 to 1000; the notes keep their times with any.
    ///   - meter: a bar from the beginning on, 6 and 8 for 6/8, where the notes have bars.
    ///   - bends: whether the pitch wheel moves each note by its deviation.
    package init(
        _ notes: [MelodyNote], tempo: Double? = nil, meter: (beats: Int, value: Int)? = nil, bends: Bool = false
    ) {
        let tempo = max(4, min(1_000, tempo ?? Self.usualTempo))
        // The format's tempo is a whole number of microseconds; the ticks are counted by that.
        let quarter = Int((60e6 / tempo).rounded())
        func tick(_ time: Duration) -> Int64 {
            Int64((time / .microseconds(1) / Double(quarter) * Double(Self.ticksPerQuarter)).rounded())
        }
        var events = MIDIEvents()
        events.add(MIDIEvents.tempo(quarter), at: 0)
        if let meter { events.add(MIDIEvents.meter(beats: meter.beats, value: meter.value), at: 0) }
        if !notes.isEmpty {
            let key = KeySignature(of: notes.lazy.map { ($0.note, max(0, ($0.end - $0.start).inSeconds)) })
            events.add(MIDIEvents.key(key), at: 0)
        }
        if bends {
            // Registered parameter 0: the range of the wheel, two semitones.
            for (controller, value) in [(101, 0), (100, 0), (6, 2), (38, 0)] as [(UInt8, UInt8)] {
                events.add([0xB0, controller, value], at: 0)
            }
        }
        let ordered = notes.filter { (0...127).contains($0.note.midi) }.sorted { $0.start < $1.start }
        for (index, note) in ordered.enumerated() {
            let next = index + 1 < ordered.count ? ordered[index + 1].start : note.end
            let (start, end) = (tick(note.start), max(tick(note.start) + 1, tick(min(note.end, max(next, note.start)))))
            let key = UInt8(note.note.midi)
            if bends { events.add(Self.wheel(note.deviation), at: start) }
            events.add([0x90, key, UInt8(max(1, min(127, note.velocity)))], at: start)
            events.add([0x80, key, 0x40], at: end)
        }
        events.add(MIDIEvents.endOfTrack, at: events.lastTick)
        bytes = events.file(ticksPerQuarter: Self.ticksPerQuarter)
    }

    /// The event that moves the wheel.
    private static func wheel(_ cents: Cents) -> [UInt8] {
        let place = max(0, min(16_383, 8_192 + Int((cents.value / wheelRange * 8_192).rounded())))
        return [0xE0, UInt8(place & 0x7F), UInt8(place >> 7)]
    }
}
