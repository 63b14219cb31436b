import Configuration
import Intonation
import Music
import Rhythm
import ScoreFiles
import TerminalUI
import Timebase
import Transcription
internal import TunerUI

/// Writes the events of a segmenter as lines, and keeps the notes for the files.
struct TranscriptWriter: ~Copyable {
    private let command: Transcribe
    private let finder: NoteFinder
    private let clock: SampleClock
    private let name: String
    /// Samples before the segmenter was reset last.
    private var origin: Int64 = 0
    private(set) var notes: [MelodyNote] = []
    private(set) var count = 0
    /// If a score follows them.
    private var beats: HeardBeats?

    init(_ command: Transcribe, name: String, finder: NoteFinder, clock: SampleClock) throws {
        (self.command, self.name, self.finder, self.clock) = (command, name, finder, clock)
        guard command.score.followsBeats else { return }
        let around = try command.score.grid.aroundHeard()
        beats = try HeardBeats(clock: clock, around: try around.map { try Tempo(Int64($0)) })
    }

    /// The beats that were heard, if a score follows them.
    var heard: TempoReport? {
        switch beats {
        case .some(let heard): heard.report.leveled
        case .none: nil
        }
    }

    /// Hears what the segmenter hears.
    mutating func hear(_ samples: borrowing Span<Float>) { beats?.hear(samples) }

    /// The segmenter for a clock's nominal rate.
    static func segmenter(
        _ command: Transcribe, name: String, clock: SampleClock, _ kind: CommandError.Kind, remedy: String
    ) throws -> NoteSegmenter {
        let reference = try command.tuningOptions.referencePitch()
        do throws(OnsetError) {
            return try NoteSegmenter(sampleRate: clock.nominalRate, reference: reference)
        } catch {
            throw CommandError(
                kind, "\"\(name)\" runs at \(Int(clock.nominalRate.value)) Hz",
                remedy: remedy + " from 8000 to 192000 Hz")
        }
    }

    /// Starts again after a gap, so many samples after the start of the stream.
    mutating func begin(
        at frame: Int64, after segmenter: inout NoteSegmenter, to output: inout StandardOutput
    ) throws {
        segmenter.finish()
        try take(from: &segmenter, to: &output)
        segmenter.reset()
        beats?.begin(at: frame)
        origin = frame
    }

    /// Writes the events that wait.
    mutating func take(from segmenter: inout NoteSegmenter, to output: inout StandardOutput) throws {
        while let event = segmenter.nextEvent() {
            guard event.kind == .ended || command.events else { continue }
            let row = row(of: event)
            try output.print(
                row.line(
                    command.noteFormat, file: name, isOneOfSeveral: command.files.count > 1,
                    hasEvents: command.events) + "\n")
            guard event.kind == .ended else { continue }
            count += 1
            guard command.score.isWanted, notes.count < ScoreOptions.mostNotes else { continue }
            notes.append(
                MelodyNote(
                    start: row.start, end: row.end, note: Note(midi: row.midi), deviation: row.deviation,
                    velocity: row.velocity))
        }
    }

    private func row(of event: NoteEvent) -> NoteRow {
        let note = event.note
        // In true hertz and seconds.
        let frequency = note.frequency * clock.error.ratio
        let pitch = finder.pitch(of: frequency)
        func time(_ frame: Double) -> Duration { .seconds((frame + Double(origin)) / clock.trueRate.value) }
        var row = NoteRow(
            event: "\(event.kind)", start: time(note.start), end: time(note.end),
            label: pitch?.label ?? "\(note.note)", midi: pitch?.note.midi ?? note.note.midi)
        (row.deviation, row.standardError) = (pitch?.deviation ?? note.deviation, note.standardError)
        (row.frequency, row.level, row.velocity) = (frequency, note.level, note.velocity)
        (row.vibratoRate, row.vibratoDepth) = (note.vibratoRate, note.vibratoDepth)
        return row
    }
}
