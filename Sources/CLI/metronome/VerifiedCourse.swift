internal import Configuration
internal import Music
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// What the clicks of a recording are compared with: a steady interval, or the strokes of a plan.
struct VerifiedCourse {
    private enum Kind {
        /// Clicks at an interval, which may begin and end anywhere.
        case steady(Duration)
        /// The times of a plan, and whether it has an end.
        case plan([Duration], isWhole: Bool)
    }

    private let kind: Kind
    /// Clicks per minute, where they are steady.
    let tempo: Double?
    /// The shortest time between two clicks.
    let shortest: Duration

    /// Strokes so near to each other are one click: two voices at the same instant.
    private static let together = Duration.milliseconds(1)
    /// More strokes than a recording of a day has; they bound the memory of a plan without end.
    private static let most = 1_000_000
    /// A rhythm that is not steady fits a steady interval by chance, with more clicks beside it than one in four, and jitter of
    /// more than this share of the interval. A metronome that divides the beat has the clicks, but no jitter.
    private static let steadiest = 0.02

    /// Steady clicks, so many in a minute.
    init(tempo: Double) {
        (self.tempo, shortest) = (tempo, .seconds(60 / tempo))
        kind = .steady(shortest)
    }

    /// The strokes of a plan that are heard.
    ///
    /// - Parameter length: of the recording, where it is known: a plan without an end is as long.
    init(_ command: MetronomeCommand, length: Duration?) throws {
        let isRandom = command.practice.mute != nil || command.practice.gap?.hasPrefix("random:") == true
        if isRandom, command.practice.seed == nil {
            throw CommandError(
                .usage, "which beats are muted is chance", remedy: "give the --seed that they were muted with")
        }
        let rate = 48_000
        let schedule = try command.schedule(try command.readPlan(), sampleRate: rate)
        let isWhole = schedule.endFrame != nil
        let seconds = (length ?? .seconds(3_600)).inSeconds + 1
        var strokes = PlanStrokes(schedule, limit: Int64(seconds * Double(rate)))
        var due: [Duration] = []
        while due.count < Self.most, let stroke = strokes.next() {
            guard stroke.sounds else { continue }
            let time = Duration.seconds((Double(stroke.floorFrame) + stroke.fraction) / Double(rate))
            if let last = due.last, time - last < Self.together { continue }
            due.append(time)
        }
        guard due.count >= 3 else {
            throw CommandError(.usage, "this plan has fewer than three clicks", remedy: "verify a longer one")
        }
        tempo = nil
        shortest = zip(due.dropFirst(), due).map { $0 - $1 }.min() ?? .seconds(1)
        kind = .plan(due, isWhole: isWhole)
    }

    /// Whether a recording begins with the first click, as far as is known.
    var beginsWithClick: Bool {
        switch kind {
        case .steady: false
        case .plan: true
        }
    }

    /// How well the clicks keep time; `nil` when fewer than three fit.
    func timing(of clicks: [RecordedClicks.Click], rate: Double) -> ClickTiming? {
        let heard = clicks.map { Duration.seconds($0.position / rate) }
        switch kind {
        case .steady(let interval):
            return ClickTiming(heard: heard, interval: interval, kinds: clicks.map(\.kind))
        case .plan(let due, let isWhole):
            return ClickTiming(heard: heard, course: due, kinds: clicks.map(\.kind), isWhole: isWhole)
        }
    }

    /// Whether these clicks were meant to be the ones that were due.
    func explains(_ timing: ClickTiming) -> Bool {
        guard timing.isCredible else { return false }
        switch kind {
        case .steady(let interval):
            return 4 * timing.extra <= timing.clicks || timing.jitter < interval * Self.steadiest
        case .plan: return timing.lost <= timing.clicks
        }
    }

    /// What is told where the clicks of a recording are others.
    func complaint(about file: String, heard: [Duration], as words: String) -> CommandError {
        let advice = "give the plan as it was played, such as --poly 3:4 or --sub 8th"
        guard tempo != nil else {
            return CommandError(.input, "\"\(file)\" does not have the clicks of this plan", remedy: advice)
        }
        guard let interval = ClickTiming.interval(of: heard) else {
            return heard.count < 3
                ? CommandError(
                    .input, "\"\(file)\" has fewer than three clicks at \(words) per minute",
                    remedy: "check the tempo, or name another recording")
                : CommandError(
                    .input, "\"\(file)\" has no steady clicks at \(words) per minute",
                    remedy: "check the tempo, or " + advice)
        }
        return CommandError(
            .input,
            "\"\(file)\" has \(fixedPoint(60 / interval.inSeconds, decimals: 2)) clicks per minute, not \(words)",
            remedy: "check the tempo")
    }
}
