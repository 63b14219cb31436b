import ArgumentParser
import Configuration
import Music
import Platform
import Rhythm
import ScoreFiles
import TerminalUI
import Transcription

/// The files that a transcription is written to, and its grid.
struct ScoreOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write the notes to a MIDI file.", valueName: "out.mid"))
    var midi: String?

    @Flag(name: .long, help: "Move the pitch wheel of the MIDI file by the cents of each note.")
    var bend = false

    @Flag(name: .long, help: "Put the notes of the MIDI file where a score has them.")
    var quantize = false

    @Option(
        name: .customLong("musicxml"),
        help: ArgumentHelp("Write a score to a MusicXML file.", valueName: "out.musicxml"))
    var musicXML: String?

    @OptionGroup var grid: GridOptions

    @Option(
        name: .long, help: ArgumentHelp("Round to this value in the score: 1/4, 1/8, 1/16, 1/32.", valueName: "value"))
    var shortest = "1/16"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The clef of the score: \(Clef.names). [treble or bass, by the range of the notes; treble for a Bb clarinet and the like]",
            valueName: "clef"))
    var clef: String?

    /// The most notes that a file holds, 40 MB of memory: 14 hours of ten notes a second.
    static let mostNotes = 1 << 19

    func validate() throws {
        if let midi, ![".mid", ".midi"].contains(where: midi.lowercased().hasSuffix) {
            throw ValidationError("--midi writes a MIDI file: \"\(midi)\" must end in .mid.")
        }
        if let musicXML, ![".musicxml", ".xml"].contains(where: musicXML.lowercased().hasSuffix) {
            throw ValidationError("--musicxml writes MusicXML: \"\(musicXML)\" must end in .musicxml.")
        }
        if bend && midi == nil { throw ValidationError("--bend moves the pitch wheel of a MIDI file: add --midi.") }
        if quantize && midi == nil { throw ValidationError("--quantize moves the notes of a MIDI file: add --midi.") }
        if grid.around != nil && !followsBeats {
            throw ValidationError("--around helps to find the beats of a score: add --musicxml and leave out --tempo.")
        }
        if grid.upbeat != nil && musicXML == nil && !quantize {
            throw ValidationError("--upbeat places the bars of a score: add --musicxml or --quantize.")
        }
        if let clef, Clef(rawValue: clef) == nil {
            throw ValidationError("--clef must be \(Clef.names), not \"\(clef)\".")
        }
        let steps = Double(max(try parsedShortest(), try grid.parsedMeter().value)) / 4
        if let upbeat = try grid.parsedUpbeat(), upbeat * steps != (upbeat * steps).rounded() {
            throw ValidationError(
                "--upbeat \(grid.upbeat ?? "") is no whole number of --shortest \(shortest): use --shortest 1/32.")
        }
    }

    /// Refuses files that cannot be written, before a melody is played for nothing.
    func checkFiles() throws {
        for file in [midi, musicXML] { if let file { try SmallFile.checkWritable(file) } }
    }

    var isWanted: Bool { midi != nil || musicXML != nil }

    /// Whether the grid of the score is what is heard.
    var followsBeats: Bool { (musicXML != nil || quantize) && grid.tempo == nil }

    private func parsedShortest() throws -> Int {
        let values = ["1/4": 4, "1/8": 8, "1/16": 16, "1/32": 32]
        guard let value = values[shortest] else {
            throw ValidationError("--shortest must be 1/4, 1/8, 1/16 or 1/32, not \"\(shortest)\".")
        }
        return value
    }

    /// Writes the files that were asked for.
    ///
    /// - Parameters:
    ///   - heard: the beats that were heard, for a score without a tempo of its own.
    ///   - title: stands over the score.
    ///   - transposition: the instrument that the score is written for. MIDI sounds as was played.
    func write(
        _ notes: [MelodyNote], heard: TempoReport?, title: String, transposition: Transposition
    ) throws {
        let meter = try grid.parsedMeter()
        if let midi, !quantize {
            let bar = grid.tempo == nil ? nil : (meter.beats, meter.value)
            let file = MelodyMIDIFile(notes, tempo: grid.tempo, meter: bar, bends: bend)
            try SmallFile.write(file.bytes, to: midi)
        }
        guard musicXML != nil || quantize else { return }
        let shortest = try parsedShortest()
        var beats = try ScoreGrid(of: notes, heard, grid, stepsPerBeat: shortest / 4)
        if let upbeat = try grid.parsedUpbeat() { beats = beats.beginning(withUpbeat: upbeat, notes) }
        let positions = beats.positions
        let triplets = shortest > 4 && meter.value == 4 ? Self.triplets(notes, positions) : []
        if let midi, quantize {
            // As in the score, where a beat of the meter is the longest step.
            let steps = MelodySteps(shortest: max(shortest, meter.value), triplets: triplets)
            let tempo = beats.tempi[0].perMinute
            let file = MelodyMIDIFile(
                Self.quantized(
                    notes, positions, steps, tempo, perBar: meter.beats * 4 * steps.perQuarter / meter.value),
                tempo: tempo, meter: (meter.beats, meter.value), bends: bend)
            try SmallFile.write(file.bytes, to: midi)
        }
        guard let musicXML else { return }
        let written = notes.map { note in
            var note = note
            note.note = transposition.written(concert: note.note)
            return note
        }
        let melody = NotatedMelody(
            written, on: positions, beats: meter.beats, beatType: meter.value, shortest: shortest, triplets: triplets)
        let file = MusicXMLFile(
            melody, title: title, tempi: beats.tempi, software: "tuner \(productVersion)",
            clef: clef.flatMap { Clef(rawValue: $0) }, transposition: transposition)
        try SmallFile.write(Array(file.text.utf8), to: musicXML)
    }

    /// The quarters in which more notes begin on a third than on a half or a quarter of them.
    private static func triplets(_ notes: [MelodyNote], _ positions: BeatPositions) -> Set<Int> {
        let places = notes.map { positions.position(of: $0.start) }
        let parts = BeatParts(places)
        var votes: [Int: Int] = [:]
        for place in places.map(parts.place) where place.parts > 1 {
            votes[place.beat, default: 0] += place.parts == 3 ? 1 : -1
        }
        return Set(votes.filter { $0.value > 0 }.keys)
    }

    /// The notes at the nearest steps of the grid, at one tempo; each lasts a step at least.
    private static func quantized(
        _ notes: [MelodyNote], _ positions: BeatPositions, _ steps: MelodySteps, _ tempo: Double, perBar: Int
    ) -> [MelodyNote] {
        let starts = notes.map { steps.step(at: positions.position(of: $0.start)) }
        // An upbeat is at the end of a bar, and the file begins with that.
        let upbeat = max(0, -(starts.min() ?? 0))
        let first = -(upbeat + perBar - 1) / perBar * perBar
        func time(_ step: Int) -> Duration { .seconds(60 / tempo * steps.position(of: step - first)) }
        return zip(notes, starts).map { note, start in
            var note = note
            let end = max(steps.step(after: start), steps.step(at: positions.position(of: note.end)))
            (note.start, note.end) = (time(start), time(end))
            return note
        }
    }
}
