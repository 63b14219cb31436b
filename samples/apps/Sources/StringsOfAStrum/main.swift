// Tells how far each string of a strummed instrument is off, for each strum of a recording.
//
//     swift run StringsOfAStrum take.wav [guitar] [DADGAD]
import AudioIO
@preconcurrency import Glibc
import WellTempered

/// What was found of one strum: when it begins, and its strings.
struct Strum {
    var seconds: Double
    var strings: [StringReading]
}

func strums(in path: String, strings: [Hertz]) throws -> [Strum] {
    var file = try AudioFileReader(path: path)
    var engine = try StrumEngine(strings: strings, sampleRate: file.sampleRate)
    var block = [Float](repeating: 0, count: 4_096)
    var found: [Int: Strum] = [:]
    while true {
        var free = block.mutableSpan
        let read = try file.read(into: &free)
        if read.isEnd { break }
        engine.process(block.span.extracting(first: read.count))
        // Each picture of a strum rests on a longer window than the one before, and replaces it.
        while let picture = engine.refine() {
            guard picture.isStrum else {
                found[picture.strum] = nil
                continue
            }
            found[picture.strum] = Strum(
                seconds: Double(picture.onset) / file.sampleRate.value,
                strings: strings.indices.map { engine.reading(of: $0) })
        }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

do {
    let words = CommandLine.arguments
    guard words.count > 1 else {
        fputs("StringsOfAStrum take.wav [guitar] [DADGAD]\n", stderr)
        exit(2)
    }
    let instrument = try Instrument(named: words.count > 2 ? words[2] : "guitar")
    let tuning = words.count > 3 ? try instrument.tuning(named: words[3]) : instrument.standard
    let frequencies = try Tuning()
    let notes = tuning.strings
    let found = try strums(in: words[1], strings: notes.compactMap { frequencies.target(for: $0)?.frequency })
    for strum in found {
        print("strum at \(rounded(strum.seconds)) s")
        for (note, string) in zip(notes, strum.strings) {
            let text = "\(rounded(string.deviation.value)) ± \(rounded(string.standardError.value)) cents"
            print("  \(note) \(string.isHeard ? text : "not heard")")
        }
    }
    if found.isEmpty { print("no strum") }
} catch let error as any ExplainedError {
    fputs(error.message + "\n", stderr)
    exit(1)
}
