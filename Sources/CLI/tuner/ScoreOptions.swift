import ArgumentParser
import Configuration
import Platform
import ScoreFiles
import TerminalUI

/// The files that a transcription is written to, and its grid.
struct ScoreOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write the notes to a MIDI file.", valueName: "out.mid"))
    var midi: String?

    @Flag(name: .long, help: "Move the pitch wheel of the MIDI file by the cents of each note.")
    var bend = false

    @Option(
        name: .customLong("musicxml"),
        help: ArgumentHelp("Write a score to a MusicXML file; needs --tempo.", valueName: "out.musicxml"))
    var musicXML: String?

    @Option(name: .long, help: ArgumentHelp("The tempo in quarter notes a minute, 20 to 400.", valueName: "bpm"))
    var tempo: Double?

    @Option(name: .long, help: ArgumentHelp("The meter of the score.", valueName: "beats/value"))
    var meter = "4/4"

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
        if musicXML != nil && tempo == nil {
            throw ValidationError("--musicxml needs the tempo: give it in quarter notes a minute, as in --tempo 97.")
        }
        if let tempo, !(20...400).contains(tempo) {
            throw ValidationError("--tempo must be between 20 and 400 quarter notes a minute, not \(tempo).")
        }
        _ = (try parsedMeter(), try parsedShortest())
    }

    var isWanted: Bool { midi != nil || musicXML != nil }

    private func parsedMeter() throws -> (beats: Int, value: Int) {
        let parts = meter.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let beats = Int(parts[0]), let value = Int(parts[1]), (1...32).contains(beats),
            [1, 2, 4, 8, 16, 32].contains(value)
        else { throw ValidationError("--meter must be like 3/4 or 6/8, not \"\(meter)\".") }
        return (beats, value)
    }

    private func parsedShortest() throws -> Int {
        let values = ["1/4": 4, "1/8": 8, "1/16": 16, "1/32": 32]
        guard let value = values[shortest] else {
            throw ValidationError("--shortest must be 1/4, 1/8, 1/16 or 1/32, not \"\(shortest)\".")
        }
        return value
    }

    /// Writes the files that were asked for.
    ///
    /// - Parameter title: stands over the score.
    func write(_ notes: [MelodyNote], title: String) throws {
        if let midi { try SmallFile.write(MelodyMIDIFile(notes, tempo: tempo, bends: bend).bytes, to: midi) }
        guard let musicXML, let tempo else { return }
        let (beats, value) = try parsedMeter()
        let shortest = try parsedShortest()
        let positions = BeatPositions(tempo: tempo, fitting: notes, stepsPerBeat: shortest / 4)
        let melody = NotatedMelody(notes, on: positions, beats: beats, beatType: value, shortest: shortest)
        let file = MusicXMLFile(melody, title: title, tempo: tempo, software: "tuner \(productVersion)")
        try SmallFile.write(Array(file.text.utf8), to: musicXML)
    }
}
