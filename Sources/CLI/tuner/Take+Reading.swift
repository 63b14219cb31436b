import AudioIO
import Configuration
import Music
import Pitch
import Realtime
import TerminalUI
import TunerEngine

extension Take {
    /// The take that a recording is.
    init(reading path: String, input: InputOptions, finder: NoteFinder) throws {
        var source = try AudioFileReader(path: path, channel: input.channelChoice)
        let sampleRate = Double(source.sampleRate).hertz
        var engine: TunerEngine
        do {
            engine = try TunerEngine(sampleRate: sampleRate, method: input.method)
        } catch {
            throw CommandError(
                "\"\(path)\" runs at \(source.sampleRate) Hz: convert it to a rate from 8000 to 192000 Hz",
                exitStatus: ExitStatus.noInput)
        }
        self.init(name: path, finder: finder)
        var block = SampleBuffer<Float>(count: 4_096)
        reading: while true {
            var span = block.mutableSpan
            let read = try source.read(into: &span)
            if read.isEnd { break }
            if read.followsGap { engine.reset() }
            engine.process(block.span.extracting(0..<read.count))
            while let reading = engine.nextReading() {
                let note = TunedNote(reading, sampleRate: sampleRate, finder: finder)
                if input.isOver(at: note.seconds) { break reading }
                add(note)
            }
        }
        finish()
    }
}
