import ArgumentParser
import Configuration
import Intonation
import Music
import Platform

extension TuningOptions {
    /// The tuning.
    ///
    /// - Parameter reference: replaces the one of the options.
    func makeTuning(reference: ReferencePitch? = nil) throws -> Tuning {
        let reference = try reference ?? referencePitch()
        let sweetening = try sweeten.map { try Sweetening(parsing: $0, naming: naming) } ?? Sweetening()
        if let scale {
            let parsed = try Self.reading(scale) { text throws(TuningFileError) in try Scale(parsing: text) }
            guard let mapping else { return try Tuning(scale: parsed, reference: reference, sweetening: sweetening) }
            let keys = try Self.reading(mapping) { text throws(TuningFileError) in
                try KeyboardMapping(parsing: text)
            }
            do throws(TuningError) {
                return try Tuning(scale: parsed, mapping: keys, sweetening: sweetening)
            } catch {
                throw CommandError(.input, error, at: mapping + ": ")
            }
        }
        if let division = try? Scale(equalDivision: temperament), (try? Temperament(named: temperament)) == nil {
            return try Tuning(scale: division, reference: reference, sweetening: sweetening)
        }
        let known = try Temperament(named: temperament)
        let tonic = try naming.pitchClass(named: key ?? "C")
        return try Tuning(reference: reference, temperament: known, key: tonic, sweetening: sweetening)
    }

    /// The rules by which notes are found.
    ///
    /// - Parameter instruments: the player's own, which replace built-in instruments of the same name.
    func finder(instruments: [Instrument] = []) throws -> NoteFinder {
        var finder = NoteFinder(tuning: try makeTuning(), naming: naming)
        if let transpose { finder.transposition = try Transposition(named: transpose) }
        guard let instrument else {
            for (option, isGiven) in [("tuning", tuning != nil), ("string", string != nil), ("capo", capo != nil)]
            where isGiven { throw ValidationError("--\(option) needs an --instrument.") }
            return finder
        }
        let own = instruments.first { $0.name.lowercased() == instrument.lowercased() }
        let chosen = try own ?? Instrument(named: instrument)
        var strings = try tuning.map { try chosen.tuning(named: $0) } ?? chosen.standard
        if let capo { strings = strings.capo(capo) }
        finder.strings = strings
        guard let string else { return finder }
        finder.lockedString = strings.strings.indices.first { strings.courseNumber(ofString: $0) == string }
        guard finder.lockedString != nil else {
            throw ValidationError("\(instrument) has strings 1 to \(strings.courses.count), not \(string).")
        }
        return finder
    }

    /// The tunings that the strings may be in where the user names an instrument and none of its tunings.
    func otherTunings(instruments: [Instrument]) throws -> [StringTuning] {
        guard let instrument, tuning == nil else { return [] }
        let own = instruments.first { $0.name.lowercased() == instrument.lowercased() }
        let chosen = try own ?? Instrument(named: instrument)
        let others = chosen.others.filter { $0.strings.count == chosen.standard.strings.count }
        if let capo { return others.map { $0.capo(capo) } }
        // More strings would cost too much.
        return others + (chosen.standard.strings.count <= Self.mostStringsUnderCapo ? chosen.capoTunings : [])
    }

    private static let mostStringsUnderCapo = 6

    /// The option by which a user names a tuning that a strum was found in.
    static func option(for tuning: StringTuning) -> String {
        let parts = tuning.name.split(separator: ", capo ")
        return parts.count == 2 ? "--capo \(parts[1])" : "--tuning \"\(tuning.name)\""
    }

    /// The clock of a recording: `--clock` corrects the rate that the file states.
    func clock(labelled rate: Hertz) -> SampleClock {
        SampleClock(nominalRate: rate, error: clock ?? 0.ppm)
    }

    /// Reads a Scala file. Errors tell its name and the line.
    private static func reading<Value>(
        _ path: String, _ parse: (String) throws(TuningFileError) -> Value
    ) throws -> Value {
        let bytes = try SmallFile.read(path, kind: "a Scala file")
        do throws(TuningFileError) {
            return try parse(scalaText(decoding: bytes))
        } catch {
            throw CommandError(.input, error, at: path + ": ")
        }
    }
}
