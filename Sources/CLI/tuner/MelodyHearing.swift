import AudioIO
import Configuration
import Intonation
import Rhythm
import TerminalUI
import Timebase
import Transcription

/// The notes, the beats and the loudness of a recording, or of a part of it, before they are named.
struct MelodyHearing {
    private(set) var notes: [TranscribedNote] = []
    private var clock: SampleClock
    private var levels: LevelCurve
    /// `nil` where the tempo is given.
    private var report: TempoReport?
    private let options: GridOptions
    /// The tempo that is known beforehand, about.
    private let around: Int?

    /// Whether there were more notes than are kept.
    private(set) var isCut = false

    /// The most notes that are kept: two hours of nine notes a second. Their analysis takes up to 200 MB.
    static let mostNotes = 1 << 16

    /// Hears a recording with progress on standard error.
    init(
        _ path: String, part: RecordingPart, input: InputOptions, tuning: TuningOptions, grid options: GridOptions
    ) throws {
        let source = try AudioFileReader(path: path, channel: input.channelChoice)
        let length = source.frameCount
        clock = tuning.clock(labelled: source.sampleRate)
        (levels, self.options) = (LevelCurve(sampleRate: clock.trueRate), options)
        // An engine of the notes has been made at this rate already.
        var segmenter = try NoteSegmenter(sampleRate: clock.nominalRate)
        around = try options.aroundHeard()
        var beats =
            options.tempo == nil
            ? try HeardBeats(clock: clock, around: try around.map { try Tempo(Int64($0)) }) : nil
        let (start, end) = (clock.frame(at: part.start), part.end.map { clock.frame(at: $0) } ?? .max)
        var blocks = SampleBlocks(source)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        var progress = ProgressLine(file, of: (length.map { min(end, $0) } ?? end).asLength)
        defer { progress.end() }
        var origin = start
        beats?.begin(at: origin)
        // An error in the file has been reported already: what was read counts.
        while blocks.frames < end, let read = try? blocks.next() {
            let first = blocks.frames - Int64(read.count)
            if read.followsGap, first > start {
                segmenter.finish()
                take(from: &segmenter, origin: origin)
                segmenter.reset()
                origin = first
                beats?.begin(at: first)
            }
            let used = Int(max(0, min(start, blocks.frames) - first))..<Int(min(blocks.frames, end) - first)
            if !used.isEmpty {
                let samples = blocks.samples.extracting(used)
                segmenter.process(samples)
                beats?.hear(samples)
                levels.add(samples)
                take(from: &segmenter, origin: origin)
            }
            progress.advance(to: Double(blocks.frames))
            if input.isOver(at: clock.time(ofFrame: blocks.frames)) { break }
        }
        segmenter.finish()
        take(from: &segmenter, origin: origin)
        switch consume beats {
        case .some(let beats): report = beats.report.leveled
        case .none: report = nil
        }
    }

    private mutating func take(from segmenter: inout NoteSegmenter, origin: Int64) {
        while let event = segmenter.nextEvent() {
            guard event.kind == .ended else { continue }
            guard notes.count < Self.mostNotes else {
                isCut = true
                continue
            }
            var note = event.note
            (note.start, note.end) = (note.start + Double(origin), note.end + Double(origin))
            // One note sounds at a time: what rings on ends for the player where the next one begins.
            if let last = notes.last, note.start > last.start {
                notes[notes.count - 1].end = min(last.end, note.start)
            }
            notes.append(note)
        }
    }

    /// The melody, its notes named by these rules; `nil` if there are too few notes for one.
    func melody(_ finder: NoteFinder, tonic: Int?) throws -> PlayedMelody? {
        let beats =
            options.tempo.map { PlayedMelody.Beats.given(tempo: $0) }
            ?? report.map { .heard($0, around: around.map(Double.init)) }
        guard let beats else { return nil }
        let melody = PlayedMelody(
            notes.compactMap { tone(of: $0, finder) }, beats: beats, meter: try options.parsedMeter(),
            upbeat: try options.parsedUpbeat(), hasKey: finder.hasKeys, tonic: tonic, levels: levels)
        return melody.tones.count >= PlayedMelody.fewestNotes ? melody : nil
    }

    /// The notes with a vibrato, as many or few as there are, for the intonation of the whole take.
    var swayingNotes: [Take.SwayingNote] {
        notes.filter { $0.vibratoDepth.value > 0 }.map {
            Take.SwayingNote(
                start: time($0.start), end: time($0.end), frequency: $0.frequency * clock.error.ratio,
                depth: $0.vibratoDepth)
        }
    }

    private func time(_ frame: Double) -> Duration { .seconds(frame / clock.trueRate.value) }

    /// A note in true hertz and seconds.
    private func tone(of note: TranscribedNote, _ finder: NoteFinder) -> MelodyTone? {
        let frequency = note.frequency * clock.error.ratio
        guard let pitch = finder.pitch(of: frequency) else { return nil }
        return MelodyTone(
            start: time(note.start), end: time(note.end), note: finder.transposition.written(concert: pitch.note),
            name: pitch.name, label: pitch.label, deviation: pitch.deviation, frequency: frequency,
            vibratoRate: note.vibratoRate, vibratoDepth: note.vibratoDepth, level: note.level)
    }
}

extension Int64 {
    /// As the length of a recording; `nil` where it is not known.
    fileprivate var asLength: Double? { self == .max ? nil : Double(self) }
}
