internal import AudioIO
internal import Glibc
internal import MetronomeEngine
internal import Realtime
internal import Synthesis
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// Writes the plan to a sound file, as fast as the disk takes it; the first block is on the disk before the second
    /// is rendered.
    func renderFile(_ plan: PracticePlan, to path: String) throws -> Int32 {
        guard let format = AudioFileFormat(path: path) else {
            throw CommandError(
                "--render '\(path)': the name has to end in .wav, .flac, .ogg or .mp3", exitStatus: ExitStatus.usage)
        }
        let sampleRate = try readRate() ?? 48_000
        let channelCount = try readChannels() ?? 1
        let schedule = try schedule(plan, sampleRate: sampleRate)
        // One minute.
        let end = schedule.endFrame ?? Int64(60 * sampleRate)
        var writer = try AudioFileWriter(path: path, sampleRate: sampleRate, channelCount: channelCount, format: format)
        let ring = SPSCRing<BeatEvent>(minimumCapacity: 4_096, filler: .none)
        var beats = ring.consumer
        var engine = MetronomeEngine(schedule: schedule, events: ring.producer)
        // 8,192 frames: large enough to be fast, small enough to be there at once.
        var block = [Float](repeating: 0, count: 8_192)
        var spread = [Float](repeating: 0, count: channelCount > 1 ? 8_192 * channelCount : 0)
        var beatCount = 0
        while engine.position < end {
            let count = Int(min(Int64(block.count), end - engine.position))
            var span = block.mutableSpan
            var part = span._mutatingExtracting(first: count)
            engine.render(into: &part)
            while beats.pop() != nil { beatCount += 1 }
            if channelCount == 1 {
                try writer.write(block.span.extracting(first: count))
            } else {
                for i in 0..<count { for c in 0..<channelCount { spread[i * channelCount + c] = block[i] } }
                try writer.write(spread.span.extracting(first: count * channelCount))
            }
        }
        try writer.finish()
        if isVerbose {
            complain("metronome", "\(path): \(end) frames at \(sampleRate) Hz, \(beatCount) beats")
        }
        return ExitStatus.ok
    }
}
