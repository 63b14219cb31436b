import ArgumentParser
import Configuration
import Intonation
import Music
import TerminalUI

/// What is in tune, and how it is called: the options that listening, analysing and sounding have in common.
struct TuningOptions: ParsableArguments {
    @Option(
        name: .customLong("a4"),
        help: ArgumentHelp("The frequency of A4 in Hz, 300 to 600; auto learns it from what is heard.", valueName: "hz")
    )
    var a4 = "440"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Temperament: vallotti, just, meantone, 19edo, ...; see --list-temperaments.", valueName: "name"))
    var temperament = "equal"

    @Option(name: .long, help: ArgumentHelp("The key that the temperament is built on.", valueName: "note"))
    var key = "C"

    @Option(name: .long, help: ArgumentHelp("A Scala scale instead of a temperament.", valueName: "file.scl"))
    var scale: String?

    @Option(name: .long, help: ArgumentHelp("A Scala keyboard mapping for --scale.", valueName: "file.kbm"))
    var mapping: String?

    @Option(
        name: .long, help: ArgumentHelp("Cents on top, by note: E2=-2.3,F#=1 (no octave: all).", valueName: "offsets"))
    var sweeten: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Note names: sharps, flats, german, solfege, japanese, korean or sargam.", valueName: "names"))
    var names = "sharps"

    @Option(name: .long, help: ArgumentHelp("Octaves: scientific (A4) or helmholtz (a').", valueName: "style"))
    var octaves = "scientific"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show written notes for an instrument (\"Bb clarinet\", F) beside the concert ones.",
            valueName: "instrument"))
    var transpose: String?

    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp("Tune the strings of an instrument; see --list-instruments.", valueName: "name"))
    var instrument: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Its tuning: \"open G\", DADGAD, CGDGBE, \"D2 A2 D3 G3 B3 E4\".", valueName: "name"))
    var tuning: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("A capo on this fret.", valueName: "fret"))
    var capo: Int?

    @Option(
        name: .long, help: ArgumentHelp("This string only, by the number that players give it.", valueName: "number"))
    var string: Int?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "How much faster the sound card's clock runs than it says, in ppm. [as `calibrate` measured it]",
            valueName: "ppm"))
    var clock: Double?

    func validate() throws {
        if !learnsReference { _ = try referencePitch() }
        guard NoteNames(rawValue: names) != nil else {
            let known = NoteNames.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There are no note names \"\(names)\": choose one of \(known).")
        }
        guard NoteNaming.Octaves(rawValue: octaves) != nil else {
            throw ValidationError("--octaves is scientific or helmholtz, not \"\(octaves)\".")
        }
        if octaves == "helmholtz", !["sharps", "flats", "german"].contains(names) {
            throw ValidationError("--octaves helmholtz writes letters: it goes with --names sharps, flats or german.")
        }
        if mapping != nil && scale == nil { throw ValidationError("--mapping places a scale: add --scale.") }
        if scale != nil && temperament != "equal" {
            throw ValidationError("--scale and --temperament exclude each other.")
        }
        if tuning != nil && instrument == nil { throw ValidationError("--tuning needs an --instrument.") }
        if string != nil && instrument == nil { throw ValidationError("--string needs an --instrument.") }
        if capo != nil && instrument == nil { throw ValidationError("--capo needs an --instrument.") }
        if let capo, !(0...24).contains(capo) {
            throw ValidationError("--capo must lie between 0 and 24, not \(capo).")
        }
        if let clock, !(clock.isFinite && abs(clock) <= 20_000) {
            throw ValidationError("--clock must lie between -20000 and 20000 ppm, not \(clock).")
        }
    }

    /// Whether A4 is to be found by listening.
    var learnsReference: Bool { a4.lowercased() == "auto" }

    /// The A4 that was asked for; 440 Hz to begin with where it is to be learnt.
    func referencePitch() throws -> ReferencePitch {
        if learnsReference { return .standard }
        guard let value = Double(a4), value >= 300, value <= 600 else {
            throw ValidationError("--a4 must lie between 300 and 600 Hz, or be auto, not \(a4).")
        }
        return ReferencePitch(a4: value.hertz)
    }

    /// How notes are called.
    var naming: NoteNaming {
        var naming = (NoteNames(rawValue: names) ?? .sharps).naming
        naming.octaves = NoteNaming.Octaves(rawValue: octaves) ?? .scientific
        return naming
    }

    /// What a frequency is compared with.
    ///
    /// - Parameter reference: instead of the one asked for, as when the player changed it.
    func makeTuning(reference: ReferencePitch? = nil) throws -> Tuning {
        let reference = try reference ?? referencePitch()
        let sweetening = try sweeten.map { try Sweetening(parsing: $0, naming: naming) } ?? Sweetening()
        if let scale {
            let parsed = try Self.reading(scale) { text throws(TuningFileError) in try Scale(parsing: text) }
            if let mapping {
                let keys = try Self.reading(mapping) { text throws(TuningFileError) in
                    try KeyboardMapping(parsing: text)
                }
                do throws(TuningError) {
                    return try Tuning(scale: parsed, mapping: keys, sweetening: sweetening)
                } catch {
                    throw CommandError("\(mapping): \(error.message)", exitStatus: ExitStatus.of(error))
                }
            }
            return try Tuning(scale: parsed, reference: reference, sweetening: sweetening)
        }
        if let known = try? Temperament(named: temperament) {
            let tonic = try naming.pitchClass(named: key)
            return try Tuning(reference: reference, temperament: known, key: tonic, sweetening: sweetening)
        }
        guard let division = try? Scale(equalDivision: temperament) else {
            _ = try Temperament(named: temperament)  // says which names there are
            throw ValidationError("There is no temperament \"\(temperament)\".")
        }
        return try Tuning(scale: division, reference: reference, sweetening: sweetening)
    }

    /// The rules by which notes are found.
    ///
    /// - Parameter instruments: the player's own, which come before the built-in ones of the same name.
    func finder(instruments: [Instrument] = []) throws -> NoteFinder {
        var finder = NoteFinder(tuning: try makeTuning(), naming: naming)
        if let transpose { finder.transposition = try Transposition(named: transpose) }
        guard let instrument else { return finder }
        let own = instruments.first { $0.name.lowercased() == instrument.lowercased() }
        let chosen = try own ?? Instrument(named: instrument)
        var strings = try tuning.map { try chosen.tuning(named: $0) } ?? chosen.standard
        if let capo { strings = strings.capo(capo) }
        finder.strings = strings
        if let string {
            guard let index = strings.strings.indices.first(where: { strings.courseNumber(ofString: $0) == string })
            else {
                throw ValidationError("\(instrument) has strings 1 to \(strings.courses.count), not \(string).")
            }
            finder.lockedString = index
        }
        return finder
    }

    /// The clock of a recording: `--clock` corrects the rate that the file states.
    func clock(labelled rate: Hertz) -> SampleClock {
        SampleClock(nominalRate: rate, error: PartsPerMillion(clock ?? 0))
    }

    /// Reads a Scala file; what is wrong with it is told with its name and line.
    private static func reading<Value>(
        _ path: String, _ parse: (String) throws(TuningFileError) -> Value
    ) throws -> Value {
        let bytes = try SmallFile.read(path, kind: "a Scala file")
        do throws(TuningFileError) {
            return try parse(scalaText(decoding: bytes))
        } catch {
            throw CommandError("\(path): \(error.message)", exitStatus: ExitStatus.of(error))
        }
    }
}

/// The ways of naming notes that the command line and the key `n` know.
enum NoteNames: String, CaseIterable {
    case sharps, flats, german, solfege, japanese, korean, sargam

    var naming: NoteNaming {
        switch self {
        case .sharps: NoteNaming()
        case .flats: NoteNaming(accidentals: .flats)
        case .german: NoteNaming(language: .german)
        case .solfege: NoteNaming(language: .solfege)
        case .japanese: NoteNaming(language: .japanese)
        case .korean: NoteNaming(language: .korean)
        case .sargam: NoteNaming(language: .sargam)
        }
    }

    /// Whether it can be written without anything but ASCII.
    var isASCII: Bool { self != .japanese && self != .korean }
}
