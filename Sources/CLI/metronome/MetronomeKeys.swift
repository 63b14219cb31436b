internal import MetronomeEngine
internal import Music
internal import Notation
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// Turns keys into commands for the running metronome.
struct MetronomeKeys: ~Copyable {
    var control: MetronomeControl
    /// The plan of the command line; `factor` times its tempi is what plays.
    var grid: PlanGrid { didSet { planCount += 1 } }
    /// The command whose plan plays, and what edits it.
    var command: MetronomeCommand
    var editor: PlanEditor?
    /// The name that is being typed for a preset.
    var name: String?
    var list: SetList?
    /// The names of the sounds of the beat, as the engine numbers them, and the current one.
    let sounds: [String]
    var sound = 0
    var factor = Ratio(1) { didSet { planCount += 1 } }
    /// Counts the plans and tempi that were chosen, for a companion, and the tempo of the last beat that was rendered.
    private(set) var planCount = 0
    var tempoBefore = 0.0
    private var taps = TapTempo()
    var nextLabel: Int?
    /// Whether a command has moved the end of the plan.
    var hasMoved = false

    /// What a key asks of the caller.
    enum Request {
        case none, quit
        /// The player is to begin anew.
        case wait
    }

    /// Keys for a running plan.
    init(
        control: consuming MetronomeControl, grid: PlanGrid, command: MetronomeCommand, list: SetList?, sounds: [String]
    ) {
        self.control = control
        (self.command, self.list) = (command, list)
        self.grid = grid
        self.sounds = sounds
    }

    /// Acts on a key that was pressed at a moment in seconds.
    mutating func press(_ key: Key, model: inout MetronomeModel, at seconds: Double) -> Request {
        if model.entry != nil, type(key, model: &model) { return .none }
        defer { model.prompt = name.map(Self.namePrompt) ?? editor?.texts(model) }
        if name != nil {
            typeName(key, &model)
            return .none
        }
        if editor != nil, edit(key, &model) { return .none }
        if command.hears.follow, let request = lead(key, &model) { return request }
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character(" "): toggle(&model)
        case .up: shift(1, &model)
        case .down: shift(-1, &model)
        case .pageUp: shift(10, &model)
        case .pageDown: shift(-10, &model)
        case .character("t"): tap(&model, at: seconds)
        case .character("<"), .character(","): nudge(-1, &model)
        case .character(">"), .character("."): nudge(1, &model)
        case .left: nudge(-10, &model)
        case .right: nudge(10, &model)
        case .character("m"): mute(&model)
        case .character("+"), .character("="): turn(2, &model)
        case .character("-"), .character("_"): turn(-2, &model)
        case .character("s"): nextSound(&model)
        case .character("l"): jump(&model)
        case .character("e"): editor = PlanEditor(command)
        case .character("w"): name = list?.current.name ?? ""
        case .character("n"): step(1, &model)
        case .character("N"): step(-1, &model)
        case .character("c") where model.companion != nil: model.togglesCode.toggle()
        case .character("b"): model.isBig.toggle()
        case .character("f"): flash(&model)
        case .character("?"), .character("h"): model.showsHelp.toggle()
        case .escape: model.showsHelp = false
        case .character(let digit) where digit.isASCII && digit.isNumber: model.entry = String(digit)
        default: break
        }
        return .none
    }

    private static func namePrompt(_ name: String) -> [String] {
        ["keep this as preset: \(name)_   Enter: keep it, Esc: cancel", "preset: \(name)_  Enter, Esc"]
    }

    // MARK: Tempo

    /// The tempo of the current beat once all commands are applied.
    private func tempo(_ model: MetronomeModel) -> Ratio {
        let base = grid.place(of: model.beat ?? .none).exactTempo
        return base.multiplied(by: factor) ?? base
    }

    private mutating func shift(_ step: Int64, _ model: inout MetronomeModel) {
        let now = tempo(model)
        // A tempo within a ramp has many digits; steps start from what is shown.
        let shown = now.denominator <= 1_000 ? now : Ratio(Int64((now.value * 10).rounded()), 10) ?? now
        change(to: shown.adding(Ratio(step)) ?? shown, &model)
    }

    /// Plays at another tempo; returns what is wrong with it.
    @discardableResult
    mutating func change(
        to wanted: Ratio, _ model: inout MetronomeModel, _ moment: CommandMoment = .nextBeat
    ) -> String? {
        let target = min(max(wanted, Ratio(Tempo.range.lowerBound)), Ratio(Tempo.range.upperBound))
        let base = grid.place(of: model.beat ?? .none).exactTempo
        guard let factor = target.divided(by: base), let scaled = grid.scaled(by: factor) else {
            model.say("that tempo has too many digits")
            return "that tempo has too many digits"
        }
        do throws(PlanError) {
            guard try control.change(to: scaled, moment) else {
                refuse(&model)
                return "the sound device does not answer"
            }
        } catch {
            model.say(error.message)
            return error.message
        }
        self.factor = factor
        hasMoved = true
        model.follow(scaled)
        let words = moment == .nextBar ? " from the next bar on" : " from the next beat on"
        model.say(
            "\(model.place.countedNote)\(MetronomeModel.text(ofTempo: target.value)) BPM"
                + (model.isRunning ? words : ""))
        return nil
    }

    mutating func tap(_ model: inout MetronomeModel, at seconds: Double) {
        guard let estimate = taps.estimate(tap: .seconds(seconds)), let tempo = estimate.tempo else {
            return model.say("tap")
        }
        // Taps are beats, and the tempo may count another note.
        let beats = tempo.beatsPerMinute
        let counted = beats.multiplied(by: model.place.countsPerBeat) ?? beats
        let text = model.place.countedNote + MetronomeModel.text(ofTempo: counted.value)
        guard estimate.tapCount > 2 else { return model.say("tap, tap: \(text) BPM, once more") }
        change(to: counted, &model)
        model.say("\(estimate.tapCount) taps: \(text) BPM")
    }

    /// Adds a key to the tempo that is being typed; false if the key does not belong to it.
    private mutating func type(_ key: Key, model: inout MetronomeModel) -> Bool {
        var text = model.entry ?? ""
        model.entry = nil
        switch key {
        case .character(","):
            // Many keyboards have a comma where others have a point.
            if text.count < 22 { text.append(".") }
        case .character(let digit) where digit.isASCII && (digit.isNumber || digit == "." || digit == "/"):
            // 12 digits above the line and 9 below it are the most there can be.
            if text.count < 22 { text.append(digit) }
        case .backspace: text.removeLast()
        case .escape:
            model.say("tempo as before")
            return true
        case .enter:
            do throws(NotationError) {
                change(to: try Tempo(parsing: text).beatsPerMinute, &model)
            } catch {
                model.say("\(text): \(error.remedy)")
            }
            return true
        default: return false
        }
        model.entry = text.isEmpty ? nil : text
        return true
    }

    // MARK: Other commands

    private mutating func toggle(_ model: inout MetronomeModel) {
        guard model.isRunning ? control.stop() : control.start() else { return refuse(&model) }
        hasMoved = true
        model.run(!model.isRunning)
        model.say(model.isRunning ? "started" : "stopped: space starts with the first bar")
    }

    private mutating func nudge(_ milliseconds: Int64, _ model: inout MetronomeModel) {
        guard control.nudge(by: .milliseconds(milliseconds)) else { return refuse(&model) }
        hasMoved = true
        model.say("\(abs(milliseconds)) ms \(milliseconds < 0 ? "earlier" : "later")")
    }

    private mutating func mute(_ model: inout MetronomeModel) {
        guard control.mute(!model.isMuted) else { return refuse(&model) }
        model.isMuted.toggle()
        model.say(model.isMuted ? "muted" : "sound again")
    }

    mutating func turn(_ decibels: Double, _ model: inout MetronomeModel, _ moment: CommandMoment = .atOnce) {
        let volume = min(0, max(-60, model.volume.value + decibels)).decibels
        guard control.setVolume(volume.amplitude, moment) else { return refuse(&model) }
        model.volume = volume
        model.say("volume \(fixedPoint(volume.value, decimals: 0)) dB" + text(of: moment, model))
    }

    private mutating func nextSound(_ model: inout MetronomeModel) { choose(sound: (sound + 1) % sounds.count, &model) }

    mutating func choose(sound next: Int, _ model: inout MetronomeModel, _ moment: CommandMoment = .atOnce) {
        guard control.choose(sound: next, moment) else { return refuse(&model) }
        sound = next
        model.sound = sounds[next]
        model.say("sound: \(sounds[next])" + text(of: moment, model))
    }

    private func text(of moment: CommandMoment, _ model: MetronomeModel) -> String {
        if case .nextBar = moment, model.isRunning { return " from the next bar on" }
        return ""
    }

    private mutating func jump(_ model: inout MetronomeModel) {
        let labels = control.labels
        guard !labels.isEmpty else { return model.say("this plan has no labels") }
        let here = model.beat?.bar ?? 0
        let next = nextLabel.map { ($0 + 1) % labels.count } ?? labels.firstIndex { $0.bar > here } ?? 0
        guard control.jump(toBar: labels[next].bar, .nextBar) else { return refuse(&model) }
        (nextLabel, hasMoved) = (next, true)
        model.say("\(labels[next].label) at the next bar")
    }

    private func flash(_ model: inout MetronomeModel) {
        model.flashes.toggle()
        model.say(model.flashes ? Self.flashWarning : "no flash")
    }

    private func refuse(_ model: inout MetronomeModel) { model.say("the sound device does not answer") }

    /// Why there are no more than three flashes a second.
    static let flashWarning = "flash: 3 a second at most; flashing light can bring on seizures"
}
