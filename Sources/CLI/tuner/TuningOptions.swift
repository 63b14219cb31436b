import ArgumentParser
import Configuration
import DeviceCalibration
import Music

/// The options for tuning and names that listening, analysis and tones share.
struct TuningOptions: ParsableArguments {
    @Option(
        name: .customLong("a4"),
        help: ArgumentHelp(
            "Tune A4 to this many hertz, \(referenceText), or auto to learn it from what is heard, except in transcribe.",
            valueName: "hz"))
    var a4 = "440"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use this temperament: vallotti, just, meantone, 19edo, ...; see --list-temperaments.", valueName: "name"))
    var temperament = "equal"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Build the temperament on this key, and take it for the key of the melody in analyze. [C, or the key that is heard]",
            valueName: "note"))
    var key: String?

    @Option(name: .long, help: ArgumentHelp("Use a Scala scale instead of a temperament.", valueName: "file.scl"))
    var scale: String?

    @Option(name: .long, help: ArgumentHelp("Use a Scala keyboard mapping with --scale.", valueName: "file.kbm"))
    var mapping: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Offset notes by cents: E2=-2.3,F#=1. A note without an octave means all octaves, -2 alone all notes.",
            valueName: "offsets")
    )
    var sweeten: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use these note names: \(NoteNaming.Style.names). [sharps, or as in the key of a melody]",
            valueName: "names"))
    var names: String?

    @Option(name: .long, help: ArgumentHelp("Write octaves as scientific (A4) or helmholtz (a').", valueName: "style"))
    var octaves = "scientific"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show the written notes of an instrument (\"Bb clarinet\", F) beside the concert notes.",
            valueName: "instrument"))
    var transpose: String?

    @Option(
        name: [.customShort("i"), .long],
        help: ArgumentHelp("Tune the strings of an instrument; see --list-instruments.", valueName: "name"))
    var instrument: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use this tuning of the instrument: \"open G\", DADGAD, CGDGBE, Eb, \"D2 A2 D3 G3 B3 E4\".",
            valueName: "name"))
    var tuning: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Put a capo on this fret.", valueName: "fret"))
    var capo: Int?

    @Option(name: .long, help: ArgumentHelp("Tune this string only, by its usual number.", valueName: "number"))
    var string: Int?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Correct for a sound card that runs this many ppm fast. [as `calibrate` measured]", valueName: "ppm"),
        transform: PartsPerMillion.clock)
    var clock: PartsPerMillion?

    func validate() throws {
        if !learnsReference { _ = try referencePitch() }
        guard let style = names.map(NoteNaming.Style.init(rawValue:)) ?? .sharps else {
            throw ValidationError(
                "There are no note names \"\(names ?? "")\": choose one of \(NoteNaming.Style.names).")
        }
        guard NoteNaming.Octaves(rawValue: octaves) != nil else {
            throw ValidationError("--octaves must be scientific or helmholtz, not \"\(octaves)\".")
        }
        if octaves == "helmholtz", !style.usesLetters {
            let names = NoteNaming.Style.allCases.filter(\.usesLetters).map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--octaves helmholtz needs letters: choose one of --names \(names).")
        }
        if mapping != nil && scale == nil { throw ValidationError("--mapping needs a --scale.") }
        if scale != nil && temperament != "equal" {
            throw ValidationError("--scale and --temperament exclude each other.")
        }
        if let capo, !(0...Self.highestCapo).contains(capo) {
            throw ValidationError("--capo must be between 0 and \(Self.highestCapo), not \(capo).")
        }
    }

    static let highestCapo = 24

    /// Whether A4 is learnt from what is heard.
    var learnsReference: Bool { a4.lowercased() == "auto" }

    /// The A4 that was asked for; 440 Hz at first if it is learnt.
    func referencePitch() throws -> ReferencePitch {
        if learnsReference { return .standard }
        guard let value = number(a4, unit: "hz"), ReferencePitch.range.contains(value.hertz) else {
            throw ValidationError("--a4 must be \(referenceText) Hz, or auto, not \(a4).")
        }
        return ReferencePitch(a4: value.hertz)
    }

    /// Whether a melody's black keys are named as in its key: unless sharps or flats were asked for.
    var namesFollowKey: Bool { names != "sharps" && names != "flats" }

    var naming: NoteNaming {
        var naming = (names.flatMap(NoteNaming.Style.init(rawValue:)) ?? .sharps).naming
        naming.octaves = NoteNaming.Octaves(rawValue: octaves) ?? .scientific
        return naming
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The values of an option, for help and messages.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The option `--tolerance`.
struct ToleranceOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Call notes in tune up to this many cents, 0.1 to 50. [2; of melodies and pictures in analyze 5]",
            valueName: "cents"),
        transform: Double.readingCents)
    var tolerance: Double?

    func validate() throws {
        if let tolerance, !(0.1...50).contains(tolerance) {
            throw ValidationError("--tolerance must be between 0.1 and 50 cents, not \(tolerance).")
        }
    }
}

/// The range of A4: `300 to 600`.
private let referenceText =
    "\(Int(ReferencePitch.range.lowerBound.value)) to \(Int(ReferencePitch.range.upperBound.value))"
