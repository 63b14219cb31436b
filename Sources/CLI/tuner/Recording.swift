import AudioIO
import Configuration
import Intonation
import Pitch
import Realtime
import TunerEngine

/// A recording, or raw sound, on its way through an engine.
struct Recording<Source: SampleSource & ~Copyable>: ~Copyable {
    /// The clock that counted its samples.
    let clock: SampleClock
    private var source: Source
    private var engine: TunerEngine
    // 4,096 samples give at most 512 readings, at the shortest hop of 1 ms at 8 kHz: the engine queues 1,024.
    private var block = [Float](repeating: 0, count: 4_096)

    init(_ source: consuming Source, name: String, input: InputOptions, tuning: TuningOptions) throws(CommandError) {
        clock = tuning.clock(labelled: source.sampleRate)
        engine = try input.engine(for: name, sampleRate: clock.nominalRate)
        self.source = source
    }

    /// Analyses the next block.
    ///
    /// - Returns: false at the end of the recording.
    mutating func read() throws(AudioError) -> Bool {
        // Taken out for the time of the call, so that the source and the engine can change beside it.
        var block: [Float] = []
        swap(&block, &self.block)
        defer { swap(&block, &self.block) }
        var span = block.mutableSpan
        let read = try source.read(into: &span)
        if read.isEnd { return false }
        if read.followsGap { engine.reset() }
        engine.process(block.span.extracting(0..<read.count))
        return true
    }

    mutating func nextNote(_ finder: NoteFinder) -> TunedNote? {
        engine.nextReading().map { TunedNote($0, clock: clock, finder: finder) }
    }
}

extension Take {
    init(reading path: String, input: InputOptions, tuning: TuningOptions, finder: NoteFinder) throws {
        var recording = try Recording(
            AudioFileReader(path: path, channel: input.channelChoice), name: path, input: input, tuning: tuning)
        self.init(name: path, finder: finder)
        reading: while try recording.read() {
            while let note = recording.nextNote(finder) {
                if input.isOver(at: note.time) { break reading }
                add(note)
            }
        }
        finish()
    }
}
