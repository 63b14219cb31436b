import Music
import Notation
import ScoreFiles
import Timebase

extension FuzzTarget {
    /// A tempo map, klick's or ours. The strokes of one that is read come in order.
    static let tempoMap = FuzzTarget(name: "tempo-map", longest: 4_096) { bytes in
        guard let grid = try? TempoMap.sections(parsing: bytes.text, file: "fuzz", seed: 1),
            let schedule = try? BeatSchedule(grid, sampleRate: 48.kilohertz)
        else { return }
        check(schedule)
    }

    /// The MIDI file of a tempo map: its lengths are right, and it ends with the end of its track.
    static let midi = FuzzTarget(name: "midi", longest: 2_048) { bytes in
        guard let grid = try? TempoMap.sections(parsing: bytes.text, file: "fuzz", seed: 1),
            let schedule = try? BeatSchedule(grid, sampleRate: 48.kilohertz)
        else { return }
        // Not days of strokes, which are written like the first: with them one input takes three seconds.
        guard schedule.endFrame ?? 0 < 48_000 * 100, let file = try? StandardMIDIFile(grid, limit: .seconds(20)) else {
            return
        }
        _ = ReadMIDI(file.bytes)
    }

    /// The notation of a tempo, a meter, accents, subdivisions and practice.
    static let notation = FuzzTarget(name: "notation", longest: 256) { bytes in
        let text = bytes.text
        let words = text.split(separator: " ").map(String.init)
        let plain = try? Tempo(parsing: text)
        precondition(plain.map { $0.beatsPerMinute.value > 0 } ?? true)
        let tempo = (try? TempoWords(parsing: words))?.tempo ?? (try? TempoNotation(parsing: "120"))
        guard let tempo else { preconditionFailure("120 is a tempo") }
        var options = PlanOptions(tempo: tempo)
        options.meter = try? Meter(parsing: text)
        options.accents = try? AccentPattern(parsing: text)
        if let subdivision = try? Subdivision(parsing: text) { options.subdivision = subdivision }
        options.steps = try? TempoSteps(parsing: text)
        if let voices = try? CrossRhythm.voices(parsing: text) { options.cross = .polyrhythm(voices) }
        if let plan = try? options.plan(), let schedule = try? BeatSchedule(plan, sampleRate: 48.kilohertz) {
            check(schedule)
        }
    }

    private static func check(_ schedule: consuming BeatSchedule) {
        var strokes = PlanStrokes(schedule)
        var last = Int64.min
        for _ in 0..<200 {
            guard let stroke = strokes.next() else { break }
            precondition(stroke.frame >= last, "a stroke at \(stroke.frame) follows one at \(last)")
            last = stroke.frame
        }
    }
}
