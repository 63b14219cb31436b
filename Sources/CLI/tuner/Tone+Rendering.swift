import AudioIO
import Configuration
import Realtime
import Synthesis
import TerminalUI
import Timebase

extension Tone {
    func write(_ frequencies: [Hertz], to path: String, rate: Hertz) throws -> Int32 {
        guard let format = AudioFileFormat(path: path) else {
            throw CommandError(
                .usage, "--render '\(path)' has no known format", remedy: "end the name in .wav, .flac, .ogg or .mp3")
        }
        var writer = try AudioFileWriter(path: path, sampleRate: rate, channelCount: 1, format: format)
        let ring = SPSCRing<ToneCommand>(minimumCapacity: 4, filler: .release)
        var commands = ring.producer
        var generator = ToneGenerator(
            frequencies: frequencies, color: color, level: level.decibels, sampleRate: rate,
            commands: ring.consumer)
        // Ten seconds by default; the last 10 ms fade out.
        var left = Int((duration ?? .seconds(10)).frameCount(at: Ratio(Int64(rate.value))))
        let fade = Int(rate.value) / 100
        var block = [Float](repeating: 0, count: 4_096)
        var isReleased = false
        let whole = left
        var progress = ProgressLine(path.split(separator: "/").last.map(String.init) ?? path, of: Double(whole))
        defer { progress.end() }
        while left > 0 {
            progress.advance(to: Double(whole - left))
            if left <= fade, !isReleased {
                isReleased = true
                _ = commands.push(.release)
            }
            let count = min(block.count, left > fade ? left - fade : left)
            var span = block.mutableSpan
            var part = span._mutatingExtracting(first: count)
            generator.render(into: &part)
            try writer.write(block.span.extracting(first: count))
            left -= count
        }
        try writer.finish()
        return ExitStatus.ok
    }
}
