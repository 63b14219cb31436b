internal import AudioIO
internal import Configuration
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// A recording of a player: where the plan lies in it, and what the listening engine hears.
struct ReviewedTake {
    private(set) var report = PlayingReport()
    let sampleRate: Double
    /// The time of the recording at which the plan begins, in seconds.
    private(set) var start = 0.0
    /// Whether lateness is measured against clicks or a given time, and not against the notes themselves.
    private(set) var isAbsolute = false
    /// The recording, the click and the grid, in words.
    private(set) var header = ""
    /// What ended the recording early, if anything did.
    private(set) var broken: AudioError?

    private let file: String
    private var samples: [Float] = []
    private var click: (name: String, presence: ClickPresence, sounds: [ClickSound])?

    /// An hour: longer takes are cut by an editor, not by memory.
    private static let longest = 3_600.0
    private static let block = 4_096

    /// - Parameter command: has the plan's options.
    init(
        _ reader: consuming AudioFileReader, of file: String, grid: PlanGrid, command: MetronomeCommand,
        sounds: ReviewSound, firstBeat: Double?
    ) throws {
        self.file = file
        sampleRate = reader.sampleRate.value
        broken = read(&reader)
        let length = Double(samples.count) / sampleRate
        let schedule = try command.schedule(grid, sampleRate: reader.framesPerSecond)
        let first = schedule.startFrame
        var strokes: [BeatEvent] = []
        // A recording may begin before the plan or in its count-in.
        var source = PlanStrokes(schedule, limit: Int64((length + 10) * sampleRate))
        while let stroke = source.next(), Double(stroke.frame - first) < (length + 10) * sampleRate {
            strokes.append(stroke)
        }
        let offsets = try offsets(strokes, firstBeat)
        if case .any(let voices) = sounds { findClick(strokes, offsets, voices) }
        guard click != nil || !onsets.isEmpty else { throw nothingHeard }
        try listen(strokes, from: offsets[0])
        describe(first: strokes.first { $0.section >= 0 }, firstBeat)
    }

    private var onsets: [Double] = []
    private var fit: GridFit?

    private mutating func read(_ reader: inout AudioFileReader) -> AudioError? {
        var block = [Float](repeating: 0, count: 65_536)
        while Double(samples.count) < Self.longest * sampleRate {
            let read: SampleRead
            do throws(AudioError) {
                var span = block.mutableSpan
                read = try reader.read(into: &span)
            } catch { return error }
            if read.isEnd { return nil }
            samples += block.prefix(read.count)
        }
        return nil
    }

    /// Where the plan may begin, the likeliest place first.
    private mutating func offsets(_ strokes: [BeatEvent], _ firstBeat: Double?) throws -> [Double] {
        var detector = try OnsetDetector(sampleRate: sampleRate.hertz)
        for first in stride(from: 0, to: samples.count, by: Self.block) {
            detector.process(samples.span.extracting(first..<min(samples.count, first + Self.block)))
            while let onset = detector.nextOnset() {
                if onset.stage == .refined { onsets.append(onset.frame / sampleRate) }
            }
        }
        if let firstBeat {
            // The first beat of the first bar that is played, not of the count-in.
            let begin = strokes.first { $0.section >= 0 }.map { Double($0.frame) / sampleRate } ?? 0
            return [firstBeat - begin]
        }
        fit = GridFit(onsets: onsets, points: strokes.filter { !$0.isEnd }.map { Double($0.frame) / sampleRate })
        guard let fit else { throw nothingHeard }
        // Notes off the beat of a player whose clicks are softer.
        return [fit.offset] + fit.sameGrid + (fit.alternative.map { [$0] } ?? [])
    }

    private var nothingHeard: CommandError {
        CommandError(
            .input, "\"\(file)\" has \(onsets.isEmpty ? "no notes" : "fewer than three notes")",
            remedy: "name a recording of a player, or another --channel")
    }

    private mutating func findClick(_ strokes: [BeatEvent], _ offsets: [Double], _ voices: [ClickVoice]) {
        for voice in voices {
            let sounds: [ClickSound] = [.voice(voice), .voice(.cowbell)]
            let presence = ClickPresence(
                in: samples, sampleRate: sampleRate.hertz, strokes: strokes, offsets: offsets, sounds: sounds)
            if let presence, presence.likeness > click?.presence.likeness ?? 0 {
                click = (voice.name, presence, sounds)
            }
        }
    }

    private mutating func listen(_ strokes: [BeatEvent], from offset: Double) throws {
        let clicks = click.map { PlayedClicks($0.sounds, sampleRate: sampleRate.hertz) } ?? .none
        start = click?.presence.offset ?? offset
        // Frames of the plan in a sample of the recording.
        let pace = 1 / (click?.presence.drift.ratio ?? 1)
        var engine = try ListeningEngine(sampleRate: sampleRate.hertz, clicks: clicks)
        var next = 0
        func position(_ sample: Int) -> Double { (Double(sample) - start * sampleRate) * pace }
        // Half a second of silence at the end, so that the last note is told.
        let silence = [Float](repeating: 0, count: Self.block)
        for first in stride(from: 0, to: samples.count + Int(sampleRate / 2), by: Self.block) {
            while next < strokes.count,
                Double(strokes[next].frame) < position(first + Self.block) + 2 * sampleRate
            {
                var stroke = strokes[next]
                let isHeard = click?.presence.heard.contains(Double(stroke.frame) / sampleRate) ?? false
                // Nothing is taken out where the metronome was not running.
                if !isHeard { stroke.level = .silent }
                engine.expect(stroke)
                next += 1
            }
            if first < samples.count {
                let part = samples.span.extracting(first..<min(samples.count, first + Self.block))
                engine.process(part, at: position(first), framesPerSample: pace)
            } else {
                engine.process(silence.span, at: position(first), framesPerSample: pace)
            }
            while let note = engine.nextNote() { report.add(note) }
            while let point = engine.nextPoint() { report.add(point) }
        }
    }

    /// - Parameter first: the stroke of bar 1.
    private mutating func describe(first: BeatEvent?, _ firstBeat: Double?) {
        let begin = start + Double(first?.frame ?? 0) / sampleRate
        isAbsolute = click != nil || firstBeat != nil
        let length = fixedPoint(Double(samples.count) / sampleRate, decimals: 1)
        var rows = ["\(withoutControls(file)): \(length) s"]
        func seconds(_ time: Double) -> String { fixedPoint(time, decimals: 3) + " s" }
        if let click {
            rows.append(
                "click     \(click.name), taken out; lateness is relative to it. The plan begins at \(seconds(begin))")
        } else if firstBeat != nil {
            rows.append("grid      as given: the first beat is at \(seconds(firstBeat ?? 0))")
        } else {
            rows.append("grid      laid where the notes fit best: the plan begins at \(seconds(begin))")
            if let fit, !fit.sameGrid.isEmpty {
                rows.append("          the first note is taken for its first beat; --first-beat says otherwise")
            }
            if let other = fit?.alternative.map({ $0 - start + begin }) {
                rows.append(
                    "          it fits nearly as well at \(seconds(other)): --first-beat \(fixedPoint(other, decimals: 3))"
                )
            }
        }
        header = rows.joined(separator: "\n")
    }
}
