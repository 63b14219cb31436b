import Figures
import Foundation
import WellTempered

/// The rows of real sounds: composites of recorded strings, and single notes and melodies.
struct RealRows {
    let folder: String
    let count: Int
    let seed: UInt64
    let isVerbose: Bool

    func print(_ group: RowGroup, in table: inout Table) throws {
        switch group {
        case .composites: try printComposites(in: &table)
        case .mixed: try printMixed(in: &table)
        case .others: try printOthers(in: &table)
        default: break
        }
    }

    /// How often each composite is heard, 1.1 ms later each time: over a step of the onset.
    private static let shiftCount = 5

    func rows() throws -> [[Substring]] {
        try String(contentsOfFile: folder + "/manifest.csv", encoding: .utf8)
            .split(whereSeparator: \.isNewline).map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }

    private func printComposites(in table: inout Table) throws {
        for window in [1.0, 2] {
            var strums: [Outcome] = []
            for row in try rows() where row.count > 7 && row[4] == "strum" && row[7].hasPrefix("truth/") {
                let (samples, rate) = try readSound("\(folder)/\(row[0])")
                let strings = try truth("\(folder)/\(row[7])")
                // Where the steps of the onset fall is chance, on which the windows depend.
                for shift in 0..<Self.shiftCount {
                    let silence = [Float](repeating: 0, count: Int(Double(shift) * 0.001_1 * rate))
                    let outcome = try Outcome(
                        silence + samples, rate: rate, strings: strings.map(\.nominal),
                        truth: strings.map(\.frequency), window: window, isPeriod: true)
                    strums.append(outcome)
                    guard isVerbose else { continue }
                    let levels = String(format: ", clarity %.2f, explained %.3f", outcome.clarity, outcome.explained)
                    Swift.print(
                        "  \(row[0]):", outcome.summary(strings.map(\.nominal), strings.map(\.frequency)) + levels)
                }
            }
            print(Score(strums), "real strums, \(Int(window)) s", in: &table)
        }
    }

    func print(_ score: Score, _ name: String, in table: inout Table) {
        table.row("\(name): heard within 5 cents", 100 * score.found(within: 5), atLeast: 97)
        table.row("\(name): median error", score.median, atMost: 0.8, unit: "cents")
        table.row("\(name): strings beyond 50 cents", 100 * (1 - score.within(50)), atMost: 0, unit: "%")
        table.row("\(name): within two standard errors", 100 * score.covered, atLeast: 80)
        table.row("\(name): median standard error", percentile(score.standardErrors, 0.5), unit: "cents")
        table.row("\(name) taken for a note", 100 * score.takenForNote, atMost: 1, unit: "%")
    }

    private func printOthers(in table: inout Table) throws {
        let guitar = try Instrument(named: "guitar")
        let others = (guitar.others + guitar.capoTunings).map { tuning in
            tuning.strings.sorted().map { (440 * exp2(Double($0.midi - 69) / 12)).hertz }
        }
        var (chords, strums, sounds, taken) = (0, 0, 0, 0)
        var (all, several, named, chordsNamed) = (0, 0, 0, 0)
        for row in try rows() where row.count > 7 && row[4] == "strum" && !row[7].hasPrefix("truth/") {
            let (samples, rate) = try readSound("\(folder)/\(row[0])")
            let found = try attacks(samples, rate)
            chords += 1
            if found.strummed > 0 { strums += 1 }
            if try attacks(samples, rate, others: others).named > 0 { chordsNamed += 1 }
            if isVerbose { Swift.print("  \(row[0]): \(found.strummed) of \(found.all) attacks") }
        }
        // Fretted chords of unknown pitches: the open strings of a guitar explain only a part of them.
        table.row(
            "chords of unknown strings taken for a strum", 100 * Double(strums) / Double(max(1, chords)), atMost: 1,
            unit: "%")
        for row in try rows() where row.count > 7 && (row[4] == "note" || row[4] == "melody") {
            let (samples, rate) = try readSound("\(folder)/\(row[0])")
            let found = try attacks(samples, rate)
            sounds += found.all
            taken += found.strummed
            if isVerbose && found.strummed > 0 {
                Swift.print("  \(row[0]): \(found.strummed) of \(found.all) attacks")
            }
            let tried = try attacks(samples, rate, others: others)
            (all, several, named) = (all + tried.all, several + tried.several, named + tried.named)
            if isVerbose && tried.several + tried.named > 0 {
                Swift.print("  \(row[0]): of \(tried.all) \(tried.several) several, \(tried.named) in other tunings")
            }
        }
        let share = 100 * Double(taken) / Double(max(1, sounds))
        table.row("attacks of notes and melodies taken for a strum", share, atMost: 1, unit: "%")
        func part(_ count: Int) -> Double { 100 * Double(count) / Double(max(1, all)) }
        table.row("attacks of notes and melodies in another tuning", part(named), atMost: 0, unit: "%")
        table.row("attacks of notes and melodies told as several", part(several), unit: "%")
        table.row(
            "chords of unknown strings in another tuning", 100 * Double(chordsNamed) / Double(max(1, chords)),
            atMost: 1, unit: "%")
    }

    /// What a guitar's strum display would make of the sounds in a recording.
    private struct Attacks {
        /// How many sounds begin, and how many of them are strums.
        var all = 0, strummed = 0
        /// Those in another tuning than the standard one, and those that are no strum but several notes.
        var named = 0, several = 0
    }

    private func attacks(_ samples: [Float], _ rate: Double, others: [[Hertz]] = []) throws -> Attacks {
        var engine = try StrumEngine(
            strings: Strings.guitar.map { $0.hertz }, others: others, sampleRate: rate.hertz)
        var (strummed, named, several) = (Set<Int>(), Set<Int>(), Set<Int>())
        var (seen, start) = (Set<Int>(), 0)
        while start < samples.count {
            let end = min(samples.count, start + Int(0.01 * rate))
            engine.process(samples.span.extracting(start..<end))
            while let picture = engine.refine() {
                seen.insert(picture.strum)
                if picture.isStrum { strummed.insert(picture.strum) }
                if picture.isStrum && picture.tuning > 0 { named.insert(picture.strum) }
                // As the tuner has it.
                if picture.clarity < 0.6 { several.insert(picture.strum) }
            }
            start = end
        }
        return Attacks(
            all: seen.count, strummed: strummed.count, named: named.count,
            several: several.subtracting(strummed).count)
    }

    /// The tuning and the period's frequency of each string, lowest first.
    private func truth(_ path: String) throws -> [(nominal: Double, frequency: Double)] {
        try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
            .compactMap { line in
                let fields = line.split(separator: ",")
                guard fields.count > 2, let nominal = Double(fields[1]), let frequency = Double(fields[2]) else {
                    return nil
                }
                return (nominal, frequency)
            }
            .sorted { $0.nominal < $1.nominal }
    }
}
