import Figures
import Foundation
import RealNotes
import WellTempered

/// Real notes and noises from a folder with a `manifest.csv` of at least these columns: file, kind (note or noise),
/// flag, consensus_hz, steady_from_s, steady_to_s.
struct Recordings {
    let folder: String
    let listener: Listener
    let isVerbose: Bool

    func rows(_ table: inout Table) throws {
        let lines = try String(contentsOfFile: folder + "/manifest.csv", encoding: .utf8).split(
            whereSeparator: \.isNewline)
        guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) else { return }
        var (readings, voiced, gross, notes) = (0, 0, 0, 0)
        var (wrong, missing): ([String], [String]) = ([], [])
        var (calm, noisy) = (0, 0)
        for line in lines.dropFirst() {
            var row: [String: String] = [:]
            for (name, value) in zip(header, line.split(separator: ",", omittingEmptySubsequences: false)) {
                row[String(name)] = String(value)
            }
            guard let file = row["file"], let kind = row["kind"], kind == "note" || kind == "noise" else { continue }
            let (samples, rate) = try readSound(folder + "/" + file)
            var listener = listener.with(window: 0.3)
            listener.rate = rate
            let heard = try listener(samples)
            if kind == "noise" {
                let share = 100 * Double(heard.count { $0.state == .voiced }) / Double(max(1, heard.count))
                if file.contains("speech") {
                    table.note("speech, vowels and all, voiced: \(file.prefix(30))", String(format: "%.1f %%", share))
                } else {
                    noisy += 1
                    if share <= 1 { calm += 1 }
                    table.note("noise voiced: \(file.prefix(36))", String(format: "%.1f %%", share))
                }
                continue
            }
            guard row["flag"] == "" || row["flag"] == "short", let truth = row["consensus_hz"].flatMap(Double.init),
                let from = row["steady_from_s"].flatMap(Double.init), let to = row["steady_to_s"].flatMap(Double.init)
            else { continue }
            notes += 1
            let steady = heard.filter { Double($0.frame) / rate >= from && Double($0.frame) / rate <= to }
            let cents = steady.filter { $0.state == .voiced }.map { 1_200 * log2($0.frequency.value / truth) }
            readings += steady.count
            voiced += cents.count
            gross += cents.count { abs($0) > 50 }
            if 2 * cents.count < steady.count { missing.append(file) }
            let median = RealNotes.percentile(cents, 0.5)
            if abs(median) > 50 { wrong.append(file) }
            if isVerbose {
                table.note(
                    String(file.prefix(50)),
                    String(
                        format: "%.2f c, %d gross, %d missed of %d", median, cents.count { abs($0) > 50 },
                        steady.count - cents.count, steady.count))
            }
        }
        table.note("recordings", "\(notes) notes, \(noisy) noises")
        table.row("real notes: readings gross", 100 * Double(gross) / Double(max(1, readings)), atMost: 0.7, unit: "%")
        table.row(
            "real notes: readings missed", 100 * Double(readings - voiced) / Double(max(1, readings)), atMost: 2.5,
            unit: "%")
        table.row("real notes: wrong", Double(wrong.count), atMost: 0, unit: "notes")
        for file in wrong { table.note("  wrong:", file) }
        for file in missing { table.note("  missed:", file) }
        table.row("real noises voiced more than 1 %", Double(noisy - calm), atMost: 0, unit: "files")
    }
}
