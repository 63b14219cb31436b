import Figures
import Foundation
import WellTempered

extension RealRows {
    /// Strums mixed here from single plucked notes of the folder, of which no composite is made: the recordings on which
    /// the engine's constants are chosen, so that the composites stay unseen.
    func printMixed(in table: inout Table) throws {
        var pool: [Note] = []
        for row in try rows() where row.count > 19 && row[4] == "note" {
            let isPlucked = ["guitar", "bass_electric", "bass_fretless", "ukulele_ortega"].contains {
                row[3].hasPrefix($0)
            }
            guard isPlucked, row[3] != "guitar_nylon_kyster", let frequency = Double(row[10]),
                frequency > 60, frequency < 700
            else { continue }
            let (samples, rate) = try readSound("\(folder)/\(row[0])")
            guard rate == GeneratedStrum.rate else { continue }
            guard let from = Double(row[18]), let to = Double(row[19]) else { continue }
            let note = Note(samples: samples, frequency: frequency, steady: from..<to)
            pool.append(note)
            if isVerbose { Swift.print("  \(row[0]):", note.summary) }
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
        Swift.print(
            """
            Mixed strums: the truth is the first partial and the period of each recording alone, from where it is steady to
            where the strum's window ends. An error is the lesser of that of the first partial and that of the period.
            """)
        print(Score(strums), "mixed strums, 1 s", in: &table)
        func show(_ errors: [Double], _ name: String) {
            let within = Double(errors.count { $0 < 5 }) / Double(max(1, errors.count))
            table.row("mixed strums, 1 s: \(name), median error", percentile(errors, 0.5), unit: "cents")
            table.row("mixed strums, 1 s: \(name), within 5 cents", 100 * within, unit: "%")
        }
        show(strums.flatMap(\.firstErrors), "first partial alone")
        show(strums.flatMap(\.periodErrors), "period alone")
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
        var pitches: [RecordedPitch] = []
        for (order, note) in notes.enumerated() {
            let delay = Double(order) * random.uniform(0.01, 0.045)
            let begin = Int((0.2 + delay) * GeneratedStrum.rate)
            pitches.append(note.pitch(until: 1 - delay))
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
            sound, rate: GeneratedStrum.rate, strings: strings, truth: truth, window: 1, recorded: pitches)
        let levels = String(format: "clarity %.2f, explained %.2f", outcome.clarity, outcome.explained)
        let nominal = truth.map { String(format: "%.0f", $0) }.joined(separator: " ")
        return (outcome, outcome.summary(strings, truth) + " of \(nominal) Hz, " + levels)
    }

    /// A recording, the frequency of its period by the manifest in hertz, and the seconds between which it is steady.
    private struct Note {
        let samples: [Float]
        let frequency: Double
        let steady: Range<Double>

        /// - Parameter end: seconds from the start of the recording: no more is in the strum's window.
        func pitch(until end: Double) -> RecordedPitch {
            let rate = GeneratedStrum.rate
            let stretch = Int(steady.lowerBound * rate)..<Int(min(steady.upperBound, end) * rate)
            return RecordedPitch(of: samples, in: stretch, near: frequency, rate: rate)
        }

        /// For people.
        var summary: String {
            let pitch = pitch(until: 1)
            let beside = [pitch.first, pitch.period].map { Cents(from: frequency.hertz, to: $0.hertz).value }
            return String(
                format: "manifest %.2f Hz, %.2f s to 1 s: first partial %+.2f, period %+.2f cents beside it", frequency,
                steady.lowerBound, beside[0], beside[1])
        }
    }
}
