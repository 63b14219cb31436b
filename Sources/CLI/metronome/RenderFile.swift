internal import AudioIO
internal import Glibc
internal import MetronomeEngine
internal import Realtime
internal import Synthesis
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// Writes the plan to a sound file block by block.
    func renderFile(_ grid: PlanGrid, _ sounds: ChosenSounds, to path: String) throws {
        if path.lowercased().hasSuffix(".mid") || path.lowercased().hasSuffix(".midi") {
            return try writeMIDI(grid, to: path)
        }
        let sampleRate = output.fileRate
        let channelCount = output.channels ?? 1
        let schedule = try schedule(grid, sampleRate: sampleRate)
        var metronome = Metronome(
            schedule: schedule, sounds: sounds.clicks(sampleRate), gains: sounds.gains,
            placement: sounds.placement, eventCapacity: 16_384)
        let start = metronome.engine.position
        let end = metronome.engine.endFrame ?? start + Self.defaultLength * Int64(sampleRate)
        var sink = try ClickSink(
            path: path, sampleRate: sampleRate, channelCount: channelCount, frameCount: end - start, bits: output.bits)
        // Large enough to be fast, small enough for the first block to appear at once.
        let blockFrames = 16_384
        var block = [Float](repeating: 0, count: blockFrames)
        var spread = [Float](repeating: 0, count: channelCount > 1 ? blockFrames * channelCount : 0)
        var beatCount = 0
        var progress = ProgressLine(RunningCommand.name, of: Double(end - start))
        while metronome.engine.position < end {
            let count = Int(min(Int64(block.count), end - metronome.engine.position))
            progress.advance(to: Double(metronome.engine.position - start))
            var span = block.mutableSpan
            var part = span._mutatingExtracting(first: count)
            metronome.engine.render(into: &part)
            while let beat = metronome.events.pop() { beatCount += beat.part == 0 && beat.layer == 0 ? 1 : 0 }
            if channelCount == 1 {
                try sink.write(block.span.extracting(first: count))
            } else {
                for i in 0..<count { for c in 0..<channelCount { spread[i * channelCount + c] = block[i] } }
                try sink.write(spread.span.extracting(first: count * channelCount))
            }
        }
        progress.end()
        try sink.finish()
        if output.isVerbose {
            complain("\(path): \(end - start) frames at \(sampleRate) Hz, \(beatCount) beats")
        }
    }
}
