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

    private func rows() throws -> [[Substring]] {
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

    private func print(_ score: Score, _ name: String, in table: inout Table) {
        table.row("\(name): heard within 5 cents", 100 * score.found(within: 5), atLeast: 97)
        table.row("\(name): median error", score.median, atMost: 0.8, unit: "cents")
        table.row("\(name): strings beyond 50 cents", 100 * (1 - score.within(50)), atMost: 0, unit: "%")
        table.row("\(name): within two standard errors", 100 * score.covered, atLeast: 80)
        table.row("\(name): median standard error", percentile(score.standardErrors, 0.5), unit: "cents")
        table.row("\(name) taken for a note", 100 * (1 - score.taken), atMost: 1, unit: "%")
    }

    /// Strums mixed here from single plucked notes of the folder, of which no composite is made: the recordings on which
    /// the engine's constants are chosen, so that the composites stay unseen.
    private func printMixed(in table: inout Table) throws {
        var pool: [Note] = []
        for row in try rows() where row.count > 10 && row[4] == "note" {
            let isPlucked = ["guitar", "bass_electric", "bass_fretless", "ukulele_ortega"].contains {
                row[3].hasPrefix($0)
            }
            guard isPlucked, row[3] != "guitar_nylon_kyster", let frequency = Double(row[10]),
                frequency > 60, frequency < 700
            else { continue }
            let (samples, rate) = try readSound("\(folder)/\(row[0])")
            guard rate == GeneratedStrum.rate else { continue }
            pool.append((samples, frequency))
        }
        pool.sort { $0.frequency < $1.frequency }
        var random = SeededNumbers(seed: seed &+ 5)
        // Of its own, so that the strums of a seed stay the same.
        var randomOfNotes = SeededNumbers(seed: seed &+ 6)
        var strums: [Outcome] = []
        var (said, silent, missed, sounding, taken) = (0, 0, 0, 0, 0)
        for index in 0..<count where pool.count >= 4 {
            let chosen = choose(from: pool, &random)
            let (outcome, summary) = try mixed(chosen, &random)
            strums.append(outcome)
            // The same kind of strum, one of whose strings is not struck.
            let muted = chosen.count > 3 ? index % chosen.count : nil
            if isVerbose { Swift.print("  mixed \(index):", summary) }
            // One of its strings alone.
            let only = index % chosen.count
            let (note, single) = try mixed(chosen, only: only, &randomOfNotes)
            taken += note.hasStrum ? 1 : 0
            if isVerbose { Swift.print("  mixed \(index), \(only) alone:", single) }
            guard let muted else { continue }
            let (other, told) = try mixed(chosen, without: muted, &random)
            let isWrong = other.isHeard.indices.map { other.isHeard[$0] == ($0 == muted) }
            silent += 1
            sounding += other.isHeard.count - 1
            said += isWrong[muted] ? 0 : 1
            missed += isWrong.count { $0 } - (isWrong[muted] ? 1 : 0)
            if isVerbose && isWrong.contains(true) { Swift.print("  mixed \(index) without \(muted):", told) }
        }
        print(Score(strums), "mixed strums, 1 s", in: &table)
        let silence = "mixed strums, one string not struck, 1 s: said so"
        table.row(silence, 100 * Double(said) / Double(max(1, silent)), atLeast: 98)
        table.row("sounding strings said to be missing", 100 * Double(missed) / Double(max(1, sounding)), unit: "%")
        let name = "single strings of the same tunings taken for a strum"
        table.row(name, 100 * Double(taken) / Double(max(1, strums.count)), atMost: 1, unit: "%")
    }

    /// Notes at least a semitone apart, three to six of them.
    private func choose(from pool: [Note], _ random: inout SeededNumbers) -> [Note] {
        let wanted = Int(random.uniform(3, 6.999))
        var chosen: [Note] = []
        for _ in 0..<200 where chosen.count < wanted {
            let note = pool[min(pool.count - 1, Int(random.uniform(0, Double(pool.count))))]
            if chosen.allSatisfy({ abs(Cents(from: $0.frequency.hertz, to: note.frequency.hertz).value) > 80 }) {
                chosen.append(note)
            }
        }
        return chosen.sorted { $0.frequency < $1.frequency }
    }

    /// A strum of recorded notes by a tuning that is up to 30 cents off.
    private func mixed(
        _ notes: [Note], without muted: Int? = nil, only: Int? = nil, _ random: inout SeededNumbers
    ) throws -> (outcome: Outcome, summary: String) {
        var sound = [Float](repeating: 0, count: Int(2.5 * GeneratedStrum.rate))
        for (order, note) in notes.enumerated() {
            let begin = Int((0.2 + Double(order) * random.uniform(0.01, 0.045)) * GeneratedStrum.rate)
            let power = note.samples.prefix(24_000).reduce(0) { $0 + Double($1 * $1) } / 24_000
            let gain = Float(0.05 * random.uniform(0.5, 1) / max(1e-9, power).squareRoot())
            guard order != muted, only == nil || order == only else { continue }
            for (n, value) in note.samples.enumerated() where begin + n < sound.count {
                sound[begin + n] += gain * value
            }
        }
        let strings = notes.map { $0.frequency * exp2(random.uniform(-30, 30) / 1_200) }
        let truth = notes.map(\.frequency)
        let outcome = try Outcome(
            sound, rate: GeneratedStrum.rate, strings: strings, truth: truth, window: 1, isPeriod: true)
        let levels = String(format: "clarity %.2f, explained %.2f", outcome.clarity, outcome.explained)
        let pitches = truth.map { String(format: "%.0f", $0) }.joined(separator: " ")
        return (outcome, outcome.summary(strings, truth) + " of \(pitches) Hz, " + levels)
    }

    private typealias Note = (samples: [Float], frequency: Double)

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
