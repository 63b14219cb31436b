import AudioIO
import Configuration
import Intonation
import Pitch
import Realtime
import TerminalUI
import TunerEngine

/// A recording, or raw sound, on its way through an engine.
struct Recording<Source: SampleSource & ~Copyable>: ~Copyable {
    /// The clock that counted its samples.
    let clock: SampleClock
    private var blocks: SampleBlocks<Source>
    private var engine: TunerEngine
    private var watch = SoundWatch()
    private var clipping = ClippingDetector()
    /// What tells strums apart from single notes; `nil` if nothing does.
    private var strums: StrumLookahead?
    /// Where samples reached full scale that no reading has told of.
    private var clips: [Duration] = []
    /// What ended the recording, while readings still wait.
    private var end: Result<Void, AudioError>?
    /// The tuning that the newest strum is in, until it is taken.
    private var strumTuning: StringTuning?
    /// The length in samples; `nil` if the source does not tell.
    let frameCount: Int64?

    /// - Parameter strums: looks for strums, for which readings have to wait.
    init(
        _ source: consuming Source, frameCount: Int64? = nil, name: String, input: InputOptions, tuning: TuningOptions,
        strums: consuming StrumLookahead? = nil
    ) throws(CommandError) {
        self.frameCount = frameCount
        clock = tuning.clock(labelled: source.sampleRate)
        engine = try input.engine(for: name, sampleRate: clock.nominalRate)
        blocks = SampleBlocks(source)
        self.strums = strums
    }

    /// The tuning of a strum that was heard since the last call.
    mutating func nextStrumTuning() -> StringTuning? {
        defer { strumTuning = nil }
        return strumTuning
    }

    /// Analyses the next block.
    ///
    /// - Returns: false at the end of the recording.
    mutating func read() throws(AudioError) -> Bool {
        if let end {
            try end.get()
            return false
        }
        do throws(AudioError) {
            if let read = try blocks.next() {
                process(followsGap: read.followsGap, count: read.count)
                return true
            }
            end = .success(())
        } catch {
            end = .failure(error)
        }
        // What waits is told first.
        guard strums?.hasReadings == true else {
            try end?.get()
            return false
        }
        strums?.finish()
        return true
    }

    private mutating func process(followsGap: Bool, count: Int) {
        if followsGap { engine.reset() }
        engine.process(blocks.samples)
        let start = clock.time(ofFrame: frames - Int64(count))
        let isClipped = clipping.process(blocks.samples)
        guard strums != nil else {
            if isClipped { watch.clip(at: start) }
            return
        }
        if isClipped { clips.append(start) }
        strums?.process(blocks.samples, clock: clock, followsGap: followsGap)
        while let reading = engine.nextReading() { strums?.add(reading) }
    }

    /// Samples that were read.
    var frames: Int64 { blocks.frames }

    mutating func nextNote(_ finder: NoteFinder) -> TunedNote? {
        guard strums != nil else {
            return engine.nextReading().map { watch.judge(TunedNote($0, clock: clock, finder: finder)) }
        }
        guard let (reading, sound) = strums?.next() else { return nil }
        let note = TunedNote(reading, clock: clock, finder: finder)
        while let clip = clips.first, clip <= note.time {
            watch.clip(at: clip)
            clips.removeFirst()
        }
        if let sound {
            watch.hear(sound)
            if sound.isStrum { strumTuning = sound.tuning }
        }
        return watch.judge(note)
    }
}

/// A part of a recording.
struct RecordingPart {
    var start = Duration.zero
    /// `nil` for the end of the recording.
    var end: Duration?
}

extension Take {
    /// Analyses a recording, or a part of it, with progress on standard error.
    ///
    /// - Parameters:
    ///   - tolerance: up to where a string of a strum is in tune.
    ///   - others: other tunings of the instrument, which its strings may be in.
    ///   - broken: what ended the recording before its end; the take has what was read before.
    init(
        reading path: String, part: RecordingPart = RecordingPart(), input: InputOptions, tuning: TuningOptions,
        finder: NoteFinder, tolerance: Cents, others: [StringTuning] = [], broken: inout AudioError?
    ) throws {
        let (strums, other) = try PlayedStrum.all(
            in: path, input: input, tuning: tuning, finder: finder, tolerance: tolerance, others: others)
        if let other {
            complain(
                "tuner",
                "\(path.legible) has strums in \(other.name): if that is how the strings are tuned, "
                    + "say \(TuningOptions.option(for: other))")
        }
        let source = try AudioFileReader(path: path, channel: input.channelChoice)
        let length = source.frameCount
        var recording = try Recording(source, frameCount: length, name: path, input: input, tuning: tuning)
        self.init(name: path, finder: finder, start: part.start, strums: strums)
        let end = part.end.map { Double(recording.clock.frame(at: $0)) } ?? .infinity
        let whole = min(end, length.map { Double($0) } ?? .infinity)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        var progress = ProgressLine(file, of: whole.isFinite ? whole : nil)
        defer { progress.end() }
        reading: while true {
            do throws(AudioError) {
                guard try recording.read() else { break }
            } catch {
                // The notes that were read before it count.
                broken = error
                break
            }
            while let note = recording.nextNote(finder) {
                if input.isOver(at: note.time) || part.end.map({ note.time >= $0 }) ?? false { break reading }
                add(note)
            }
            progress.advance(to: Double(recording.frames))
        }
        finish()
    }
}
