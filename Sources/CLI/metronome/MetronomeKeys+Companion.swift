internal import MetronomeEngine
internal import Music
internal import Platform
internal import TerminalUI
internal import Timebase
internal import Transport

/// What players ask for from their devices. It goes the way of a key.
extension MetronomeKeys {
    mutating func obey(_ command: TransportCommand, model: inout MetronomeModel) -> TransportOutcome {
        let moment: CommandMoment =
            switch command.when {
            case .now: .atOnce
            case .beat: .nextBeat
            case .bar: .nextBar
            }
        switch command.action {
        case .start: return run(true, moment, &model)
        case .stop: return run(false, moment, &model)
        case .toggle: return run(!model.isRunning, moment, &model)
        case .tap:
            tap(&model, at: command.pressed.sinceStart.inSeconds)
            return .done
        case .tempo(let tempo):
            guard let wanted = Ratio(typedTempo: tempo) else {
                return Self.refusal("that is no tempo", "choose one from 1 to 1000")
            }
            // In the middle of a beat a tempo cannot change without a jump.
            if let problem = change(to: wanted, &model, moment == .nextBar ? .nextBar : .nextBeat) {
                return Self.refusal(problem, "choose another tempo")
            }
            return .done
        case .jump(let bar): return jump(to: bar, moment, &model)
        case .section(let label):
            guard let bar = control.labels.first(where: { $0.label == label })?.bar else {
                return Self.refusal("there is no section \(label)", "choose one of the plan")
            }
            return jump(to: bar, moment, &model)
        case .entry(let index): return play(entry: index, &model)
        }
    }

    /// Goes on where an earlier run was cut off, before anything sounds: the entry, the tempo, the bar.
    mutating func resume(_ run: PlayRun, _ model: inout MetronomeModel) {
        if let list, run.entry != list.index, !step(run.entry - list.index, &model, atOnce: true) { return }
        if let factor = Ratio(run.tempoNumerator, run.tempoDenominator), factor != Ratio(1),
            let scaled = grid.scaled(by: factor), (try? control.change(to: scaled, .atOnce)) == true
        {
            self.factor = factor
            model.follow(scaled)
        }
        hasMoved = true
        let bar = run.isRunning ? run.bar(now: .now(), in: grid.scaled(by: factor) ?? grid) : nil
        if let bar {
            if bar > 1 { control.jump(toBar: bar, .atOnce) }
            model.say("the last run was cut off: bar \(bar)")
        } else {
            control.stop()
            model.run(false)
            model.say(
                "the last run was cut off \(run.isRunning ? "and has ended" : "while it stood still"): space starts")
        }
    }

    private mutating func run(_ runs: Bool, _ moment: CommandMoment, _ model: inout MetronomeModel) -> TransportOutcome
    {
        guard runs != model.isRunning else { return .done }
        // A stopped metronome has no beat to wait for.
        guard runs ? control.start() : control.stop(moment) else { return Self.silent }
        hasMoved = true
        if runs || moment == .atOnce { model.run(runs) }
        model.say(runs ? "started by a device" : "stopped by a device")
        return .done
    }

    private mutating func jump(
        to bar: Int64, _ moment: CommandMoment, _ model: inout MetronomeModel
    ) -> TransportOutcome {
        guard bar >= 1, bar <= grid.barCount ?? .max else {
            return Self.refusal(
                "the plan has no bar \(bar)", grid.barCount.map { "choose one from 1 to \($0)" } ?? "choose one from 1")
        }
        if !model.isRunning {
            guard control.start() else { return Self.silent }
            model.run(true)
        }
        guard control.jump(toBar: bar, moment) else { return Self.silent }
        hasMoved = true
        model.say("bar \(bar), by a device")
        return .done
    }

    private mutating func play(entry index: Int, _ model: inout MetronomeModel) -> TransportOutcome {
        guard let list else { return Self.refusal("there is no set list", "start with --setlist FILE") }
        guard list.entries.indices.contains(index) else {
            return Self.refusal("the set list has no entry \(index + 1)", "choose another one")
        }
        guard index != list.index else { return .done }
        return step(index - list.index, &model)
            ? .done : Self.refusal("that entry cannot be played now", "look at the terminal")
    }

    private static var silent: TransportOutcome { refusal("the sound device does not answer", "look at the terminal") }

    private static func refusal(_ problem: String, _ remedy: String) -> TransportOutcome {
        .refused(problem: problem, remedy: remedy)
    }
}

extension Ratio {
    /// The fraction that a player typed, of a number that has travelled as one: 100/3 comes as 33.333333333333336.
    fileprivate init?(typedTempo tempo: Double) {
        // Every tempo up to 1000 with three decimals is such a fraction; any other is met within 2 ppm.
        guard (1...1_000).contains(tempo) else { return nil }
        self.init(nearestTo: Int128((tempo * 1e12).rounded()), over: 1_000_000_000_000, limit: 1_000_001)
    }
}
