internal import Configuration
internal import MetronomeEngine
internal import Music
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// Keys that edit what plays, keep it under a name, and step through a list. All of it is heard from the next bar.
extension MetronomeKeys {
    /// Acts on a key while values are edited; false if the key means what it usually does.
    mutating func edit(_ key: Key, _ model: inout MetronomeModel) -> Bool {
        guard var editor else { return false }
        defer { if self.editor != nil { self.editor = editor } }
        switch (key, editor.typed) {
        case (.left, _): editor.move(by: -1)
        case (.right, _): editor.move(by: 1)
        case (.up, nil): stepValue(1, &editor, &model)
        case (.down, nil): stepValue(-1, &editor, &model)
        case (.enter, let typed?): set(typed, &editor, &model)
        case (.escape, _?): editor.typed = nil
        case (.backspace, let typed?): editor.typed = typed.count > 1 ? String(typed.dropLast()) : nil
        case (.character(let next), let typed?): if typed.count < 24 { editor.typed = typed + String(next) }
        case (.escape, nil), (.enter, nil), (.character("e"), nil): self.editor = nil
        case (.character(" "), nil), (.character("q"), nil), (.character("?"), nil), (.pageUp, _), (.pageDown, _):
            return false
        case (.character(let first), nil): editor.typed = String(first)
        default: break
        }
        return true
    }

    private mutating func stepValue(_ step: Int, _ editor: inout PlanEditor, _ model: inout MetronomeModel) {
        switch editor.field {
        case .volume: return turn(Double(2 * step), &model, .nextBar)
        case .sound: return choose(sound: (sound + step + sounds.count) % sounds.count, &model, .nextBar)
        default: break
        }
        let usual = editor.usual
        let own = usual.firstIndex(of: editor.value(of: editor.field, model))
        for distance in 1...usual.count {
            // From a value that is not in the list the first one comes next.
            let start = own ?? (step > 0 ? -1 : usual.count)
            let index = ((start + step * distance) % usual.count + usual.count) % usual.count
            if apply(editor.changed(to: usual[index]), &editor) == nil {
                return told(editor, usual[index], &model)
            }
        }
        model.say("no usual value fits: type one")
    }

    private mutating func set(_ text: String, _ editor: inout PlanEditor, _ model: inout MetronomeModel) {
        switch editor.field {
        case .sound:
            guard let index = sounds.firstIndex(of: text) else {
                return model.say("no sound '\(text)': \(sounds.joined(separator: ", "))")
            }
            choose(sound: index, &model, .nextBar)
            editor.typed = nil
        case .volume:
            guard let value = Double(text.prefix { !$0.isWhitespace && $0 != "d" }), (-60...0).contains(value) else {
                return model.say("'\(text)' is no volume: -60 to 0 dB")
            }
            turn(value - model.volume.value, &model, .nextBar)
            editor.typed = nil
        default:
            if let problem = apply(editor.changed(to: text), &editor) { return model.say(problem) }
            told(editor, text, &model)
        }
    }

    private func told(_ editor: PlanEditor, _ value: String, _ model: inout MetronomeModel) {
        model.follow(grid.scaled(by: factor) ?? grid)
        let moment = model.isRunning ? " from the next bar on" : ""
        model.say("\(editor.field.rawValue) \(value)\(moment)")
    }

    /// Lays out another command and plays it from the next bar on; returns what is wrong with it.
    private mutating func apply(_ other: MetronomeCommand, _ editor: inout PlanEditor) -> String? {
        do {
            let planned = try other.readPlan()
            guard let scaled = planned.scaled(by: factor) else { return "that tempo has too many digits" }
            guard try control.change(to: scaled, .nextBar) else { return "the sound device does not answer" }
            (grid, command, hasMoved) = (planned, other, true)
            editor.take(other)
            return nil
        } catch {
            return (error as? any ExplainedError)?.message ?? "\(error)"
        }
    }

    // MARK: Presets and lists

    /// Adds a key to the name of a preset.
    mutating func typeName(_ key: Key, _ model: inout MetronomeModel) {
        guard let text = name else { return }
        switch key {
        case .escape: name = nil
        case .backspace: name = String(text.dropLast())
        case .character(let next) where next != ":" && !next.isNewline:
            if text.count < 40 { name = text + String(next) }
        case .enter:
            name = nil
            let plain = text.split(separator: " ").joined(separator: " ")
            guard !plain.isEmpty, !plain.hasPrefix("#") else { return model.say("a preset needs a name") }
            let tempo = factor == Ratio(1) ? nil : model.tempo
            do {
                try SetList.keep(
                    command.arguments(tempo: tempo, sound: sounds[sound], volume: model.volume.value), as: plain)
                model.say("kept: metronome --preset \"\(plain)\" plays it")
            } catch {
                model.say((error as? any ExplainedError)?.message ?? "\(error)")
            }
        default: break
        }
    }

    /// Plays another entry of the list, from its first bar.
    ///
    /// - Parameter atOnce: whether nothing plays any more.
    @discardableResult
    mutating func step(_ count: Int, _ model: inout MetronomeModel, atOnce: Bool = false) -> Bool {
        do {
            if list == nil { list = try SetList.presets() }
            guard var next = list else {
                model.say("no set list and no presets: w keeps one")
                return false
            }
            guard next.step(by: count) else {
                model.say(count > 0 ? "the last of the list" : "the first of the list")
                return false
            }
            let other = try command.playing(next.current, of: next.path)
            let planned = try other.readPlan()
            let moment: CommandMoment = atOnce ? .atOnce : .nextBar
            guard try control.change(to: planned, moment), atOnce ? control.start() : control.jump(toBar: 1, moment)
            else {
                model.say("the sound device does not answer")
                return false
            }
            if let wanted = other.sounds.sound, let index = sounds.firstIndex(of: wanted), index != sound {
                choose(sound: index, &model, moment)
            }
            (grid, command, list, factor, hasMoved) = (planned, other, next, Ratio(1), true)
            (nextLabel, editor) = (nil, nil)
            model.title = next.title
            model.follow(planned)
            model.say(next.current.name + (atOnce || !model.isRunning ? "" : " at the next bar"))
            return true
        } catch {
            model.say((error as? any ExplainedError)?.message ?? "\(error)")
            return false
        }
    }

    /// Plays the next entry of a list once the plan has ended.
    mutating func playOn(_ model: inout MetronomeModel) -> Bool {
        guard let list, list.entries.count > list.index + 1 else { return false }
        return step(1, &model, atOnce: true)
    }
}
