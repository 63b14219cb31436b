import Intonation
import Music
import TerminalUI
internal import TunerUI

/// The menu: instrument, tuning, capo, temperament, key and transposition, changed at once by the arrow keys.
extension TunerKeys {
    private enum Setting: CaseIterable {
        case instrument, tuning, capo, temperament, key, transposition
    }

    private static let allNotes = "all notes"

    func openMenu(_ model: inout TunerModel) {
        model.showsHelp = false
        model.menu = TunerMenu(rows: rows(model))
    }

    /// Acts on a key of the menu; returns whether it is one.
    mutating func pressInMenu(_ key: Key, _ model: inout TunerModel) -> Bool {
        switch key {
        case .character("m"), .enter, .escape: model.menu = nil
        case .up: model.menu?.move(by: -1)
        case .down: model.menu?.move(by: 1)
        case .left, .right:
            let place = model.menu?.selected ?? 0
            change(Setting.allCases[min(place, Setting.allCases.count - 1)], by: key == .right ? 1 : -1, &model)
            let changed = rows(model)
            model.menu?.rows = changed
        default: return false
        }
        return true
    }

    /// Goes on to the next instrument, or the one before.
    mutating func changeInstrument(by step: Int, _ model: inout TunerModel) {
        let next = neighbor(of: options.instrument ?? Self.allNotes, in: instruments, by: step)
        options.instrument = next == Self.allNotes ? nil : next
        options.tuning = nil
        restring(&model)
        model.say("instrument: \(next)")
    }

    // MARK: The settings

    private mutating func change(_ setting: Setting, by step: Int, _ model: inout TunerModel) {
        switch setting {
        case .instrument: changeInstrument(by: step, &model)
        case .tuning:
            guard let instrument = chosen else { return model.say("choose an instrument first") }
            let current = model.finder.strings?.name ?? instrument.standard.name
            options.tuning = neighbor(of: current, in: instrument.tunings.map(\.name), by: step)
            restring(&model)
        case .capo:
            guard chosen != nil else { return model.say("choose an instrument first") }
            let fret = (options.capo ?? 0) + step
            options.capo = max(0, min(TuningOptions.highestCapo, fret))
            restring(&model)
        case .temperament:
            guard options.scale == nil else { return model.say("the scale is that of a file") }
            options.temperament = neighbor(
                of: temperamentName, in: Temperament.all.map(\.name), by: step)
            retune(&model)
            model.forgetDone()
        case .key:
            guard options.scale == nil else { return model.say("the scale is that of a file") }
            let tonic = ((try? model.finder.naming.pitchClass(named: options.key ?? "C")) ?? 0) + step
            options.key = model.finder.naming.name(ofPitchClass: tonic)
            retune(&model)
            model.forgetDone()
        case .transposition:
            options.transpose = neighbor(
                of: model.finder.transposition.name, in: Transposition.all.map(\.name), by: step)
            model.finder.transposition = options.transpose.flatMap { try? Transposition(named: $0) } ?? .concert
            model.rename()
            model.titles = titles(model)
        }
    }

    /// Finds the strings of the options anew.
    private mutating func restring(_ model: inout TunerModel) {
        options.string = nil
        if options.instrument == nil { (options.tuning, options.capo) = (nil, nil) }
        // A tuning of the list and a capo in range cannot fail; if a scale file has gone, everything stays.
        guard let finder = try? options.finder(instruments: own) else { return }
        (model.finder.strings, model.finder.lockedString) = (finder.strings, nil)
        model.forget()
        model.titles = titles(model)
    }

    private func rows(_ model: TunerModel) -> [TunerMenu.Row] {
        let (strings, isFile) = (model.finder.strings, options.scale != nil)
        let key = (try? model.finder.naming.pitchClass(named: options.key ?? "C")) ?? 0
        let sounds = model.finder.transposition
        return Setting.allCases.map { setting in
            switch setting {
            case .instrument: TunerMenu.Row("instrument", options.instrument ?? Self.allNotes)
            case .tuning: TunerMenu.Row("tuning", strings?.name ?? "-")
            case .capo:
                TunerMenu.Row("capo", strings == nil ? "-" : (options.capo ?? 0) > 0 ? "\(options.capo ?? 0)" : "none")
            case .temperament:
                TunerMenu.Row("temperament", isFile ? model.finder.tuning.name : temperamentName)
            case .key: TunerMenu.Row("key", isFile ? "-" : model.finder.naming.name(ofPitchClass: key))
            case .transposition: TunerMenu.Row("transposition", sounds.name)
            }
        }
    }

    private var chosen: Instrument? {
        options.instrument.flatMap { name in
            own.first { $0.name.lowercased() == name.lowercased() } ?? (try? Instrument(named: name))
        }
    }

    private var temperamentName: String {
        (try? Temperament(named: options.temperament))?.name ?? options.temperament
    }

    /// The names that the keys go through: all notes, the player's own, the usual ones, and the one that was asked for.
    private var instruments: [String] {
        let usual = ["guitar", "bass", "ukulele", "violin", "viola", "cello", "mandolin", "banjo"]
        var known = [Self.allNotes] + own.map(\.name) + usual.filter { (try? Instrument(named: $0)) != nil }
        if let name = options.instrument, !known.contains(name) { known.append(name) }
        return known
    }

    private func neighbor(of name: String, in names: [String], by step: Int) -> String {
        guard let place = names.firstIndex(of: name) else { return names[step > 0 ? 0 : names.count - 1] }
        return names[(place + step + names.count) % names.count]
    }
}
