internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Notation
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// `metronome verify`: reports how well the clicks of a recording keep time.
struct Verify: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Report how well the clicks of a recording keep time: drift, jitter, lost and extra clicks.",
        usage: "metronome verify take.wav 120",
        discussion: """
            It finds the clicks of any metronome, and locates those of this one by their waveform, to a hundredth of a \
            sample. Drift is relative to the clock of the recorder. To check what this machine plays, use metronome \
            120 --verify.
            """)

    @Argument(help: ArgumentHelp("The recording: WAV, FLAC, OGG or MP3.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("The tempo in clicks per minute: 120, 97.3, 100/3.", valueName: "tempo"))
    var tempo: [String]

    @Option(name: .long, help: "Use one channel only, counted from 1, instead of the mean of all.")
    var channel: Int?

    @Flag(name: .long, help: "Report as a JSON object.")
    var json = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if let channel, channel < 1 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        guard let beats = try read("tempo", tempo.joined(separator: " "), Tempo.init(spoken:))?.beatsPerMinute.value
        else {
            return ExitStatus.ok
        }
        var reader = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
        let rate = reader.sampleRate.value
        guard rate >= 1_000 else { throw noSuchClicks([]) }
        let interval = Duration.seconds(60 / beats)
        // Onsets within a quarter of the interval, or 50 ms, belong to the same click.
        var recorded = try RecordedClicks(
            sampleRate: rate.hertz, knowing: ClickVoice.all.map(ClickSound.voice),
            spacing: min(.milliseconds(50), interval / 4))
        // Twice: the second time for clicks that noise hid.
        var progress = ProgressLine(RunningCommand.name, of: reader.frameCount.map { Double(2 * $0) })
        let broken = try hear(&reader) { block, frames in
            recorded.process(block)
            progress.advance(to: Double(frames))
        }
        recorded.finish()
        var (clicks, timing) = try compare(recorded, interval, rate)
        let isNoisy = clicks.contains { $0.standardError > rate * 2e-6 }
        if isNoisy || timing.map({ $0.lost + $0.extra > 0 || !$0.isCredible }) ?? true {
            var again = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
            _ = try hear(&again) { block, frames in
                try recorded.processAgain(block)
                progress.advance(to: Double(reader.readFrames + frames))
            }
            recorded.finishAgain()
            (clicks, timing) = try compare(recorded, interval, rate)
        }
        // It may be our spoken count, of which each word is another sound and has several rises.
        let unexplained = timing.map { $0.isCredible ? $0.lost + $0.extra : .max } ?? .max
        if unexplained > 0 || clicks.contains(where: { $0.kind != 0 }), let words = try spokenWords(rate),
            let spoken = ClickTiming(heard: words.map { .seconds($0.position / rate) }, interval: interval),
            spoken.isCredible, spoken.lost + spoken.extra <= unexplained
        {
            (clicks, timing) = (words, spoken)
        }
        progress.end()
        let heard = clicks.map { Duration.seconds($0.position / rate) }
        guard let timing, timing.isCredible else {
            if let broken { throw broken }
            throw noSuchClicks(heard)
        }
        var report = TimingReport(
            source: file, tempo: beats, length: (heard.last ?? .zero) - (heard.first ?? .zero), timing: timing,
            lost: timing.lost)
        report.placement = .seconds(standardError(of: clicks, timing) / rate)
        var output = StandardOutput()
        try output.print(json ? report.json : report.text)
        try output.flush()
        if let broken { throw broken }
        return ExitStatus.ok
    }

    /// The words of the spoken count, if it is heard at least three times, also within the first quarter of a minute.
    private func spokenWords(_ rate: Double) throws -> [RecordedClicks.Click]? {
        var words = try SpokenWords(of: .englishCount(sampleRate: rate.hertz), sampleRate: rate.hertz)
        var reader = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
        var block = [Float](repeating: 0, count: 65_536)
        while words.found.count >= 3 || Double(reader.readFrames) < 15 * rate {
            var span = block.mutableSpan
            // What was broken has been told.
            guard let read = try? reader.read(into: &span), !read.isEnd else { break }
            words.process(block.span.extracting(first: read.count))
        }
        words.finish()
        return words.found.count >= 3 ? words.found : nil
    }

    /// Hands over the recording block by block, with the number of frames read so far; returns the error that ended it
    /// early, since what was read still counts.
    private func hear(
        _ reader: inout AudioFileReader, _ take: (_ block: borrowing Span<Float>, _ frames: Int64) throws -> Void
    ) throws -> AudioError? {
        var block = [Float](repeating: 0, count: 65_536)
        while true {
            let read: SampleRead
            do throws(AudioError) {
                var span = block.mutableSpan
                read = try reader.read(into: &span)
            } catch {
                return error
            }
            if read.isEnd { return nil }
            try take(block.span.extracting(first: read.count), reader.readFrames)
        }
    }

    /// The clicks that were found, and how well they keep time.
    private func compare(
        _ recorded: borrowing RecordedClicks, _ interval: Duration, _ rate: Double
    ) throws -> (clicks: [RecordedClicks.Click], timing: ClickTiming?) {
        let clicks = try recorded.clicks()
        let heard = clicks.map { Duration.seconds($0.position / rate) }
        return (clicks, ClickTiming(heard: heard, interval: interval, kinds: clicks.map(\.kind)))
    }

    /// The standard error of the place of one click among those that the figures compare, in samples.
    private func standardError(of clicks: [RecordedClicks.Click], _ timing: ClickTiming) -> Double {
        let compared = timing.uncompared > 0 ? clicks.filter { $0.kind != nil } : clicks
        let squares = compared.map { $0.standardError * $0.standardError }
        return (squares.reduce(0, +) / Double(max(1, squares.count))).squareRoot()
    }

    private func noSuchClicks(_ heard: [Duration]) -> CommandError {
        guard let interval = ClickTiming.interval(of: heard) else {
            return CommandError(
                .input, "\"\(file)\" has fewer than three clicks at \(tempo.joined(separator: " ")) per minute",
                remedy: "check the tempo, or name another recording")
        }
        return CommandError(
            .input,
            "\"\(file)\" has \(fixedPoint(60 / interval.inSeconds, decimals: 2)) clicks per minute, not \(tempo.joined(separator: " "))",
            remedy: "check the tempo")
    }
}
