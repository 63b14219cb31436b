package import Intonation
package import Music
internal import Rhythm
internal import TerminalUI
package import Transcription

/// What a melody says about its player, as text and for scripts: the whole first, then degrees, beats and bars.
package struct MelodySummary {
    private(set) var melody: PlayedMelody
    /// Up to where a note is in tune.
    let tolerance: Cents
    /// Whether the player said about how fast the music is. If not, half or twice the tempo may be meant.
    let isHinted: Bool
    /// Whether the player said what the key is.
    let isKeyGiven: Bool

    package init(_ melody: PlayedMelody, tolerance: Cents, isHinted: Bool, isKeyGiven: Bool) {
        (self.melody, self.tolerance, self.isHinted, self.isKeyGiven) = (melody, tolerance, isHinted, isKeyGiven)
    }

    /// The key of the notes; `nil` in a tuning that is none of the twelve keys.
    package var key: KeySignature? { melody.key }

    /// The same with the names that these rules give the notes.
    package func renamed(by finder: NoteFinder) -> MelodySummary {
        var summary = self
        summary.melody = melody.renamed { finder.pitch(of: $0).map { ($0.name, $0.label) } }
        return summary
    }

    /// The whole in a few lines.
    package var head: String {
        guard let figures = melody.figures else { return "" }
        let rows = [
            melody.key.map {
                ("key", Self.name(of: $0, melody.tones) + (isKeyGiven ? "" : ", by its notes; --key names another"))
            }, ("notes", notes),
            ("in tune", intonation(figures)), ("vibrato", Self.vibrato(figures, isWhole: true)),
            tempo.map { ("tempo", $0) }, ("timing", timing(figures)), ("dynamics", Self.dynamics(figures)),
        ]
        return rows.compactMap(\.self).map { "  " + padded($0.0, toColumns: 10) + $0.1 + "\n" }.joined()
    }

    /// The tables: degrees of the key, places in the bar, bars.
    package var tables: String { degrees + places + bars }

    /// Each note that was played.
    package var list: String {
        var text =
            "\n     start  note     cents  length   level" + (melody.grid == nil ? "" : "   bar  beat       late")
        text += "   vibrato\n"
        for tone in melody.tones {
            text += padded(fixedPoint(tone.start.inSeconds, decimals: 2), to: 10) + "  "
            text += padded(tone.label, toColumns: 5) + Self.cents(tone.deviation, to: 8)
            text += padded(fixedPoint(tone.duration.inSeconds, decimals: 2), to: 8)
            text += padded(fixedPoint(tone.level.value, decimals: 1), to: 8)
            if let grid = melody.grid, let place = tone.place {
                text += padded("\(grid.bar(ofBeat: place.beat))", to: 6) + "  "
                text += padded(place.name(beatsPerBar: grid.meter.beats), toColumns: 6)
                text += Self.late(tone.lateness, to: 9)
            }
            text += "   " + (tone.hasVibrato ? Self.vibrato(tone.vibratoRate, tone.vibratoDepth) : "") + "\n"
        }
        return text
    }

    // MARK: Words

    /// `D major`, by the name that its notes have in this tuning.
    static func name(of key: KeySignature, _ tones: [MelodyTone]) -> String {
        let own = tones.first { $0.note.pitchClass == key.tonic }?.name
        let steps = [
            "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#",
        ]
        let place = key.fifths + (key.isMinor ? 3 : 0) + 7
        let usual = steps.indices.contains(place) ? steps[place] : Note(midi: key.tonic).name
        // The usual name of a key is by its signature, E flat major and not D sharp major.
        let named = own == Note(midi: key.tonic).name ? usual : own ?? usual
        return named + (key.isMinor ? " minor" : " major")
    }

    private var notes: String {
        let ordered = melody.tones.sorted { $0.frequency < $1.frequency }
        var text = "\(melody.tones.count)"
        if let low = ordered.first, let high = ordered.last { text += ", \(low.label) to \(high.label)" }
        guard let grid = melody.grid, let first = melody.bars.first, let last = melody.bars.last else { return text }
        let bars = (Int(last.name) ?? 1) - (Int(first.name) ?? 1) + 1
        return text + ", in \(bars) bar\(bars == 1 ? "" : "s") of \(grid.meter.beats)/\(grid.meter.value)"
    }

    private func intonation(_ figures: MelodyFigures) -> String {
        "\(melody.countInTune(tolerance)) of \(figures.count) notes within \(SVG.number(tolerance.value)) cents; mean "
            + Self.cents(figures.deviation) + ", sd " + fixedPoint(figures.spread.value, decimals: 1) + " cents"
    }

    private static func vibrato(_ figures: MelodyFigures, isWhole: Bool) -> String {
        guard figures.vibratoCount > 0 else { return isWhole ? "none" : "" }
        let text = vibrato(figures.vibratoRate, figures.vibratoDepth)
        return isWhole ? "on \(figures.vibratoCount) of \(figures.count) notes: " + text + " (medians)" : text
    }

    static func vibrato(_ rate: Hertz, _ depth: Cents) -> String {
        fixedPoint(rate.value, decimals: 1) + " Hz ± " + fixedPoint(depth.value, decimals: 0) + " cents"
    }

    private var tempo: String? {
        guard let grid = melody.grid else { return nil }
        let number = fixedPoint(grid.tempo, decimals: grid.isGiven ? 1 : 2) + " BPM"
        guard !grid.isGiven else { return number + ", as given" }
        guard grid.changes.isEmpty else {
            let changes = grid.changes.map {
                "from \(fixedPoint(grid.time(of: Double($0.beat)), decimals: 1)) s on \(fixedPoint($0.tempo, decimals: 2))"
            }
            return ([number] + changes).joined(separator: ", ")
        }
        guard let course = melody.heard.flatMap(TempoSummary.course) else { return number }
        return number + "; " + course
    }

    private func timing(_ figures: MelodyFigures) -> String {
        guard let grid = melody.grid else {
            return "left out, as no tempo was found with confidence: --tempo 97 gives one"
        }
        guard let scatter = figures.scatter else { return "left out: there is one note" }
        var text = "sd \(PlayingSummary.milliseconds(scatter)) about the beats"
        let farthest = melody.places.filter { $0.figures.count > 2 }.max {
            abs($0.figures.lateness?.inSeconds ?? 0) < abs($1.figures.lateness?.inSeconds ?? 0)
        }
        if let farthest, let late = farthest.figures.lateness, let spread = farthest.figures.scatter,
            // Farther than two standard errors, and than what few hear.
            abs(late.inSeconds) > max(0.005, 2 * spread.inSeconds / Double(farthest.figures.count).squareRoot())
        {
            text += "; beat \(farthest.name) " + PlayingSummary.direction(late) + " on average"
        }
        guard !grid.isGiven, !isHinted else { return text }
        // The option counts quarters in every meter.
        let quarters = grid.meter.perHeardBeat / grid.meter.perQuarter
        return text + "\n            (\(TempoSummary.otherLevels(grid.tempo, unit: quarters)))"
    }

    private static func dynamics(_ figures: MelodyFigures) -> String {
        let (low, high) = (figures.softest.value, figures.loudest.value)
        return "notes from \(fixedPoint(low, decimals: 1)) to \(fixedPoint(high, decimals: 1)) dB, a range of "
            + fixedPoint(high - low, decimals: 1) + " dB"
    }
}

extension MelodySummary {
    // MARK: Tables

    private var degrees: String {
        let degrees = melody.degrees
        guard !degrees.isEmpty else { return "" }
        var text = "\n  degree  note    notes    cents      sd   vibrato\n"
        for degree in degrees {
            let figures = degree.figures
            text += "  " + padded(degree.name, toColumns: 8) + padded(degree.tone.name, toColumns: 6)
            text += padded("\(figures.count)", to: 7) + Self.cents(figures.deviation, to: 9)
            text += padded(fixedPoint(figures.spread.value, decimals: 1), to: 8)
            text += "   " + Self.vibrato(figures, isWhole: false) + "\n"
        }
        return text
    }

    private var places: String {
        let places = melody.places
        guard places.count > 1 else { return "" }
        var text = "\n  beat    notes     late      sd   level\n"
        for place in places {
            text += "  " + padded(place.name, toColumns: 6) + Self.timing(place.figures)
            text += padded(fixedPoint(place.figures.level.value, decimals: 1), to: 8) + "\n"
        }
        return text
    }

    private var bars: String {
        let bars = melody.bars
        guard bars.count > 1 else { return "" }
        var text = "\n   bar    start   notes     late      sd    cents      sd    level  range   vibrato\n"
        for bar in bars {
            let figures = bar.figures
            text += padded(bar.name, to: 6) + padded(fixedPoint(bar.start?.inSeconds ?? 0, decimals: 2), to: 9)
            text += " " + Self.timing(figures) + Self.cents(figures.deviation, to: 9)
            text += padded(fixedPoint(figures.spread.value, decimals: 1), to: 8)
            text += padded(fixedPoint(figures.level.value, decimals: 1), to: 9)
            text += padded(fixedPoint(figures.loudest.value - figures.softest.value, decimals: 1), to: 7)
            text += "   " + Self.vibrato(figures, isWhole: false) + "\n"
        }
        return text + "\n  late in ms, early below zero; sd: standard deviation; level and range in dB\n"
    }

    private static func timing(_ figures: MelodyFigures) -> String {
        padded("\(figures.count)", to: 7) + late(figures.lateness, to: 9)
            + padded(figures.scatter.map { fixedPoint($0.inSeconds * 1_000, decimals: 1) } ?? "-", to: 8)
    }

    private static func late(_ lateness: Duration?, to width: Int) -> String {
        padded(lateness.map { fixedPoint($0.inSeconds * 1_000, decimals: 1, signed: true) } ?? "-", to: width)
    }

    private static func cents(_ cents: Cents, to width: Int = 0) -> String {
        padded(fixedPoint(cents.value, decimals: 1, signed: true), to: width)
    }
}
