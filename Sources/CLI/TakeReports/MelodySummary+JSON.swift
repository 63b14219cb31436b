internal import Music
internal import Rhythm
internal import TerminalUI
internal import Transcription
internal import TunerUI

extension MelodySummary {
    /// The melody as a JSON object.
    package var json: String {
        let grid = melody.grid
        return JSON.object([
            ("key", melody.key.map { JSON.quoted(Self.name(of: $0, melody.tones)) }),
            ("tempo_bpm", JSON.fixed(grid?.tempo, decimals: 3)), ("tempo_given", grid.map { "\($0.isGiven)" }),
            ("tempo_changes", grid.flatMap { $0.changes.isEmpty ? nil : Self.json(changesOf: $0) }),
            ("meter", grid.map { JSON.quoted("\($0.meter.beats)/\($0.meter.value)") }),
            ("in_tune", "\(melody.countInTune(tolerance))"),
            ("tolerance_cents", JSON.fixed(tolerance.value, decimals: 1)),
            ("all", melody.figures.map { Self.json($0) }),
            ("degrees", Self.json(melody.degrees, named: "degree")),
            ("beats", grid.map { _ in Self.json(melody.places, named: "beat") }),
            ("bars", grid.map { _ in Self.json(melody.bars, named: "bar") }),
            ("played", JSON.array(melody.tones.map(json))),
        ])
    }

    /// Where the tempo changes suddenly, and to what.
    private static func json(changesOf grid: MelodyGrid) -> String {
        JSON.array(
            grid.changes.map {
                JSON.object([
                    ("start_s", JSON.fixed(grid.time(of: Double($0.beat)), decimals: 3)),
                    ("tempo_bpm", JSON.fixed($0.tempo, decimals: 3)),
                ])
            })
    }

    private static func json(_ parts: [PlayedMelody.Part], named member: String) -> String {
        JSON.array(
            parts.map { part in
                let name = member == "bar" ? part.name : JSON.quoted(part.name)
                return json(
                    part.figures, [(member, name), ("start_s", JSON.fixed(part.start?.inSeconds, decimals: 3))])
            })
    }

    private static func json(_ figures: MelodyFigures, _ members: [(String, String?)] = []) -> String {
        let hasVibrato = figures.vibratoCount > 0
        return JSON.object(
            members + [
                ("notes", "\(figures.count)"), ("mean_cents", JSON.fixed(figures.deviation.value, decimals: 3)),
                ("sd_cents", JSON.fixed(figures.spread.value, decimals: 3)),
                ("mean_late_ms", JSON.fixed(figures.lateness.map { $0.inSeconds * 1_000 }, decimals: 3)),
                ("sd_late_ms", JSON.fixed(figures.scatter.map { $0.inSeconds * 1_000 }, decimals: 3)),
                ("level_db", JSON.fixed(figures.level.value, decimals: 2)),
                ("softest_db", JSON.fixed(figures.softest.value, decimals: 2)),
                ("loudest_db", JSON.fixed(figures.loudest.value, decimals: 2)),
                ("vibrato_notes", "\(figures.vibratoCount)"),
                ("vibrato_hz", hasVibrato ? JSON.fixed(figures.vibratoRate.value, decimals: 2) : nil),
                ("vibrato_cents", hasVibrato ? JSON.fixed(figures.vibratoDepth.value, decimals: 1) : nil),
            ])
    }

    private func json(_ tone: MelodyTone) -> String {
        JSON.object(
            Self.fields.map { field in
                (field.name, field.value(tone, self).map { field.isText ? JSON.quoted($0) : $0 })
            })
    }

    /// What is told of a note that was played, for JSON, CSV and the manual page.
    package static var meanings: [(name: String, meaning: String)] { fields.map { ($0.name, $0.meaning) } }

    /// The line before the notes in CSV.
    package static var csvHeader: String { (["file"] + fields.map(\.name)).joined(separator: ",") }

    /// The notes as comma-separated values, a row each.
    package func csv(file: String) -> [String] {
        melody.tones.map { tone in csvLine([file] + Self.fields.map { $0.value(tone, self) ?? "" }) }
    }

    private struct Field: Sendable {
        let name: String, meaning: String
        var isText = false
        let value: @Sendable (MelodyTone, MelodySummary) -> String?
    }

    private static let fields: [Field] = [
        Field(name: "start_s", meaning: "when it begins, in seconds") { tone, _ in
            fixedPoint(tone.start.inSeconds, decimals: 4)
        },
        Field(name: "end_s", meaning: "when it ends") { tone, _ in fixedPoint(tone.end.inSeconds, decimals: 4) },
        Field(name: "note", meaning: "its name with the octave", isText: true) { tone, _ in tone.label },
        Field(name: "midi", meaning: "the MIDI number of the written note") { tone, _ in "\(tone.note.midi)" },
        Field(name: "degree", meaning: "of the key: 1 to 7, with b or #", isText: true) { tone, summary in
            summary.melody.key?.degree(of: tone.note)
        },
        Field(name: "cents", meaning: "the mean deviation") { tone, _ in fixedPoint(tone.deviation.value, decimals: 2)
        },
        Field(name: "bar", meaning: "from 1") { tone, summary in
            tone.place.flatMap { place in summary.melody.grid.map { "\($0.bar(ofBeat: place.beat))" } }
        },
        Field(name: "beat", meaning: "of the bar, with the part of the beat: 2, 2 &, 2 3/4", isText: true) {
            tone, summary in
            tone.place.flatMap { place in summary.melody.grid.map { place.name(beatsPerBar: $0.meter.beats) } }
        },
        Field(name: "late_ms", meaning: "how much later than that it begins; below zero: early") { tone, _ in
            tone.lateness.map { fixedPoint($0.inSeconds * 1_000, decimals: 2) }
        },
        Field(name: "level_db", meaning: "the loudest of its first 0.1 s, relative to full scale") { tone, _ in
            fixedPoint(tone.level.value, decimals: 1)
        },
        Field(name: "vibrato_hz", meaning: "the rate of the vibrato, 0 without") { tone, _ in
            fixedPoint(tone.vibratoRate.value, decimals: 1)
        },
        Field(name: "vibrato_cents", meaning: "its swing to either side") { tone, _ in
            fixedPoint(tone.vibratoDepth.value, decimals: 1)
        },
    ]
}
