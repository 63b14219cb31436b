import Intonation
import Music
import TerminalUI
internal import TunerUI

/// The top line of the display.
extension TunerKeys {
    /// Reference, temperament, instrument, transposition and tolerance; shorter texts leave out what is usual.
    func titles(_ model: TunerModel) -> [String] {
        let (dot, short) = unicode ? ("  ·  ", " · ") : ("  |  ", " | ")
        let (a4, scale, strings) = (referenceText(model), scaleText(model), stringsText(model))
        let written =
            model.finder.transposition.sounds.semitones == 0
            ? nil : "written for \(model.finder.transposition.name)"
        let tolerance = "in tune \(unicode ? "±" : "+-")\(centsText(model.tolerance)) c"
        let isUsual = model.tolerance == TuningVerdict.usualTolerance
        let full = [a4, scale, strings, written, tolerance].compactMap(\.self)
        let notable = [a4, scale == "equal" ? nil : scale, strings, written, isUsual ? nil : tolerance]
        let fewest = [a4.flatMap { $0.hasPrefix("A4 440.00 Hz") ? nil : $0 }] + notable.dropFirst()
        let texts = [full, notable.compactMap(\.self), fewest.compactMap(\.self)]
        return [texts[0].joined(separator: dot)]
            + texts.dropFirst().map { $0.joined(separator: short) }
            .filter { !$0.isEmpty }
    }

    private func referenceText(_ model: TunerModel) -> String? {
        // A keyboard mapping has its own reference.
        let isMapped = options.mapping != nil
        let shown = isMapped ? model.finder.tuning.target(for: Note(midi: 69))?.frequency : a4
        let learning = reference.isLearning && !isMapped ? " (learning)" : ""
        return shown.map { "A4 \(fixedPoint($0.value, decimals: 2)) Hz\(learning)" }
    }

    private func scaleText(_ model: TunerModel) -> String {
        if model.finder.tuning.scale != nil { return model.finder.tuning.name }
        let key = options.key ?? "C"
        return key == "C" ? options.temperament : "\(options.temperament) on \(key)"
    }

    private func stringsText(_ model: TunerModel) -> String? {
        guard let instrument = options.instrument, let strings = model.finder.strings else { return nil }
        return "\(instrument): \(strings.name)" + (options.capo.map { $0 > 0 ? ", capo \($0)" : "" } ?? "")
    }

    private func centsText(_ cents: Cents) -> String {
        let isWhole = cents.value == cents.value.rounded()
        return fixedPoint(cents.value, decimals: isWhole ? 0 : 1)
    }
}

extension Tuning {
    /// What its scale is called.
    var name: String {
        let description = scale?.description ?? ""
        return description.isEmpty ? "scale" : description
    }
}
