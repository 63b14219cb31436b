import ArgumentParser
import Foundation

/// Measures `StrumEngine` on generated strums and on real ones.
@main struct Strums: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the tuning of all strings of a strum, row by row.",
        discussion: """
            Generated strums: the truth is the first partial. Composites of recorded strings whose period is known: an error
            between first partial and period counts as 0, for these are two definitions of one pitch. Strums mixed here from
            recordings: the first partial and the period of each string are measured in its recording, over what the strum's
            window holds of it, and the lesser of both errors counts.
            """)
    @Option(help: "How many strums in a row.") var count = 50
    @Option(help: "The seed of the generator.") var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "A folder of recordings with manifest.csv and truth/*.csv.", valueName: "folder"))
    var real: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only these rows: \(RowGroup.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "groups"))
    var rows: [RowGroup] = RowGroup.allCases
    @Flag(help: "One line per strum.") var verbose = false

    func validate() throws {
        let recorded = rows.filter(\.isRecorded)
        if real == nil, rows.count == recorded.count {
            throw ValidationError("rows of recordings, such as \(recorded[0].rawValue), want --real and their folder")
        }
    }

    func run() throws {
        print("seed \(seed), \(count) strums in a row")
        var table = Table()
        let generated = GeneratedRows(count: count, seed: seed, isVerbose: verbose)
        for group in rows { try generated.print(group, in: &table) }
        if let real {
            let recordings = RealRows(folder: real, count: count, seed: seed, isVerbose: verbose)
            for group in rows { try recordings.print(group, in: &table) }
        } else {
            for group in rows where group.isRecorded { print("not measured without --real: \(group.rawValue)") }
        }
        Swift.print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }
}

/// Rows that are measured together.
enum RowGroup: String, CaseIterable, ExpressibleByArgument {
    /// Six strings.
    case guitar
    /// Two strings of one pitch or an octave apart.
    case courses
    /// Ukulele and bass.
    case instruments
    /// One string that does not sound.
    case muted
    /// Noise, body, a ringing string, slow strums, a capo, other tunings.
    case life
    /// Strums that a thumb plays, after the noise of a room.
    case soft
    /// Open tunings, told by name.
    case tunings
    /// Open tunings that nobody has named.
    case unnamed
    /// Chords that are fretted on a guitar, where its open strings are looked for.
    case chords
    /// Strings that are played one after the other and ring on.
    case arpeggios
    /// Strums of which a capture period is lost.
    case gaps
    /// Process time.
    case cost
    /// Composite strums of a folder of recordings, and its chords, notes and melodies.
    case composites, others
    /// Strums mixed here from the folder's single notes.
    case mixed

    /// Whether its sound is that of a folder of recordings.
    var isRecorded: Bool { [.composites, .others, .mixed].contains(self) }
}

/// The lines that the command prints.
struct Table {
    private(set) var missed = 0

    mutating func row(_ quantity: String, _ measured: Double, atLeast limit: Double, unit: String = "%") {
        line(quantity, "at least \(text(limit)) \(unit)", "\(text(measured)) \(unit)", measured >= limit)
    }

    mutating func row(_ quantity: String, _ measured: Double, atMost limit: Double, unit: String) {
        line(quantity, "at most \(text(limit)) \(unit)", "\(text(measured)) \(unit)", measured <= limit)
    }

    /// A figure of which nothing is demanded.
    func row(_ quantity: String, _ measured: Double, unit: String) {
        print(pad(quantity, 56) + pad("", 20) + "\(text(measured)) \(unit)")
    }

    private func text(_ value: Double) -> String { String(format: "%.4g", value) }

    private mutating func line(_ quantity: String, _ must: String, _ measured: String, _ isMet: Bool) {
        if !isMet { missed += 1 }
        print(pad(quantity, 56) + pad(must, 20) + pad(measured, 16) + (isMet ? "ok" : "MISSED"))
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
