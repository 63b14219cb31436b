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
///
/// What only reads is mutating, too, where the compiler takes seconds to follow every field of a borrowed writer.
struct TranscriptWriter: ~Copyable {
    private let command: Transcribe
    private var finder: NoteFinder
    private let clock: SampleClock
    private let reference: ReferencePitch
    private let name: String
    /// Samples before the segmenter was reset last.
    private var origin: Int64 = 0
    private(set) var notes: [MelodyNote] = []
    private(set) var count = 0
    /// If a score follows them.
    private var beats: HeardBeats?
    /// The newest note that is over, until the next one's beginning is certain, and how many samples the segmenter had heard
    /// when it told of it.
    private var held: (row: NoteRow, event: NoteEvent)?
    /// When the notes after the last one that was written begin, as far as is known, by their numbers.
    private var starts: [Int: Duration] = [:]
    /// Samples since the segmenter was reset.
    private var heardSamples: Int64 = 0
    /// The notes of a recording that are not written yet: all of them tell the key, and the key their names. `nil` where each is
    /// written as soon as it is over.
    private var unnamed: [NoteRow]?

    /// For so many seconds the beginning of a note may be corrected, and some more for the block.
    private static let correction = 0.3
    /// So many notes tell the key, two hours of ten a second: 10 MB.
    private static let mostUnnamed = 1 << 16

    /// - Parameter isWhole: whether it is a recording that is read to its end, so that its key can name its notes.
    init(
        _ command: Transcribe, name: String, finder: NoteFinder, clock: SampleClock, reference: ReferencePitch,
        isWhole: Bool
    ) throws {
        (self.command, self.name, self.finder, self.clock, self.reference) = (command, name, finder, clock, reference)
        if isWhole, !command.events, command.tuningOptions.namesFollowKey, finder.hasKeys { unnamed = [] }
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
    mutating func hear(_ samples: borrowing Span<Float>) {
        heardSamples += Int64(samples.count)
        beats?.hear(samples)
    }

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
        try release(to: &output)
        segmenter.reset()
        starts = [:]
        beats?.begin(at: frame)
        (origin, heardSamples) = (frame, 0)
    }

    /// Writes the events that wait.
    mutating func take(from segmenter: inout NoteSegmenter, to output: inout StandardOutput) throws {
        while let event = segmenter.nextEvent() {
            if command.events { try print(row(of: event), to: &output) }
            starts[event.note.number] = event.kind == .withdrawn ? nil : row(of: event).start
            if let held, event.note.number > held.event.note.number, event.kind != .withdrawn {
                // What is struck again sounds no more.
                let again = row(of: event)
                if again.midi == held.row.midi {
                    if again.start > held.row.start {
                        self.held?.row.end = min(held.row.end, again.start)
                    } else if event.kind == .ended {
                        // The same note, which was told too late at first.
                        self.held = nil
                    }
                }
            }
            guard event.kind == .ended else { continue }
            try release(to: &output)
            held = (row(of: event), event)
        }
        guard let held, Double(heardSamples - held.event.toldAt) > Self.correction * clock.nominalRate.value else {
            return
        }
        try release(to: &output)
    }

    /// Writes the last notes. Call it after the last event.
    mutating func finish(to output: inout StandardOutput) throws {
        try release(to: &output)
        try name(to: &output)
    }

    /// Writes the notes that wait for their names; those that follow get theirs by the same key.
    private mutating func name(to output: inout StandardOutput) throws {
        guard let rows = unnamed.take() else { return }
        finder.naming.key = KeySignature(
            of: rows.map { row in
                (finder.transposition.written(concert: Note(midi: row.midi)), (row.end - row.start).inSeconds)
            })
        for var row in rows {
            row.label = finder.pitch(of: row.frequency)?.label ?? row.label
            try print(row, to: &output)
        }
    }

    private mutating func release(to output: inout StandardOutput) throws {
        guard let (whole, event) = held.take() else { return }
        var row = whole
        // One note sounds at a time: what rings on ends where the next one begins.
        starts = starts.filter { $0.key > event.note.number }
        if let next = starts.values.filter({ $0 > row.start }).min() { row.end = min(row.end, next) }
        if unnamed != nil {
            unnamed?.append(row)
            if count >= Self.mostUnnamed { try name(to: &output) }
        } else if !command.events {
            try print(row, to: &output)
        }
        count += 1
        guard command.score.isWanted, notes.count < ScoreOptions.mostNotes else { return }
        let (note, deviation) = key(of: row)
        notes.append(
            MelodyNote(start: row.start, end: row.end, note: note, deviation: deviation, velocity: row.velocity))
    }

    private func print(_ row: NoteRow, to output: inout StandardOutput) throws {
        try output.print(
            row.line(
                command.noteFormat, file: name, isOneOfSeveral: command.files.count > 1, hasEvents: command.events)
                + "\n")
    }

    /// The instrument that a score is written for.
    var transposition: Transposition { mutating get { finder.hasKeys ? finder.transposition : .concert } }

    /// The key of a keyboard that a note is written as, and its deviation from that in equal temperament, by which programs play
    /// it: in a tuning that is none of the twelve keys, the nearest one.
    private mutating func key(of row: NoteRow) -> (Note, Cents) {
        guard finder.hasKeys else {
            return reference.nearestNote(to: row.frequency) ?? (Note(midi: row.midi), row.deviation)
        }
        let note = Note(midi: row.midi)
        return (note, Cents(from: reference.frequency(of: note), to: row.frequency))
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
        (row.number, row.told) = (note.number, time(Double(event.toldAt)))
        (row.deviation, row.standardError) = (pitch?.deviation ?? note.deviation, note.standardError)
        (row.frequency, row.level, row.velocity) = (frequency, note.level, note.velocity)
        (row.vibratoRate, row.vibratoDepth) = (note.vibratoRate, note.vibratoDepth)
        return row
    }
}
