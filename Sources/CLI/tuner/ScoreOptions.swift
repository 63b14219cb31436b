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
            "The clef of the score: \(Clef.names). [treble or bass, by the range of the notes]", valueName: "clef"))
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
        if let clef, Clef(rawValue: clef) == nil {
            throw ValidationError("--clef must be \(Clef.names), not \"\(clef)\".")
        }
        _ = try parsedShortest()
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
    func write(
        _ notes: [MelodyNote], heard: TempoReport?, title: String
    ) throws {
        if let midi, !quantize {
            try SmallFile.write(MelodyMIDIFile(notes, tempo: grid.tempo, bends: bend).bytes, to: midi)
        }
        guard musicXML != nil || quantize else { return }
        let meter = try grid.parsedMeter()
        let shortest = try parsedShortest()
        let (positions, tempo) = try positions(of: notes, heard, stepsPerBeat: shortest / 4)
        let triplets = shortest > 4 && meter.value == 4 ? Self.triplets(notes, positions) : []
        if let midi, quantize {
            let steps = MelodySteps(shortest: shortest, triplets: triplets)
            let file = MelodyMIDIFile(Self.quantized(notes, positions, steps, tempo), tempo: tempo, bends: bend)
            try SmallFile.write(file.bytes, to: midi)
        }
        guard let musicXML else { return }
        let melody = NotatedMelody(
            notes, on: positions, beats: meter.beats, beatType: meter.value, shortest: shortest, triplets: triplets)
        let file = MusicXMLFile(
            melody, title: title, tempo: tempo, software: "tuner \(productVersion)",
            clef: clef.flatMap { Clef(rawValue: $0) })
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
        _ notes: [MelodyNote], _ positions: BeatPositions, _ steps: MelodySteps, _ tempo: Double
    ) -> [MelodyNote] {
        let starts = notes.map { steps.step(at: positions.position(of: $0.start)) }
        // An upbeat begins at the file's beginning.
        let first = min(0, starts.min() ?? 0)
        func time(_ step: Int) -> Duration { .seconds(60 / tempo * steps.position(of: step - first)) }
        return zip(notes, starts).map { note, start in
            var note = note
            let end = max(steps.step(after: start), steps.step(at: positions.position(of: note.end)))
            (note.start, note.end) = (time(start), time(end))
            return note
        }
    }

    /// Where the beats are, and the tempo over the score.
    private func positions(
        of notes: [MelodyNote], _ heard: TempoReport?, stepsPerBeat: Int
    ) throws -> (positions: BeatPositions, tempo: Double) {
        if let tempo = grid.tempo {
            return (BeatPositions(tempo: tempo, fitting: notes, stepsPerBeat: stepsPerBeat), tempo)
        }
        let starts = notes.map(\.start.inSeconds).sorted()
        if let heard,
            let found = MelodyGrid(
                starts: starts, found: heard, around: try grid.aroundHeard().map(Double.init),
                meter: try grid.parsedMeter()),
            let positions = BeatPositions(beats: found.quarters.times.map { .seconds($0) })
        {
            return (positions, (10 * found.quarters.tempo).rounded() / 10)
        }
        guard let heard, heard.beats.count >= Self.fewestBeats, let tempo = heard.beatsPerMinute,
            let positions = BeatPositions(
                beats: heard.beats.map { .seconds(heard.seconds($0)) }, from: .seconds(starts.first ?? 0))
        else {
            throw CommandError(
                .input, "no beat was heard in the melody",
                remedy: "give its tempo in quarter notes a minute, as in --tempo 97")
        }
        let rounded = (10 * tempo).rounded() / 10
        complain(
            "tuner",
            "the notes do not keep to the beat that was heard, \(fixedPoint(rounded, decimals: 1)) a minute: bars and values "
                + "are a guess. Give the tempo, as in --tempo 97, or about how fast it is with --around")
        return (positions, rounded)
    }

    /// A bar of 4/4 and the first beat of the next.
    private static let fewestBeats = 5
}
