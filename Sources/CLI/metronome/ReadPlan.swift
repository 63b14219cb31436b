internal import Configuration
internal import Music
internal import Notation
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// The plan of the words and options, laid out.
    func readPlan() throws -> PlanGrid {
        let sections = try readSections()
        var plan = sections.plan
        try practice.apply(to: &plan)
        // Each sound is heard at least twice before the player has to be told from it.
        if hears.listen, plan.countIn == nil { plan.countIn = .bars(2) }
        plan.entryBar = practice.firstBar
        // Labels refer to the whole plan.
        if let label = practice.label { plan.entryBar = try bar(of: label, in: sections) }
        if let first = plan.entryBar, practice.bars != nil, case .bars(let count) = plan.end {
            // --bars counts from the first bar that is played.
            let (last, isTooFar) = count.addingReportingOverflow(max(first, 1) - 1)
            plan.end = .bars(isTooFar ? count : last)
        }
        do throws(PlanError) {
            return try sections.playing(plan)
        } catch {
            throw CommandError(.usage, error)
        }
    }

    private func readSections() throws -> PlanGrid {
        if let file = try mapFile() { return try readMap(file) }
        let options = try readOptions()
        do throws(PlanError) {
            var section: Int?
            return try PlanGrid(sectionsOf: options.plan(), failing: &section)
        } catch {
            throw explained(error)
        }
    }

    /// The error of the command line for one of the plan; one about accents quotes them as typed.
    private func explained(_ error: PlanError) -> CommandError {
        NotationError(error, in: beat.accent ?? words.last ?? "").map {
            CommandError(.usage, $0, at: beat.accent == nil ? "pattern " : "--accent ")
        } ?? CommandError(.usage, error)
    }

    /// Puts the plan on the frames of a stream.
    ///
    /// - Parameter frameRate: the true frames per second, where they are known.
    func schedule(_ grid: PlanGrid, sampleRate: Int, frameRate: Ratio? = nil) throws(CommandError) -> BeatSchedule {
        do throws(PlanError) {
            return try BeatSchedule(grid, sampleRate: sampleRate.hertz, frameRate: frameRate)
        } catch {
            throw CommandError(.usage, error)
        }
    }

    private func bar(of label: String, in grid: PlanGrid) throws(CommandError) -> Int64 {
        if let bar = grid.bar(of: label) { return bar }
        let known = grid.labels.map(\.label).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }.joined(separator: ", ")
        throw CommandError(
            .usage, "--label '\(label)': no such label",
            remedy: "choose one of the map, which has \(known.isEmpty ? "none" : known)")
    }

    private func readOptions() throws(CommandError) -> PlanOptions {
        if words.count > 1, !words.contains("over"), let last = words.last, TempoWords.isPattern(last) {
            _ = try read("pattern", last, AccentPattern.init(parsing:))
        }
        if beat.tempo != nil, (try? TempoWords(parsing: typed)) != nil { throw .excluding("--tempo", "a tempo") }
        // The player gives the tempo.
        let words = hears.follow && self.words.isEmpty ? [Self.anyTempo] : self.words
        guard let said = try read("tempo", words.isEmpty ? nil : words, TempoWords.init(parsing:)) else {
            throw CommandError.noTempo
        }
        for (isTwice, option, word) in [
            (said.meter != nil && beat.meter != nil, "--meter", "a meter before the tempo"),
            (said.pattern != nil && beat.accent != nil, "--accent", "a pattern after the tempo"),
        ] where isTwice { throw .excluding(option, word) }
        if hears.follow, said.tempo.points.count > 1 || said.bars != nil { throw Self.severalTempi }
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
                .usage,
                "--speed '\(speed)' makes \(MetronomeModel.text(ofTempo: played)) beats per minute of "
                    + MetronomeModel.text(ofTempo: tempo.value),
                remedy: "use a factor that keeps it from \(Tempo.range.lowerBound) to \(Tempo.range.upperBound)")
        }
    }
}

extension CommandError {
    static var noTempo: CommandError {
        CommandError(.usage, "no tempo is given", remedy: "add it in beats per minute, such as 120")
    }
}
