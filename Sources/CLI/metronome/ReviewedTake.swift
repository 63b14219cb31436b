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
    private let sound: ReviewedSound
    private var onsets: [Double] = []
    private var click: (name: String, presence: ClickPresence, sounds: [ClickSound])?
    private var fit: GridFit?
    private var notesOutside = 0, countInNotes = 0

    private static let block = 4_096

    /// - Parameter command: has the plan's options.
    init(
        _ file: String, channel: ChannelChoice, grid: PlanGrid, command: MetronomeCommand, sounds: ReviewSound,
        firstBeat: Double?
    ) throws {
        self.file = file
        let rate = try AudioFileReader(path: file, channel: channel).framesPerSecond
        sampleRate = Double(rate)
        var detector = try Self.detector(for: file, rate.hertz)
        var onsets: [Double] = []
        sound = try ReviewedSound(file, channel: channel) { block in
            detector.process(block)
            while let onset = detector.nextOnset() {
                if onset.stage == .refined { onsets.append(onset.frame / Double(rate)) }
            }
        }
        (self.onsets, broken) = (onsets, sound.broken)
        let length = Double(sound.count) / sampleRate
        let schedule = try command.schedule(grid, sampleRate: rate)
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

    /// Where the plan may begin, the likeliest place first.
    private mutating func offsets(_ strokes: [BeatEvent], _ firstBeat: Double?) throws -> [Double] {
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

    private static func detector(for file: String, _ sampleRate: Hertz) throws(CommandError) -> OnsetDetector {
        do throws(OnsetError) {
            return try OnsetDetector(sampleRate: sampleRate)
        } catch {
            throw CommandError(
                .input, "\"\(file)\" runs at \(Int(sampleRate.value)) Hz",
                remedy: "convert it to a rate from 8000 to 192000 Hz")
        }
    }

    /// Where the recording breaks off, that is why nothing was heard.
    private var nothingHeard: any Error {
        if let broken { return broken }
        return CommandError(
            .input, "\"\(file)\" has \(onsets.isEmpty ? "no notes" : "fewer than three notes")",
            remedy: "name a recording of a player, or another --channel")
    }

    private mutating func findClick(_ strokes: [BeatEvent], _ offsets: [Double], _ voices: [ClickVoice]) {
        // From a second before the plan: as much as has the strokes that are compared at every lag.
        let first = max(0, Int((max(-1e6, min(1e6, offsets.min() ?? 0)) - 1) * sampleRate))
        var part: [Float] = []
        sound.forEachBlock(from: first) { block, _ in
            guard part.count < ClickPresence.longestSearch else { return }
            for index in block.indices { part.append(block[index]) }
        }
        let found = voices.compactMap { voice -> (name: String, presence: ClickPresence, sounds: [ClickSound])? in
            let sounds: [ClickSound] = [.voice(voice), .voice(.cowbell)]
            guard
                var presence = ClickPresence(
                    in: part, from: first, sampleRate: sampleRate.hertz, strokes: strokes, offsets: offsets,
                    sounds: sounds)
            else { return nil }
            follow(&presence, from: first)
            return presence.isRegular ? (voice.name, presence, sounds) : nil
        }
        click = found.max { $0.presence.likeness < $1.presence.likeness }
    }

    private func follow(_ presence: inout ClickPresence, from first: Int) {
        // Parts overlap, so that each click lies in one of them.
        var tail: [Float] = []
        sound.forEachBlock(from: first) { block, place in
            let begin = place - tail.count
            for index in block.indices { tail.append(block[index]) }
            presence.follow(tail, from: begin)
            tail.removeFirst(max(0, tail.count - presence.overlap))
        }
    }

    private mutating func listen(_ strokes: [BeatEvent], from offset: Double) throws {
        let clicks =
            click.map { PlayedClicks($0.sounds, sampleRate: sampleRate.hertz, isExact: $0.presence.isExact) } ?? .none
        start = click?.presence.offset ?? offset
        // Frames of the plan in a sample of the recording.
        let pace = 1 / (click?.presence.drift.ratio ?? 1)
        var strokes = strokes
        // Nothing is taken out where the metronome was not running.
        let heard = click?.presence.heard
        for index in strokes.indices where !(heard?.contains(Double(strokes[index].frame) / sampleRate) ?? false) {
            strokes[index].level = .silent
        }
        var hearing = ReviewHearing(
            engine: try ListeningEngine(sampleRate: sampleRate.hertz, clicks: clicks), strokes: strokes, pace: pace,
            start: start * sampleRate)
        // Where notes are played over the first clicks, all is heard twice: the clicks are known then from the first one on.
        if let click, !click.presence.beginsAlone {
            forEachBlock { hearing.learn($0, at: $1) }
            hearing.beginAgain()
        }
        forEachBlock { hearing.hear($0, at: $1) }
        // Half a second of silence at the end, so that the last note is told.
        let silence = [Float](repeating: 0, count: Int(sampleRate / 2))
        hearing.hear(silence.span, at: sound.count)
        (report, notesOutside, countInNotes) = (hearing.report, hearing.notesOutside, hearing.countInNotes)
    }

    private func forEachBlock(_ body: (borrowing Span<Float>, Int) -> Void) {
        sound.forEachBlock(from: 0) { block, place in
            for first in stride(from: 0, to: block.count, by: Self.block) {
                body(block.extracting(first..<min(block.count, first + Self.block)), place + first)
            }
        }
    }

    /// - Parameter first: the stroke of bar 1.
    private mutating func describe(first: BeatEvent?, _ firstBeat: Double?) {
        let begin = start + Double(first?.frame ?? 0) / sampleRate
        isAbsolute = click != nil || firstBeat != nil
        let length = fixedPoint(Double(sound.count) / sampleRate, decimals: 1)
        var rows = ["\(file.legible): \(length) s"]
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
        for (count, place) in [(notesOutside, "before the plan or after its end"), (countInNotes, "in the count-in")]
        where count > 0 {
            rows.append("left out  \(count) \(count == 1 ? "note" : "notes") \(place)")
        }
        header = rows.joined(separator: "\n")
    }
}
