internal import AudioIO
internal import Configuration
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// The beats of a recording, read block by block however long it is.
struct TempoTake {
    private(set) var report: TempoReport
    /// In seconds.
    private(set) var length = 0.0
    /// What ended the recording early, if anything did.
    private(set) var broken: AudioError?

    private let file: String
    private let channel: ChannelChoice
    private let sampleRate: Hertz

    private static let block = 4_096
    /// Half of both, so that nothing clips that did not before.
    private static let share: Float = 0.5

    init(_ file: String, channel: ChannelChoice, around hint: Tempo?) throws {
        (self.file, self.channel) = (file, channel)
        var reader = try AudioFileReader(path: file, channel: channel)
        sampleRate = reader.sampleRate
        var tracker = try Self.tracker(for: file, sampleRate, around: hint)
        var report = TempoReport(sampleRate: sampleRate)
        // Beats without a note are told when another note follows: after the last one there is no music.
        var silent: [TrackedBeat] = []
        func take(_ beat: TrackedBeat) {
            silent.append(beat)
            guard beat.isHeard else { return }
            for beat in silent { report.add(beat) }
            silent.removeAll()
        }
        var progress = ProgressLine(RunningCommand.name, of: reader.frameCount.map(Double.init))
        var block = [Float](repeating: 0, count: Self.block)
        while true {
            let read: SampleRead
            do throws(AudioError) {
                var span = block.mutableSpan
                read = try reader.read(into: &span)
            } catch {
                broken = error
                break
            }
            if read.isEnd { break }
            tracker.process(block.span.extracting(first: read.count))
            while let beat = tracker.nextBeat() { take(beat) }
            progress.advance(to: Double(reader.readFrames))
        }
        // Silence, so that the last beat is told.
        let silence = [Float](repeating: 0, count: Int(sampleRate.value / 4))
        tracker.process(silence.span)
        while let beat = tracker.nextBeat() { take(beat) }
        progress.end()
        length = Double(reader.readFrames) / sampleRate.value
        self.report = report.leveled
        guard self.report.beatsPerMinute != nil else {
            if let broken { throw broken }
            throw CommandError(
                .input, "\"\(file)\" has no beat that can be followed",
                remedy: "name a recording with a beat, another --channel, or about how fast it is with --around")
        }
    }

    private static func tracker(
        for file: String, _ sampleRate: Hertz, around hint: Tempo?
    ) throws(CommandError) -> TempoTracker {
        do throws(OnsetError) {
            return try TempoTracker(sampleRate: sampleRate, around: hint)
        } catch {
            throw CommandError(
                .input, "\"\(file)\" runs at \(Int(sampleRate.value)) Hz",
                remedy: "convert it to a rate from 8000 to 192000 Hz")
        }
    }

    /// Writes the recording with a click on each beat.
    func writeCopy(to path: String) throws {
        var reader = try AudioFileReader(path: file, channel: channel)
        let frames = Int64((length * sampleRate.value).rounded())
        var sink = try ClickSink(
            path: path, sampleRate: Int(sampleRate.value), channelCount: 1, frameCount: frames, bits: nil)
        var clicks = ClickTrack(sounds: [.voice(.woodBlock)], sampleRate: sampleRate)
        var block = [Float](repeating: 0, count: Self.block)
        var click = [Float](repeating: 0, count: Self.block)
        var (place, next) = (Int64(0), 0)
        while place < frames {
            var span = block.mutableSpan
            // It was read before: what fails now ends it early.
            guard let read = try? reader.read(into: &span), !read.isEnd else { break }
            let count = Int(min(Int64(read.count), frames - place))
            while next < report.beats.count {
                let beat = report.beats[next].frame
                let ahead = Int64(beat.rounded()) - place
                guard ahead < count else { break }
                clicks.strike(
                    layer: 0, level: .accent, gain: 1, fraction: beat - beat.rounded(), ahead: max(0, Int(ahead)))
                next += 1
            }
            var mix = click.mutableSpan
            clicks.render(into: &mix, from: 0, to: count)
            for n in 0..<count { block[n] = Self.share * (block[n] + click[n]) }
            try sink.write(block.span.extracting(first: count))
            place += Int64(count)
        }
        try sink.finish()
    }
}
