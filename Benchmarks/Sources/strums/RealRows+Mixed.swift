import Figures
import Foundation
import WellTempered

extension RealRows {
    /// Strums mixed here from single plucked notes of the folder, of which no composite is made: the recordings on which
    /// the engine's constants are chosen, so that the composites stay unseen.
    func printMixed(in table: inout Table) throws {
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
            let first = row.count > 20 ? Double(row[20]) : nil
            pool.append((samples, frequency, first ?? frequency))
        }
        pool.sort { $0.frequency < $1.frequency }
        var random = SeededNumbers(seed: seed &+ 5)
        // Of its own, so that the strums of a seed stay the same.
        var randomOfNotes = SeededNumbers(seed: seed &+ 6)
        var strums: [Outcome] = []
        var (said, silent, missed, sounding, taken, found) = (0, 0, 0, 0, 0, 0)
        for index in 0..<count where pool.count >= 4 {
            let chosen = choose(from: pool, &random)
            let (outcome, summary) = try mixed(chosen, &random)
            strums.append(outcome)
            found += heard(outcome, chosen)
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
        let strings = Double(max(1, strums.reduce(0) { $0 + $1.errors.count }))
        table.row("mixed strums, 1 s: of period or first partial", 100 * Double(found) / strings, unit: "%")
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

    /// With the frequencies of the period and of the first partial in hertz.
    private typealias Note = (samples: [Float], frequency: Double, first: Double)

    /// How many strings are heard within 5 cents of their period, of their first partial or of what lies between, as the recordings
    /// have them: one has its first partial 5 cents above the period, as no law of a string does.
    private func heard(_ outcome: Outcome, _ notes: [Note]) -> Int {
        zip(notes, zip(outcome.signed, outcome.isHeard)).count { note, found in
            let first = Cents(from: note.frequency.hertz, to: note.first.hertz).value
            return found.1 && found.0 > min(0, first) - 5 && found.0 < max(0, first) + 5
        }
    }
}
