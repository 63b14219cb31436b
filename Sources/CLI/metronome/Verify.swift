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
        usage: """
            metronome verify take.wav 120
            metronome verify take.wav 90 --poly 3:4 --bars 8
            """,
        discussion: """
            It finds the clicks of any metronome, and locates those of this one by their waveform, to a hundredth of a \
            sample. A tempo alone is that of steady clicks, wherever they begin and end; with options of the beat or a \
            tempo map, each click of that plan is looked for, and one that is missing is lost, also the first and the \
            last where --bars, --for or the map say where it ends. Drift is relative to the clock of the recorder. To check what this machine plays, use metronome \
            120 --verify.
            """)

    @Argument(help: ArgumentHelp("The recording: WAV, FLAC, OGG or MP3.", valueName: "file"))
    var file: String

    @Argument(
        help: ArgumentHelp(
            "The tempo in clicks per minute: 120, 97.3, 100/3; or the plan as it was played, or the tempo map.",
            valueName: "tempo"))
    var tempo: [String] = []

    @OptionGroup(title: "Beat") var beat: BeatOptions
    @OptionGroup(title: "Practice") var practice: PracticeOptions

    @Option(name: .long, help: "Use one channel only, counted from 1, instead of the mean of all.")
    var channel: Int?

    @Flag(name: .long, help: "Report as a JSON object.")
    var json = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if let channel, channel < 1 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        var reader = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
        let rate = reader.sampleRate.value
        let course = try course(length: reader.frameCount.map { .seconds(Double($0) / rate) })
        let words = (tempo + [beat.tempo].compactMap(\.self)).joined(separator: " ")
        guard rate >= 1_000 else { throw course.complaint(about: file, heard: [], as: words) }
        // Onsets within a quarter of the shortest interval, or 50 ms, belong to the same click.
        var recorded = try RecordedClicks(
            sampleRate: rate.hertz, knowing: ClickVoice.all.map(ClickSound.voice),
            spacing: min(.milliseconds(50), course.shortest / 4))
        // Twice: the second time for clicks that noise hid.
        var progress = ProgressLine(RunningCommand.name, of: reader.frameCount.map { Double(2 * $0) })
        let broken = try hear(&reader) { block, frames in
            recorded.process(block)
            if recorded.isFull {
                progress.end()
                throw tooMany(recorded.most, in: frames, rate)
            }
            progress.advance(to: Double(frames))
        }
        recorded.finish()
        var (clicks, timing) = try compare(recorded, course, rate)
        let isNoisy = clicks.contains { $0.standardError > rate * 2e-6 }
        if isNoisy || timing.map({ $0.lost + $0.extra > 0 || !$0.isCredible }) ?? true {
            var again = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
            _ = try hear(&again) { block, frames in
                try recorded.processAgain(block)
                if recorded.isFull {
                    progress.end()
                    throw tooMany(recorded.most, in: frames, rate)
                }
                progress.advance(to: Double(reader.readFrames + frames))
            }
            if recorded.finishAgain() { (clicks, timing) = try compare(recorded, course, rate) }
        }
        // It may be our spoken count, of which each word is another sound and has several rises.
        let unexplained = timing.map { $0.isCredible ? $0.lost + $0.extra : .max } ?? .max
        if unexplained > 0 || clicks.contains(where: { $0.kind != 0 }), let count = try spokenWords(rate),
            let spoken = course.timing(of: count, rate: rate),
            spoken.isCredible, spoken.lost + spoken.extra <= unexplained
        {
            (clicks, timing) = (count, spoken)
        }
        progress.end()
        let heard = clicks.map { Duration.seconds($0.position / rate) }
        guard let timing, course.explains(timing) else {
            if let broken { throw broken }
            throw course.complaint(about: file, heard: heard, as: words)
        }
        var report = TimingReport(
            source: file, tempo: course.tempo, length: (heard.last ?? .zero) - (heard.first ?? .zero), timing: timing,
            lost: timing.lost)
        report.placement = .seconds(standardError(of: clicks, timing) / rate)
        var output = StandardOutput()
        try output.print(json ? report.json : report.text)
        try output.flush()
        if let broken { throw broken }
        return ExitStatus.ok
    }

    private func tooMany(_ most: Int, in frames: Int64, _ rate: Double) -> CommandError {
        let minutes = fixedPoint(Double(frames) / rate / 60, decimals: 1)
        return CommandError(
            .input, "\"\(file)\" has more than \(most) clicks, which are in its first \(minutes) minutes",
            remedy: "cut it into shorter parts")
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

    /// What the clicks are compared with: by the options, or steady clicks where there is a tempo alone.
    private func course(length: Duration?) throws -> VerifiedCourse {
        var command = try MetronomeCommand.parse([])
        (command.typed, command.beat, command.practice) = (tempo, beat, practice)
        let words = command.words
        let isPlan =
            try words.isEmpty || beat.optionsOfTheMap.contains { $0.isGiven && $0.name != "tempo" } || beat.speed != nil
            || practice.isGiven || command.mapFile() != nil
        let text = words.joined(separator: " ")
        // Words that are no tempo alone may be a meter, a ramp or a pattern with it.
        if isPlan || ((try? Tempo(spoken: text)) == nil && (try? TempoWords(parsing: words)) != nil) {
            return try VerifiedCourse(command, length: length)
        }
        guard let steady = try read("tempo", text, Tempo.init(spoken:)) else { throw CommandError.noTempo }
        return VerifiedCourse(tempo: steady.beatsPerMinute.value)
    }

    /// The clicks that were found, and how well they keep time.
    private func compare(
        _ recorded: borrowing RecordedClicks, _ course: VerifiedCourse, _ rate: Double
    ) throws -> (clicks: [RecordedClicks.Click], timing: ClickTiming?) {
        let clicks = try recorded.clicks(beginsWithClick: course.beginsWithClick)
        return (clicks, course.timing(of: clicks, rate: rate))
    }

    /// The standard error of the place of one click among those that the figures compare, in samples.
    private func standardError(of clicks: [RecordedClicks.Click], _ timing: ClickTiming) -> Double {
        let compared = timing.uncompared > 0 ? clicks.filter { $0.kind != nil } : clicks
        let squares = compared.map { $0.standardError * $0.standardError }
        return (squares.reduce(0, +) / Double(max(1, squares.count))).squareRoot()
    }
}
