import ArgumentParser
import Foundation
import RealNotes
import Rivals

/// `bench real-notes`: ours and the rivals on real notes with exactly known pitch.
struct RealNotesBesideRivals: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "real-notes", abstract: "Real notes with exactly known pitch, ours beside the rivals.")
    @OptionGroup var options: MeasureOptions
    @Option(help: "Another folder of real notes: index.csv, truth, sounds.") var realNotes: String?

    func run() throws {
        let notes = try realNotes.map { try RealNoteSet(folder: $0) } ?? .shipped()
        let loaded = try notes.sounds.map { try $0.load() }
        guard loaded.allSatisfy({ $0.rate == Ear.rate }) else {
            throw ValidationError("the notes must have \(Int(Ear.rate)) samples per second")
        }
        // aubio's mcomb and lingot would take minutes and are in the tables of generated tones.
        let aubio = Ear.aubio(windows: [4_096, 2_048]).filter { !$0.name.contains("mcomb") }
        let praat = Praat.ears(python: options.python)
        let missing = [(aubio, Aubio.howToInstall), (praat, Praat.howToInstall)].filter(\.0.isEmpty).map(\.1)
        // The live tuner has the long window.
        let ears = [Ear.ours(window: 14_400)] + aubio + praat
        let results = try ears.map { ear in
            let heard = try ear.listen(loaded.map(\.samples))
            // Rivals tell the rate at which the waveform repeats.
            let pitch: RealNoteTruth.Pitch = ear.name == "ours" ? .firstPartial : .period
            return RealNoteResults(
                try zip(notes.sounds, heard).compactMap { sound, readings in
                    try RealNoteOutcome(readings.map(Self.reading), of: sound, telling: pitch)
                })
        }
        let names = ears.map { $0.name + ($0.isOffline ? " (offline)" : "") }
        try part(names, results, missing).save(as: "real-notes", in: options.results)
    }

    private static func reading(_ heard: Heard) -> NoteReading {
        NoteReading(time: Double(heard.frame) / Ear.rate, hertz: heard.hertz, standardError: heard.standardError)
    }

    private func part(_ names: [String], _ results: [RealNoteResults], _ missing: [String]) -> Part {
        let groups = RealNoteResults.Group.table.filter { results[0].figures(of: $0) != nil }
        let notes = (results[0].figures(of: .all)?.sounds ?? 0) / 2
        let command = "bench real-notes"
        let what =
            "\(notes) notes of instruments, recordings taken apart into partials and put together again on an exactly known "
            + "phase, so that attack, decay, breath and room are real and the pitch at every moment is known; each twice, "
            + "on the exact phase and with its own deviations from it. "
        func rows(_ value: (RealNoteFigures) -> String, of groups: [RealNoteResults.Group]) -> [[String]] {
            zip(names, results).map { name, result in
                [name] + groups.map { group in result.figures(of: group).map(value) ?? "-" }
            }
        }
        let locks = rows({ $0.lock.isFinite ? String(format: "%.0f", $0.lock) : "never" }, of: groups)
        let contexts: [RealNoteResults.Group] = [.all, .context(.room), .context(.ring)]
        let wrong = rows({ String(format: "%.2f", $0.wrong) }, of: contexts)
        return Part(
            tables: [
                Part.Table(
                    title: "Real notes, beside the rivals",
                    text: what
                        + "Columns: " + RealNoteFigures.explanation
                        + " A detector that reads all the time locks early by "
                        + "chance: compare lock with wrong and never. Ours is compared with the frequency of the first "
                        + "partial, the rivals with the rate at which the waveform repeats. Offline: as if it were read as "
                        + "soon as its window is full. " + missing.map { $0 + ". " }.joined(),
                    columns: [""] + RealNoteFigures.columns,
                    rows: zip(names, results).compactMap { name, result in
                        result.figures(of: .all).map { [name] + $0.cells }
                    }, command: command),
                Part.Table(
                    title: "Real notes by family: lock, and wrong readings",
                    text:
                        "Lock in milliseconds, median; then the wrong readings per note of all notes alone, in a room "
                        + "(pink noise 50 dB below, rumble and mains hum 35 dB below) and over a note that rings 20 dB below.",
                    columns: [""] + groups.map(\.name) + [
                        "wrong, alone", "wrong, in a room", "wrong, over a ringing note",
                    ],
                    rows: zip(locks, wrong).map { $0 + $1.dropFirst() }, command: command),
                Part.Table(
                    title: "Real notes by family: ours", text: "The same columns as in the first table.",
                    columns: [""] + RealNoteFigures.columns,
                    rows: groups.compactMap { group in
                        results[0].figures(of: group).map { [group.name] + $0.cells }
                    }, command: command),
            ], summary: summary(names, results, notes))
    }

    private func summary(_ names: [String], _ results: [RealNoteResults], _ notes: Int) -> [String] {
        let all = zip(names, results).compactMap { name, result in result.figures(of: .all).map { (name, $0) } }
        guard let (_, ours) = all.first else { return [] }
        func words(_ figures: RealNoteFigures) -> String {
            "\(short(figures.lock)) ms with \(short(figures.wrong)) wrong readings a note before"
        }
        var line =
            "Real notes (\(notes)), from the onset to readings that stay within 50 cents: median \(words(ours)), nine of "
            + "ten within \(short(ours.lateLock)) ms, never \(ours.never)"
        if let (name, rival) = all.dropFirst().min(by: { $0.1.lock < $1.1.lock }) {
            line += "; the quickest rival here, \(name), \(words(rival)), never \(rival.never)"
        }
        if let (name, rival) = all.dropFirst().min(by: { $0.1.wrong < $1.1.wrong }) {
            line += "; the one least often wrong, \(name), \(words(rival)), never \(rival.never)"
        }
        return [line + " of \(ours.sounds) sounds."]
    }
}
