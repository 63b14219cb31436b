package import Music
package import Rhythm

/// A melody that was played, as a teacher hears it: intonation by scale degree and by bar, vibrato, timing against a grid of
/// beats, dynamics.
package struct PlayedMelody: Sendable {
    /// The notes in the order of playing, with their places if there is a grid.
    package private(set) var tones: [MelodyTone]
    /// The beats; `nil` if no tempo was given, and none was found with confidence.
    package let grid: MelodyGrid?
    /// The key of the notes; `nil` in a tuning that is none of the twelve keys.
    package let key: KeySignature?
    /// How loud the recording is.
    package let levels: LevelCurve
    /// The beats that were heard; `nil` where the tempo was given.
    package let heard: TempoReport?

    /// Where the beats of a melody come from.
    package enum Beats: Sendable {
        /// Quarters per minute, as the player says.
        case given(tempo: Double)
        /// The beats that were heard, and a tempo that is known beforehand, about.
        case heard(TempoReport, around: Double? = nil)
    }

    /// Fewer notes are no melody: a tone or two, or the strings of a violin, one by one.
    package static let fewestNotes = 5

    /// - Parameters:
    ///   - all: in the order of playing; those far below the loudest are left out.
    ///   - upbeat: quarters from the first note to the first bar, if that is known.
    ///   - hasKey: whether the notes belong to the twelve keys.
    ///   - tonic: the pitch class of the key, if it is known.
    package init(
        _ all: [MelodyTone], beats: Beats, meter: MelodyGrid.Meter, upbeat: Double? = nil, hasKey: Bool, tonic: Int?,
        levels: LevelCurve
    ) {
        self.levels = levels
        let tones = Self.clear(of: all)
        let starts = tones.map(\.start.inSeconds)
        var grid: MelodyGrid?
        switch beats {
        case .given(let tempo):
            heard = nil
            grid = MelodyGrid(tones, tempo: tempo, meter: meter)
        case .heard(let report, let around):
            heard = report
            grid = MelodyGrid(starts: starts, found: report, around: around, meter: meter)
        }
        if let upbeat { grid?.begin(withUpbeat: upbeat, starts) }
        self.grid = grid
        key =
            hasKey
            ? KeySignature(of: tones.lazy.map { ($0.note, $0.duration.inSeconds) }, tonic: tonic) : nil
        guard let grid else {
            self.tones = tones
            return
        }
        self.tones = tones.map { tone in
            var tone = tone
            let place = grid.place(of: tone)
            tone.place = place
            tone.lateness = .seconds(tone.start.inSeconds - grid.time(of: place.position))
            return tone
        }
    }

    /// The notes without what a room and a recorder make by themselves. From pianissimo to fortissimo a player has 40 dB.
    private static func clear(of tones: [MelodyTone]) -> [MelodyTone] {
        let loudest = tones.map(\.level.value).max() ?? 0
        return tones.filter { $0.level.value >= loudest - 45 }
    }

    /// The same melody with other names of its notes.
    ///
    /// - Parameter names: of a frequency: name, and name with octave; `nil` where they stay.
    package func renamed(_ names: (Hertz) -> (name: String, label: String)?) -> PlayedMelody {
        var melody = self
        for index in tones.indices {
            guard let names = names(tones[index].frequency) else { continue }
            (melody.tones[index].name, melody.tones[index].label) = names
        }
        return melody
    }

    /// Of all notes; `nil` without one.
    package var figures: MelodyFigures? { MelodyFigures(tones) }

    /// How many notes are within a tolerance.
    package func countInTune(_ tolerance: Cents) -> Int { tones.count { abs($0.deviation.value) <= tolerance.value } }

    /// A part of the melody, by its name.
    package struct Part: Sendable {
        package let name: String
        /// When it begins, where it is a part of time.
        package let start: Duration?
        /// A note of it.
        package let tone: MelodyTone
        package let figures: MelodyFigures
    }

    /// The degrees of the key, from the tonic up; empty without a key.
    package var degrees: [Part] {
        guard let key else { return [] }
        let groups = Dictionary(grouping: tones) { Note(midi: $0.note.pitchClass - key.tonic).pitchClass }
        return groups.sorted { $0.key < $1.key }.compactMap { _, tones in
            part(of: tones, named: key.degree(of: tones[0].note))
        }
    }

    /// The places in the bar at which notes begin; empty without a grid.
    package var places: [Part] {
        guard let grid else { return [] }
        let groups = Dictionary(grouping: tones) { tone in
            let place = tone.place ?? MelodyPlace(beat: 0)
            return MelodyPlace(
                beat: MelodyGrid.remainder(place.beat, grid.meter.beats), part: place.part, parts: place.parts)
        }
        return groups.sorted { $0.key < $1.key }.compactMap { place, tones in
            part(of: tones, named: place.name(beatsPerBar: grid.meter.beats))
        }
    }

    /// The bars in which notes begin; empty without a grid.
    package var bars: [Part] {
        guard let grid else { return [] }
        let groups = Dictionary(grouping: tones) { grid.bar(ofBeat: $0.place?.beat ?? 0) }
        return groups.sorted { $0.key < $1.key }.compactMap { bar, tones in
            part(
                of: tones, named: "\(bar)",
                start: .seconds(grid.time(of: Double(grid.firstBeat(ofBar: bar)))))
        }
    }

    private func part(of tones: [MelodyTone], named name: String, start: Duration? = nil) -> Part? {
        guard let first = tones.first, let figures = MelodyFigures(tones) else { return nil }
        return Part(name: name, start: start, tone: first, figures: figures)
    }
}
