import ArgumentParser
import Configuration
import Platform
import ScoreFiles
import TerminalUI
import Transcription

/// The files that a transcription is written to, and its grid.
struct ScoreOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write the notes to a MIDI file.", valueName: "out.mid"))
    var midi: String?

    @Flag(name: .long, help: "Move the pitch wheel of the MIDI file by the cents of each note.")
    var bend = false

    @Option(
        name: .customLong("musicxml"),
        help: ArgumentHelp("Write a score to a MusicXML file.", valueName: "out.musicxml"))
    var musicXML: String?

    @OptionGroup var grid: GridOptions

    @Option(
        name: .long, help: ArgumentHelp("Round to this value in the score: 1/4, 1/8, 1/16, 1/32.", valueName: "value"))
    var shortest = "1/16"

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
        if grid.around != nil && !followsBeats {
            throw ValidationError("--around helps to find the beats of a score: add --musicxml and leave out --tempo.")
        }
        _ = try parsedShortest()
    }

    var isWanted: Bool { midi != nil || musicXML != nil }

    /// Whether the grid of the score is what is heard.
    var followsBeats: Bool { musicXML != nil && grid.tempo == nil }

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
    ///   - heard: the beats that were heard and their tempo, for a score without one of its own.
    ///   - title: stands over the score.
    func write(
        _ notes: [MelodyNote], heard: (beats: [Duration], tempo: Double?), title: String
    ) throws {
        if let midi { try SmallFile.write(MelodyMIDIFile(notes, tempo: grid.tempo, bends: bend).bytes, to: midi) }
        guard let musicXML else { return }
        let meter = try grid.parsedMeter()
        let shortest = try parsedShortest()
        let (positions, tempo) = try positions(of: notes, heard, stepsPerBeat: shortest / 4)
        let melody = NotatedMelody(notes, on: positions, beats: meter.beats, beatType: meter.value, shortest: shortest)
        let file = MusicXMLFile(melody, title: title, tempo: tempo, software: "tuner \(productVersion)")
        try SmallFile.write(Array(file.text.utf8), to: musicXML)
    }

    /// Where the beats are, and the tempo over the score.
    private func positions(
        of notes: [MelodyNote], _ heard: (beats: [Duration], tempo: Double?), stepsPerBeat: Int
    ) throws -> (positions: BeatPositions, tempo: Double) {
        if let tempo = grid.tempo {
            return (BeatPositions(tempo: tempo, fitting: notes, stepsPerBeat: stepsPerBeat), tempo)
        }
        let start = notes.map(\.start).min() ?? .zero
        guard heard.beats.count >= Self.fewestBeats, let tempo = heard.tempo,
            let positions = BeatPositions(beats: heard.beats, from: start)
        else {
            throw CommandError(
                .input, "no beat was heard in the melody",
                remedy: "give its tempo in quarter notes a minute, as in --tempo 97")
        }
        return (positions, (10 * tempo).rounded() / 10)
    }

    /// A bar of 4/4 and the first beat of the next.
    private static let fewestBeats = 5
}
