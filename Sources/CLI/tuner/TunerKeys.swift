import Intonation
import Music
import TerminalUI

/// The player's settings while the tuner runs, and the keys that change them.
struct TunerKeys {
    private let command: Listen
    private let unicode: Bool
    private let own: [Instrument]
    private var reference: LearntReference
    private var names: NoteNaming.Style
    private var instrument: String?

    var a4: Hertz { reference.pitch.a4 }

    /// What a key asks of the caller.
    enum Request { case none, quit, tone }

    init(command: Listen, unicode: Bool, own: [Instrument]) throws {
        (self.command, self.unicode, self.own) = (command, unicode, own)
        let options = command.tuningOptions
        reference = try LearntReference(options)
        names = NoteNaming.Style(rawValue: options.names) ?? .sharps
        if !unicode && !names.isASCII { names = .sharps }
        instrument = options.instrument
    }

    func apply(to model: inout TunerModel) {
        model.finder.naming.language = names.naming.language
        model.finder.naming.accidentals = names.naming.accidentals
        model.title = title(model.finder)
        model.keys = TunerCommand.keys
    }

    /// Learns A4 from a reading, if it is learnt.
    mutating func hear(_ note: TunedNote, model: inout TunerModel) {
        if reference.hear(note) { retune(&model) }
    }

    mutating func press(_ key: Key, model: inout TunerModel) -> Request {
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character(" "): model.toggleHold()
        case .character("s"):
            let views = TunerModel.View.allCases
            let next = (views.firstIndex(of: model.view) ?? 0) + 1
            model.view = views[next % views.count]
            model.say("view: \(model.view.rawValue)")
        case .character("a"), .left: shift(-1, &model)
        case .character("A"), .right: shift(1, &model)
        case .character("n"): nextNames(&model)
        case .character("i"): nextInstrument(&model)
        case .character("t"): return .tone
        case .character("?"), .character("h"), .escape: model.showsHelp = key == .escape ? false : !model.showsHelp
        case .character(let digit): lock(digit, &model)
        default: break
        }
        return .none
    }

    private mutating func shift(_ hertz: Double, _ model: inout TunerModel) {
        guard command.tuningOptions.mapping == nil else { return model.say("the mapping sets A4") }
        let range = ReferencePitch.range
        reference.set(max(range.lowerBound, min(range.upperBound, (a4.value + hertz).rounded().hertz)))
        retune(&model)
        model.forgetDone()
        model.say("A4 = \(fixedPoint(a4.value, decimals: 2)) Hz")
    }

    private mutating func nextNames(_ model: inout TunerModel) {
        let known = NoteNaming.Style.allCases.filter { unicode || $0.isASCII }
        names = known[((known.firstIndex(of: names) ?? 0) + 1) % known.count]
        apply(to: &model)
        model.rename()
        model.say("note names: \(names.rawValue)")
    }

    private mutating func nextInstrument(_ model: inout TunerModel) {
        let usual = ["guitar", "bass", "ukulele", "violin", "viola", "cello", "mandolin", "banjo"]
        let known = own.map(\.name) + usual.filter { (try? Instrument(named: $0)) != nil }
        let next = instrument.map { (known.firstIndex(of: $0) ?? -1) + 1 } ?? 0
        instrument = next < known.count ? known[next] : nil
        model.finder.lockedString = nil
        model.finder.strings = instrument.flatMap { name in
            (own.first { $0.name == name } ?? (try? Instrument(named: name)))?.standard
        }
        model.forget()
        model.title = title(model.finder)
        model.say("instrument: \(instrument ?? "all notes")")
    }

    private func lock(_ digit: Character, _ model: inout TunerModel) {
        guard digit.isASCII, let number = digit.wholeNumberValue, let strings = model.finder.strings else { return }
        guard number > 0 else {
            model.finder.lockedString = nil
            return model.say("all strings")
        }
        // Strings of the same pitch count as one. In a course of two pitches the key alternates between them.
        let course = strings.strings.indices.filter {
            strings.courseNumber(ofString: $0) == number && !strings.isDouble($0)
        }
        guard let first = course.first else { return model.say("there is no string \(number)") }
        let next = course.firstIndex { $0 == model.finder.lockedString }.map { $0 + 1 } ?? 0
        model.finder.lockedString = next < course.count ? course[next] : first
        model.say("string \(number) only; 0 for all")
    }

    private func retune(_ model: inout TunerModel) {
        // This reads the scale files again. If one has been removed meanwhile, the old tuning stays.
        guard let tuning = try? command.tuningOptions.makeTuning(reference: reference.pitch) else { return }
        model.finder.tuning = tuning
        model.title = title(model.finder)
    }

    private func title(_ finder: NoteFinder) -> String {
        let options = command.tuningOptions
        // A keyboard mapping has its own reference.
        let isMapped = options.mapping != nil
        var parts: [String] = []
        if let shown = isMapped ? finder.tuning.target(for: Note(midi: 69))?.frequency : a4 {
            let learning = reference.isLearning && !isMapped ? " (learning)" : ""
            parts.append("A4 \(fixedPoint(shown.value, decimals: 2)) Hz\(learning)")
        }
        if let scale = finder.tuning.scale {
            parts.append(scale.description.isEmpty ? "scale" : scale.description)
        } else {
            parts.append(options.key == "C" ? options.temperament : "\(options.temperament) on \(options.key)")
        }
        if let instrument, let strings = finder.strings {
            parts.append("\(instrument): \(strings.name)" + (options.capo.map { $0 > 0 ? ", capo \($0)" : "" } ?? ""))
        }
        if finder.transposition.sounds.semitones != 0 { parts.append("written for \(finder.transposition.name)") }
        return parts.joined(separator: unicode ? "  ·  " : "  |  ")
    }
}
