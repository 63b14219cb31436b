import ArgumentParser
import Figures
import Foundation
@_spi(Engine) import Pitch
import RealNotes
import WellTempered

@main struct Accuracy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures a pitch detector: one line per quantity, what it must be and what it is.",
        subcommands: [Measure.self, ListReadings.self, Work.self], defaultSubcommand: Measure.self)

    struct Measure: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the table.")
        @Option(help: "The seed that all sound comes from.") var seed: UInt64 = 1
        @Option(help: "How many steady tones; the other sets follow it.") var tones = 200
        @Option(help: "How many tones are held against the bound.") var boundTones = 4_000
        @Option(help: "Sample rate in hertz.") var rate = 48_000.0
        @Option(help: "harmonic, mcleod or yin.") var method = "harmonic"
        @Option(help: "A folder of recordings with a manifest.csv.") var recordings: String?
        @Option(help: "Another folder of real notes with exactly known pitch: index.csv, truth, sounds.")
        var realNotes: String?
        @Option(help: "Only the real notes whose names contain this.") var note = ""
        @Option(help: ArgumentHelp("Only these rows.", valueName: "rows")) var only: [RowSet] = []
        @Option(help: "Samples between readings; by default 5.33 ms.") var hop: Int?
        @Option(
            help: ArgumentHelp(
                "Print the figures with this constant of the detector at half to twice its value.",
                valueName: "constant"))
        var sensitivity: String?
        @Option(
            name: .customLong("limit"), parsing: .singleValue,
            help: ArgumentHelp("Sets a constant of the detector, such as fade=0.01.", valueName: "name=value"))
        var limits: [String] = []
        @Flag(help: "Compare the jitter on real notes with that of the best linear filter of each note.")
        var oracle = false
        @Flag(help: "One line per tone and per recording.") var verbose = false

        enum RowSet: String, CaseIterable, ExpressibleByArgument {
            case steady, bound, noises, plucks, strings, lock, lowest, moving, ringing, spectra, rooms, recordings, cost
            case boundLong = "bound-long"
            case realNotes = "real-notes"
        }

        func validate() throws {
            if only.contains(.recordings), recordings == nil {
                throw ValidationError("recordings are measured where --recordings names their folder")
            }
            if oracle, !only.isEmpty, !only.contains(.realNotes) {
                throw ValidationError("--oracle looks at real notes: add --only real-notes")
            }
        }

        func run() throws {
            guard let method = PitchMethod(rawValue: method) else { throw ValidationError("no such method: \(method)") }
            var listener = Listener(method: method, rate: rate, hop: hop)
            try set(limits, in: &listener.constants, named: PitchConstants.named)
            guard let sensitivity else {
                let table = try measure(listener)
                print(table.missed == 0 ? "all met" : "\(table.missed) missed")
                if table.missed > 0 { throw ExitCode(1) }
                return
            }
            guard let path = PitchConstants.named.first(where: { $0.name == sensitivity })?.path else {
                let names = PitchConstants.named.map(\.name).joined(separator: ", ")
                throw ValidationError("no such constant: \(sensitivity); there are \(names)")
            }
            let constants = listener.constants
            for factor in [0.5, 0.7, 1, 1.4, 2] {
                listener.constants = constants
                listener.constants[keyPath: path] *= factor
                print(String(format: "%@ = %.6g (times %g)", sensitivity, listener.constants[keyPath: path], factor))
                _ = try measure(listener)
            }
        }

        /// Prints the table of one detector.
        private func measure(_ listener: Listener) throws -> Table {
            print("seed \(seed), \(tones) tones, \(rate) Hz, \(listener.method.rawValue)")
            var table = Table()
            if rate != 48_000 {
                print("upper limits are those of 48 kHz, which other rates reach within 20 %")
                table.allowance = 1.2
            }
            // Their sound is that of files.
            if only.contains(.realNotes) || only.isEmpty && rate == 48_000 {
                let notes = try realNotes.map { try RealNoteSet(folder: $0, name: note) } ?? .shipped(name: note)
                try RealNoteRows(
                    notes: notes, listener: listener, isVerbose: verbose, asksOracle: oracle
                ).rows(&table)
            }
            let rows = SyntheticRows(listener: listener, seed: seed, tones: tones, isVerbose: verbose)
            func wanted(_ set: RowSet) -> Bool { only.isEmpty || only.contains(set) }
            if wanted(.steady) { try rows.steady(&table) }
            let bounds = BoundRows(listener: listener, seed: seed, tones: boundTones, isVerbose: verbose)
            if wanted(.bound) {
                try bounds.rows(&table, window: 4_096.0 / 48_000, name: "85 ms", limit: 0.1)
            }
            if wanted(.boundLong) { try bounds.rows(&table, window: 0.3, name: "0.3 s", limit: 0.015) }
            if wanted(.noises) { try rows.noises(&table) }
            if wanted(.plucks) { try rows.plucks(&table) }
            if wanted(.strings) { try rows.strings(&table) }
            if wanted(.lock) { try rows.lock(&table) }
            if wanted(.lowest) { try rows.lowest(&table) }
            if wanted(.moving) { try rows.moving(&table) }
            if wanted(.ringing) { try rows.ringing(&table) }
            if wanted(.spectra) { try rows.spectra(&table) }
            if wanted(.rooms) { try rows.rooms(&table) }
            // What follows has rates of its own.
            table.allowance = 1
            if let recordings, wanted(.recordings) {
                try Recordings(folder: recordings, listener: listener, isVerbose: verbose).rows(&table)
            }
            if wanted(.cost) { try Cost(listener: listener).rows(&table) }
            return table
        }
    }

    struct Work: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs the detector and prints nothing, for a tool that counts instructions.")
        @Argument(help: "Hops of 256 samples.") var hops: Int
        @Option(help: "harmonic, mcleod or yin.") var method = "harmonic"
        func run() throws { try Cost.work(hops: hops, method: PitchMethod(rawValue: method) ?? .harmonic) }
    }
}
