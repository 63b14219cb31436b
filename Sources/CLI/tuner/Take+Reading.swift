import AudioIO
import Configuration
import Intonation
import Music
import Realtime
import TunerEngine

extension Take {
    /// Reads a recording to its end.
    init(reading path: String, input: InputOptions, tuning: TuningOptions, finder: NoteFinder) throws {
        var source = try AudioFileReader(path: path, channel: input.channelChoice)
        let clock = tuning.clock(labelled: source.sampleRate)
        var engine = try input.engine(for: path, sampleRate: clock.nominalRate)
        self.init(name: path, finder: finder)
        var block = SampleBuffer<Float>(count: 4_096)
        reading: while true {
            var span = block.mutableSpan
            let read = try source.read(into: &span)
            if read.isEnd { break }
            if read.followsGap { engine.reset() }
            engine.process(block.span.extracting(0..<read.count))
            while let reading = engine.nextReading() {
                let note = TunedNote(reading, clock: clock, finder: finder)
                if input.isOver(at: note.time) { break reading }
                add(note)
            }
        }
        finish()
    }
}
