internal import Music
internal import Notation
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// The plan of the words and options, laid out.
    func readPlan() throws(CommandError) -> PlanGrid {
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
        if let label = practice.label {
            // Labels refer to the whole plan.
            var whole = plan
            (whole.end, whole.entryBar) = (practice.bars == nil ? plan.end : nil, nil)
            plan.entryBar = try bar(of: label, in: try layOut(whole))
        }
        if let first = plan.entryBar, practice.bars != nil, case .bars(let count) = plan.end {
            // --bars counts from the first bar that is played.
            let (last, isTooFar) = count.addingReportingOverflow(max(first, 1) - 1)
            plan.end = .bars(isTooFar ? count : last)
        }
        return try layOut(plan)
    }

    private func layOut(_ plan: PracticePlan) throws(CommandError) -> PlanGrid {
        do throws(PlanFault) {
            return try PlanGrid(plan)
        } catch {
            throw CommandError(error.error.message, exitStatus: ExitStatus.usage)
        }
    }

    /// The message for an error; one about accents quotes them as typed.
    private func message(of error: PlanError) -> String {
        guard let accents = NotationError(error, in: beat.accent ?? words.last ?? "") else { return error.message }
        return "\(beat.accent == nil ? "pattern" : "--accent") \(accents.message)"
    }

    /// Puts the plan on the frames of a stream.
    ///
    /// - Parameter frameRate: the true frames per second, where they are known.
    func schedule(
        _ grid: PlanGrid, sampleRate: Int, frameRate: Ratio? = nil
    ) throws(CommandError) -> BeatSchedule {
        do throws(PlanError) {
            return try BeatSchedule(grid, sampleRate: sampleRate.hertz, frameRate: frameRate)
        } catch {
            throw CommandError(error.message, exitStatus: ExitStatus.usage)
        }
    }

    private func bar(of label: String, in grid: PlanGrid) throws(CommandError) -> Int64 {
        if let bar = grid.bar(of: label) { return bar }
        let known = grid.labels.map(\.label).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }.joined(separator: ", ")
        throw CommandError(
            "--label '\(label)': no such label: choose one of the map, which has \(known.isEmpty ? "none" : known)",
            exitStatus: ExitStatus.usage)
    }

    private func readOptions() throws(CommandError) -> PlanOptions {
        guard !words.isEmpty else {
            throw CommandError(
                "no tempo is given: add it in beats per minute, as in metronome 120 --accent 4",
                exitStatus: ExitStatus.usage)
        }
        if words.count > 1, !words.contains("over"), let last = words.last, TempoWords.isPattern(last) {
            _ = try read("pattern") { () throws(NotationError) in try AccentPattern(parsing: last) }
        }
        let said = try read("tempo") { () throws(NotationError) in try TempoWords(parsing: words) }
        for (isTwice, option, word) in [
            (said.meter != nil && beat.meter != nil, "--meter", "a meter before the tempo"),
            (said.pattern != nil && beat.accent != nil, "--accent", "a pattern after the tempo"),
        ] where isTwice {
            throw CommandError(
                "\(option) and \(word) exclude each other: use one of them", exitStatus: ExitStatus.usage)
        }
        var options = PlanOptions(tempo: said.tempo)
        options.meter = said.meter
        options.accents = said.pattern
        if let bars = said.bars { options.end = .bars(bars) }
        try beat.apply(to: &options)
        try checkSpeed(options)
        return options
    }

    /// Refuses a `--speed` that moves a tempo out of range.
    private func checkSpeed(_ options: PlanOptions) throws(CommandError) {
        let tempi = (options.tempo.points + (options.steps.map { [$0.goal] } ?? [])).map(\.beatsPerMinute)
        guard let speed = beat.speed, options.speed != Ratio(1) else { return }
        for tempo in tempi {
            let played = tempo.value * options.speed.value
            // Allow for rounding.
            guard played < Double(Tempo.range.lowerBound) - 1e-9 || played > Double(Tempo.range.upperBound) + 1e-9
            else { continue }
            throw CommandError(
                "--speed '\(speed)' makes \(MetronomeModel.text(ofTempo: played)) beats per minute of "
                    + "\(MetronomeModel.text(ofTempo: tempo.value)): a tempo goes from \(Tempo.range.lowerBound) to "
                    + "\(Tempo.range.upperBound), so use another factor", exitStatus: ExitStatus.usage)
        }
    }
}
