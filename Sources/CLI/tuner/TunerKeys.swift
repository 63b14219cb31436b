import Intonation
import Music
import TerminalUI
internal import TunerUI

/// The player's settings while the tuner runs, and the keys that change them.
struct TunerKeys {
    let unicode: Bool
    /// The player's own instruments.
    let own: [Instrument]
    /// The options of the command line, as the menu has changed them.
    var options: TuningOptions
    private(set) var reference: LearntReference
    private var names: NoteNaming.Style
    private var found = FoundTuning()

    var a4: Hertz { reference.pitch.a4 }

    /// What a key asks of the caller.
    enum Request { case none, quit, tone }

    init(command: Listen, unicode: Bool, own: [Instrument]) throws {
        (self.unicode, self.own, options) = (unicode, own, command.tuningOptions)
        reference = try LearntReference(options)
        names = options.names.flatMap(NoteNaming.Style.init(rawValue:)) ?? .sharps
        if !unicode && !names.isASCII { names = .sharps }
    }

    func apply(to model: inout TunerModel) {
        model.finder.naming.language = names.naming.language
        model.finder.naming.accidentals = names.naming.accidentals
        model.titles = titles(model)
        model.keys = TunerCommand.keys
    }

    /// Learns A4 from a reading, if it is learnt, and whether the strings are the usual ones again.
    mutating func hear(_ note: TunedNote, model: inout TunerModel) {
        if reference.hear(note) { retune(&model) }
        if found.hear(note, &model.finder) { tellStrings(&model) }
    }

    /// The tunings that the strings may be in, if the player has named none.
    var otherTunings: [StringTuning] {
        guard let others = try? options.otherTunings(instruments: own), !others.isEmpty else { return [] }
        // The usual one too: the strings may be in another by now.
        return [try? options.finder(instruments: own).strings].compactMap(\.self) + others
    }

    /// Takes the strings of a tuning in which a strum was found.
    mutating func find(_ tuning: StringTuning, model: inout TunerModel) {
        if found.find(tuning, &model.finder) { tellStrings(&model) }
    }

    private func tellStrings(_ model: inout TunerModel) {
        model.forget()
        model.titles = titles(model)
        model.say("the strings are in \(model.finder.strings?.name ?? "")")
    }

    mutating func press(_ key: Key, model: inout TunerModel) -> Request {
        if model.menu != nil, pressInMenu(key, &model) { return .none }
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character(" "): model.toggleHold()
        case .character("s"):
            model.view = following(model.view, by: 1)
            model.say("view: \(model.view.rawValue)")
        case .character("r"):
            model.response = following(model.response, by: 1)
            model.say("response: \(model.response.rawValue)")
        case .character("p"): nextBoardMode(&model)
        case .character("a"), .left: shift(-1, &model)
        case .character("A"), .right: shift(1, &model)
        case .character("n"): nextNames(&model)
        case .character("i"): changeInstrument(by: 1, &model)
        case .character("I"): changeInstrument(by: -1, &model)
        case .character("m"): openMenu(&model)
        case .character("t"): return .tone
        case .character("?"), .character("h"), .escape: model.showsHelp = key == .escape ? false : !model.showsHelp
        case .character(let digit): lock(digit, &model)
        default: break
        }
        return .none
    }

    private func nextBoardMode(_ model: inout TunerModel) {
        model.board.mode = following(model.board.mode, by: 1)
        // Whether its strums can be measured, that is: an engine for them is made only where they are wanted.
        let count = model.finder.strings?.strings.count ?? 0
        guard model.board.mode == .single || (StrummedStrings.fewest...12).contains(count) else {
            return model.say("strums: \(model.board.mode.rawValue), with an instrument of 3 to 12 strings (i)")
        }
        model.say("strums: \(model.board.mode.rawValue)")
    }

    private mutating func shift(_ hertz: Double, _ model: inout TunerModel) {
        guard options.mapping == nil else { return model.say("the mapping sets A4") }
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

    /// Makes the tuning of the options anew.
    func retune(_ model: inout TunerModel) {
        // This reads the scale files again. If one has been removed meanwhile, the old tuning stays.
        guard let tuning = try? options.makeTuning(reference: reference.pitch) else { return }
        model.finder.tuning = tuning
        model.titles = titles(model)
    }
}

/// The value so many places after this one; the first follows the last.
func following<Value: CaseIterable & Equatable>(_ value: Value, by step: Int) -> Value {
    let all = Array(Value.allCases)
    return all[((all.firstIndex(of: value) ?? 0) + step + all.count) % all.count]
}
