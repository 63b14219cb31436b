import Foundation
import WellTempered

/// Real notes with exactly known pitch: recordings taken apart into partials and put together again on a known phase,
/// so that attack, decay, breath and room are real.
///
/// The folder holds `index.csv` (note, family, kind, hz, onset40_s, onset20_s, prev_hz, variants), `truth/NOTE.csv`
/// (time_s, f0_hz, period_hz, level_db) and `NOTE.VARIANT.wav` or `.flac`.
struct RealNoteRows {
    let folder: String
    let listener: Listener
    let isVerbose: Bool
    var only = ""

    private struct Heard { var name, family, variant: String, hertz: Double, outcome: RealNoteOutcome }

    func rows(_ table: inout Table) throws {
        let all = try hear(["amp", "full", "room", "ring"])
        let plain = all.filter { $0.variant == "amp" || $0.variant == "full" }
        let lag = commonLag(plain)
        print("best common lag \(Int(1_000 * lag + 0.5)) ms")
        table.note(
            "group, notes", "lock50 p90 never | lock5 | wrong gross missed | rms rms10 jitter (p90) | in1 in2 se")
        summary(&table, "all", plain, lag)
        for family in ["plucked", "struck", "bowed", "blown", "sung"] {
            summary(&table, family, plain.filter { $0.family == family }, lag)
        }
        summary(&table, "below 110 Hz", plain.filter { $0.hertz < 110 }, lag)
        summary(&table, "above 500 Hz", plain.filter { $0.hertz > 500 }, lag)
        for variant in ["room", "ring"] { summary(&table, variant, all.filter { $0.variant == variant }, lag) }
        if isVerbose { for note in all { tell(note, lag) } }
    }

    private func hear(_ variants: [String]) throws -> [Heard] {
        var heard: [Heard] = []
        for row in try readTable(folder + "/index.csv") {
            guard let name = row["note"], let family = row["family"], let hertz = row["hz"].flatMap(Double.init),
                let audible = row["onset40_s"].flatMap(Double.init), let onset = row["onset20_s"].flatMap(Double.init),
                let has = row["variants"]?.split(separator: " ").map(String.init)
            else { continue }
            if !only.isEmpty && !name.contains(only) { continue }
            for variant in variants where has.contains(variant) {
                // How far below its peak a note must be heard: not below the noise of the room or the note before.
                let least = variant == "room" ? -25.0 : variant == "ring" ? -10 : -40
                guard
                    let truth = try RealNoteTruth(
                        file: "\(folder)/truth/\(name).csv", audible: audible, onset: onset,
                        isMelody: row["kind"] == "melody", least: least)
                else { continue }
                let path = "\(folder)/\(name).\(variant)"
                let file = FileManager.default.fileExists(atPath: path + ".flac") ? path + ".flac" : path + ".wav"
                let (samples, rate) = try readSound(file)
                var listener = listener.with(window: 0.3)
                listener.rate = rate
                let previous = variant == "ring" ? row["prev_hz"].flatMap(Double.init) ?? 0 : 0
                let outcome = RealNoteOutcome(try listener(samples), rate: rate, truth: truth, previous: previous)
                heard.append(Heard(name: name, family: family, variant: variant, hertz: hertz, outcome: outcome))
            }
        }
        return heard
    }

    /// The delay in seconds that makes the errors of all notes least.
    private func commonLag(_ notes: [Heard]) -> Double {
        var (best, least) = (0.0, Double.infinity)
        for lag in stride(from: 0.0, through: 0.1201, by: 0.002) {
            let costs = notes.map { $0.outcome.errors(lag: lag) }.filter { !$0.isEmpty }.map { errors in
                log(0.05 + (errors.reduce(0) { $0 + min($1 * $1, 2_500) } / Double(errors.count)).squareRoot())
            }
            let cost = costs.reduce(0, +) / Double(max(1, costs.count))
            if cost < least { (best, least) = (lag, cost) }
        }
        return best
    }

    private func summary(_ table: inout Table, _ name: String, _ notes: [Heard], _ lag: Double) {
        guard !notes.isEmpty else { return }
        let outcomes = notes.map(\.outcome)
        let (lock, fine) = (outcomes.compactMap(\.lock), outcomes.compactMap(\.fineLock))
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
        let jitter = outcomes.compactMap { $0.jitter(lag: lag) }
        table.note(
            "\(name), \(notes.count)",
            String(
                format: "%3.0f %4.0f %2d | %3.0f | %5.2f %5.2f %5.2f | %5.2f %5.2f %5.2f (%4.1f) | %3.0f %3.0f %6.3f",
                percentile(lock, 0.5), percentile(lock, 0.9), lock.count { $0 == .infinity }, percentile(fine, 0.5),
                mean(outcomes.compactMap(\.wrong)), mean(outcomes.compactMap(\.gross)),
                mean(outcomes.compactMap(\.missed)), percentile(outcomes.compactMap { $0.rms(lag: lag) }, 0.5),
                percentile(outcomes.compactMap { $0.rms(lag: 0.01) }, 0.5), percentile(jitter, 0.5),
                percentile(jitter, 0.9), mean(outcomes.compactMap { $0.honest(within: 1, lag: lag) }),
                mean(outcomes.compactMap { $0.honest(within: 2, lag: lag) }),
                percentile(outcomes.compactMap(\.medianError), 0.5)))
    }

    private func tell(_ note: Heard, _ lag: Double) {
        let o = note.outcome
        print(
            String(
                format:
                    "    %@ %@ %@ %.1f Hz lock %.0f fine %.0f wrong %.0f gross %.2f missed %.2f rms %.3f rms10 %.3f "
                    + "jitter %.3f in1 %.0f in2 %.0f se %.3f", note.family, note.name, note.variant, note.hertz,
                o.lock ?? -1, o.fineLock ?? -1, o.wrong ?? -1, o.gross ?? -1, o.missed ?? -1, o.rms(lag: lag) ?? -1,
                o.rms(lag: 0.01) ?? -1, o.jitter(lag: lag) ?? -1, o.honest(within: 1, lag: lag) ?? -1,
                o.honest(within: 2, lag: lag) ?? -1, o.medianError ?? -1))
    }
}

/// The rows of a comma-separated file without quotes, by the names in its first line.
func readTable(_ path: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
    guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) else { return [] }
    return lines.dropFirst().map { line in
        var row: [String: String] = [:]
        for (name, value) in zip(header, line.split(separator: ",", omittingEmptySubsequences: false)) {
            row[String(name)] = String(value)
        }
        return row
    }
}
