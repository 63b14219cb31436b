import ArgumentParser
import Figures
import Foundation
@_spi(Measurement) import Transcription
import WellTempered

// Measures the note segmenter on the melodies that `Benchmarks/onset-sounds` makes:
//
//     python3 onset-sounds/melodies.py --seed 0 --sound-font FluidR3_GM.sf2 /tmp/melodies
//     swift run -c release notes /tmp/melodies
//
// and, to tune on, slower attacks than a sound font has: `python3 onset-sounds/sustained.py --seed 1 /tmp/melodies`.

@main struct Notes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the note segmenter: what each quantity must be and what it is.")
    @Argument(help: "A folder of NAME_N.wav with the true notes in NAME_N.csv: onset,end,key, times in seconds.")
    var folder: String
    @Flag(help: "The melodies are of recorded notes: no figure is demanded.") var real = false
    @Flag(help: "One line per instrument.") var verbose = false
    @Option(help: "Write the notes that were found to this folder, with when each was shown and right.")
    var write: String?
    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp("Sets a limit of the segmenter, such as again=1.2.", valueName: "name=value"))
    var settings: [String] = []

    func run() throws {
        let melodies = try Melody.all(in: folder)
        guard !melodies.isEmpty else { throw ValidationError("no melodies in \(folder)") }
        let constants = try limits()
        var found: [Transcript] = []
        for melody in melodies {
            let transcript = try Transcript(of: melody, constants)
            found.append(transcript)
            if let write { try transcript.write(to: write) }
        }
        var table = Table()
        table.head()
        if verbose {
            for name in Set(melodies.map(\.instrument)).sorted() {
                table.note(Score(found.filter { $0.melody.instrument == name }), name)
            }
        }
        let score = { (family: Melody.Family) in Score(found.filter { $0.melody.family == family }) }
        let (plucked, sustained, all) = (score(.plucked), score(.sustained), Score(found))
        table.note(plucked, "plucked")
        table.note(sustained, "sustained")
        table.note(all, "all")
        guard !real else { return }
        table.row("F of onset and pitch, plucked", plucked.f, atLeast: 0.95)
        table.row("F of onset and pitch, sustained", sustained.f, atLeast: 0.92)
        table.row("F of onset and pitch, all", all.f, atLeast: 0.93)
        table.row("F with note ends, all", all.withEnds, atLeast: 0.65)
        table.row("octave errors, of the notes found", all.octaves, atMost: 0.01, unit: "")
        table.row("bias of onsets", abs(all.bias), atMost: 5, unit: "ms")
        table.row("shown after, median", all.shown(0.5), atMost: 80, unit: "ms")
        table.row("shown after, 95th percentile", all.shown(0.95), atMost: 80, unit: "ms")
        table.row("corrected after, the latest", all.corrected, atMost: 200, unit: "ms")
        table.row("cost of notes and tempo, of a core", 100 * all.costWithTempo, atMost: 5, unit: "%")
        table.row("heap calls", Double(found.reduce(0) { $0 + $1.heapCalls }), atMost: 0, unit: "calls")
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    private func limits() throws -> SegmenterConstants {
        var constants = SegmenterConstants()
        try set(settings, in: &constants, named: SegmenterConstants.named)
        return constants
    }
}
