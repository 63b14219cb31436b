internal import Glibc
internal import Music
internal import Notation
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// The plan that the words and options make.
    func readPlan() throws(CommandError) -> PracticePlan {
        var plan: PracticePlan
        if let file = try mapFile() {
            plan = try readMap(file)
        } else {
            let options = try readOptions()
            do throws(PlanError) {
                plan = try options.plan()
            } catch {
                throw CommandError(message(of: error), exitStatus: ExitStatus.usage)
            }
        }
        try practice.apply(to: &plan)
        plan.entryBar = practice.firstBar
        guard practice.label != nil || practice.bars != nil && practice.firstBar != nil else { return plan }
        // Labels are sought in the whole plan; so many bars count from where it begins.
        var whole = plan
        (whole.end, whole.entryBar) = (practice.bars == nil ? plan.end : nil, nil)
        let first = try startBar(try schedule(whole, sampleRate: 48_000)) ?? 1
        plan.entryBar = first
        if case .bars(let count) = plan.end, practice.bars != nil {
            let (last, isTooFar) = count.addingReportingOverflow(max(first, 1) - 1)
            plan.end = .bars(isTooFar ? count : last)
        }
        return plan
    }

    /// What does not fit, with the accents as they were typed.
    private func message(of error: PlanError) -> String {
        guard let accents = NotationError(error, in: beat.accent ?? words.last ?? "") else { return error.message }
        return "\(beat.accent == nil ? "pattern" : "--accent") \(accents.message)"
    }

    /// Lays the plan out for a rate.
    ///
    /// - Parameter frameRate: frames per second as they truly pass, where that is known.
    func schedule(
        _ plan: PracticePlan, sampleRate: Int, frameRate: Ratio? = nil
    ) throws(CommandError) -> BeatSchedule {
        do throws(PlanError) {
            return try BeatSchedule(plan, sampleRate: sampleRate.hertz, frameRate: frameRate)
        } catch {
            throw CommandError(error.message, exitStatus: ExitStatus.usage)
        }
    }

    /// The bar to begin at, if one was asked for.
    private func startBar(_ schedule: borrowing BeatSchedule) throws(CommandError) -> Int64? {
        guard let label = practice.label else { return practice.firstBar }
        if let bar = schedule.bar(of: label) { return bar }
        let known = schedule.labels.map(\.label).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }.joined(separator: ", ")
        throw CommandError(
            "--label '\(label)': there is no such label; the map has \(known.isEmpty ? "none" : known)",
            exitStatus: ExitStatus.usage)
    }

    private func readOptions() throws(CommandError) -> PlanOptions {
        guard !words.isEmpty else {
            throw CommandError(
                "a tempo is missing: say it in beats per minute, as in metronome 120 --accent 4",
                exitStatus: ExitStatus.usage)
        }
        if words.count > 1, !words.contains("over"), let last = words.last, TempoWords.isPattern(last) {
            _ = try read("pattern") { () throws(NotationError) in try AccentPattern(parsing: last) }
        }
        let said = try read("tempo") { () throws(NotationError) in try TempoWords(parsing: words) }
        for (isTwice, option, word) in [
            (said.meter != nil && beat.meter != nil, "--meter", "a meter before the tempo"),
            (said.pattern != nil && beat.accent != nil, "--accent", "a pattern behind the tempo"),
        ] where isTwice {
            throw CommandError("\(option) and \(word): give one of them", exitStatus: ExitStatus.usage)
        }
        var options = PlanOptions(tempo: said.tempo)
        options.meter = said.meter
        options.accents = said.pattern
        if let bars = said.bars { options.end = .bars(bars) }
        try beat.apply(to: &options)
        try checkSpeed(options)
        return options
    }

    /// What `--speed` makes of a tempo is a tempo as it could have been asked for.
    private func checkSpeed(_ options: PlanOptions) throws(CommandError) {
        let tempi = (options.tempo.points + (options.steps.map { [$0.goal] } ?? [])).map(\.beatsPerMinute)
        guard let speed = beat.speed, options.speed != Ratio(1) else { return }
        for tempo in tempi {
            let played = tempo.value * options.speed.value
            // What rounding does to a product is no reason to refuse it.
            guard played < Double(Tempo.range.lowerBound) - 1e-9 || played > Double(Tempo.range.upperBound) + 1e-9
            else { continue }
            throw CommandError(
                "--speed '\(speed)' makes \(MetronomeModel.text(ofTempo: played)) beats per minute of "
                    + "\(MetronomeModel.text(ofTempo: tempo.value)): a tempo goes from \(Tempo.range.lowerBound) to "
                    + "\(Tempo.range.upperBound), so use another factor", exitStatus: ExitStatus.usage)
        }
    }

    /// The map to be read: named by its option, or the only word if it is no tempo but a file.
    func mapFile() throws(CommandError) -> String? {
        if let map = beat.map {
            guard words.isEmpty else {
                throw CommandError("--map and a tempo: give one of them", exitStatus: ExitStatus.usage)
            }
            return map
        }
        guard words.count == 1, let word = words.first else { return nil }
        let isTempo = complaint("") { () throws(NotationError) in _ = try TempoWords(parsing: [word]) } == nil
        // What looks like a file's name and is none is a file that is missing, not a tempo.
        let isFileName =
            word.contains { $0.isLetter } && (word.contains("/") || word.contains(".")) && !isRamp(word)
            && !isFraction(word)
        return !isTempo && (isFileName || access(word, F_OK) == 0) ? word : nil
    }

    /// Whether a word begins as a ramp does: 80..160.
    private func isRamp(_ word: String) -> Bool { word.prefix { $0.isNumber || $0 == "." }.dropFirst().contains("..") }

    /// Whether a word begins as a fraction or a meter does and has no more of a path's marks: 100/x.
    private func isFraction(_ word: String) -> Bool {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && !word.contains(".") && !parts[0].isEmpty && parts[0].allSatisfy(\.isNumber)
    }

    private func readMap(_ path: String) throws(CommandError) -> PracticePlan {
        if let option = beat.optionOfTheMap {
            throw CommandError(
                "\(option) belongs into the tempo map: write it there as a #: comment", exitStatus: ExitStatus.usage)
        }
        let text = try readTextFile(path)
        var plan: PracticePlan
        do throws(NotationError) {
            plan = try TempoMap(parsing: text, file: path, seed: practice.seedOrRandom).plan
        } catch {
            throw CommandError(error.message, exitStatus: ExitStatus.noInput)
        }
        guard let speed = try beat.speedFactor() else { return plan }
        for index in plan.sections.indices {
            guard let scaled = plan.sections[index].tempo.scaled(by: speed) else {
                throw CommandError(
                    "--speed: a tempo of the map goes out of reach: use a factor nearer to 1",
                    exitStatus: ExitStatus.usage)
            }
            plan.sections[index].tempo = scaled
        }
        return plan
    }
}

extension BeatOptions {
    /// Reads what was said about the beat.
    fileprivate func apply(to options: inout PlanOptions) throws(CommandError) {
        if let accent {
            options.accents = try read("--accent") { () throws(NotationError) in try AccentPattern(parsing: accent) }
        }
        if let meter { options.meter = try read("--meter") { () throws(NotationError) in try Meter(parsing: meter) } }
        if let subdivision {
            options.subdivision = try read("--sub") { () throws(NotationError) in
                try Subdivision(parsing: subdivision)
            }
        }
        if let swing { options.swing = try read("--swing") { () throws(NotationError) in try Swing(parsing: swing) } }
        if poly != nil, polymeter != nil {
            throw CommandError("--poly and --polymeter: give one of them", exitStatus: ExitStatus.usage)
        }
        if let poly {
            options.cross = try read("--poly") { () throws(NotationError) in try CrossRhythm.polyrhythm(parsing: poly) }
        }
        if let polymeter {
            options.cross = try read("--polymeter") { () throws(NotationError) in
                try CrossRhythm.polymeter(parsing: polymeter)
            }
        }
        if let step { options.steps = try read("--step") { () throws(NotationError) in try TempoSteps(parsing: step) } }
        options.bounces = bounce
        if let speed = try speedFactor() { options.speed = speed }
    }

    /// The factor on all tempi, if one was asked for.
    fileprivate func speedFactor() throws(CommandError) -> Ratio? {
        guard let speed else { return nil }
        return try read("--speed") { () throws(NotationError) in try Ratio(parsingFactor: speed) }
    }

    /// An option that does not go together with a tempo map, if one was given.
    fileprivate var optionOfTheMap: String? {
        let given: [(String, Bool)] = [
            ("--accent", accent != nil), ("--meter", meter != nil), ("--sub", subdivision != nil),
            ("--swing", swing != nil), ("--poly", poly != nil), ("--polymeter", polymeter != nil),
            ("--step", step != nil), ("--bounce", bounce),
        ]
        return given.first { $0.1 }?.0
    }
}

extension PracticeOptions {
    /// The seed that was given, or one that nobody knows.
    var seedOrRandom: UInt64 { seed ?? UInt64.random(in: .min ... .max) }

    /// Reads what was said about the practice.
    fileprivate func apply(to plan: inout PracticePlan) throws(CommandError) {
        if let countIn {
            plan.countIn = try read("--count-in") { () throws(NotationError) in try CountIn(parsing: countIn) }
        }
        var chance = mute
        if let gap, gap.hasPrefix("random:") {
            guard mute == nil else {
                throw CommandError("--gap random: and --mute: give one of them", exitStatus: ExitStatus.usage)
            }
            chance = String(gap.dropFirst(7))
        } else if let gap {
            plan.gap = try read("--gap") { () throws(NotationError) in try GapPlan(parsing: gap) }
        }
        if let chance {
            plan.mutes = try read("--mute") { () throws(NotationError) in
                try RandomMute(parsing: chance, seed: seedOrRandom)
            }
        }
        guard bars == nil || duration == nil else {
            throw CommandError(
                "--bars and --for both say where to end: give one of them", exitStatus: ExitStatus.usage)
        }
        if let bars {
            guard let count = Int64(bars), (1...1_000_000_000).contains(count) else {
                throw CommandError(
                    "--bars '\(bars)': expected a whole number from 1 to 1000000000", exitStatus: ExitStatus.usage)
            }
            plan.end = .bars(count)
        }
        if let duration {
            plan.end = .time(try read("--for") { () throws(NotationError) in try Duration(parsing: duration) })
        }
    }
}

/// Reads one notation; what is wrong with it becomes a usage error that names the option.
private func read<Value>(_ option: String, _ body: () throws(NotationError) -> Value) throws(CommandError) -> Value {
    do throws(NotationError) {
        return try body()
    } catch {
        throw CommandError("\(option) \(error.message)", exitStatus: ExitStatus.usage)
    }
}

/// What is wrong with a notation, or `nil` when nothing is.
func complaint(_ option: String, _ body: () throws(NotationError) -> Void) -> String? {
    do throws(NotationError) {
        try body()
        return nil
    } catch {
        return "\(option) \(error.message)"
    }
}
