import CMeasurement
import Foundation
import WellTempered

/// The rows of real sounds: composites of recorded strings, and single notes and melodies.
struct RealRows {
    let folder: String
    let isVerbose: Bool

    func print(in table: inout Table) throws {
        let rows = try String(contentsOfFile: folder + "/manifest.csv", encoding: .utf8)
            .split(whereSeparator: \.isNewline).map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        var strums: [Outcome] = []
        for row in rows where row.count > 7 && row[4] == "strum" && row[7].hasPrefix("truth/") {
            let (samples, rate) = try readSound("\(folder)/\(row[0])")
            let strings = try truth("\(folder)/\(row[7])")
            let outcome = try Outcome(
                samples, rate: rate, strings: strings.map(\.nominal), truth: strings.map(\.frequency), window: 1,
                isPeriod: true)
            strums.append(outcome)
            if isVerbose {
                let errors = outcome.errors.map { String(format: "%.2f", $0) }.joined(separator: " ")
                Swift.print("  \(row[0]):", outcome.isStrum ? "strum" : "note", errors)
            }
        }
        let score = Score(strums)
        table.row("real strums, 1 s: strings within 5 cents", 100 * score.within(5), atLeast: 97)
        table.row("real strums, 1 s: median error", score.median, atMost: 0.8, unit: "cents")
        table.row("real strums, 1 s: strings beyond 50 cents", 100 * (1 - score.within(50)), atMost: 0, unit: "%")
        table.row("real strums: within two standard errors", 100 * score.covered, atLeast: 80)
        table.row("real strums taken for a note", 100 * (1 - score.taken), atMost: 1, unit: "%")
        var (sounds, taken) = (0, 0)
        for row in rows where row.count > 7 && (row[4] == "note" || row[4] == "melody") {
            let (samples, rate) = try readSound("\(folder)/\(row[0])")
            let (all, strummed) = try attacks(samples, rate)
            sounds += all
            taken += strummed
            if isVerbose && strummed > 0 { Swift.print("  \(row[0]): \(strummed) of \(all) attacks") }
        }
        let share = 100 * Double(taken) / Double(max(1, sounds))
        table.row("attacks of notes and melodies taken for a strum", share, atMost: 1, unit: "%")
    }

    /// How many sounds begin in a recording, and how many of them a guitar's strum display would show.
    private func attacks(_ samples: [Float], _ rate: Double) throws -> (all: Int, strummed: Int) {
        let guitar = [82.406_9, 110, 146.832_4, 195.997_7, 246.941_7, 329.627_6].map { $0.hertz }
        var engine = try StrumEngine(strings: guitar, sampleRate: rate.hertz)
        var (seen, strummed, start) = (Set<Int>(), Set<Int>(), 0)
        while start < samples.count {
            let end = min(samples.count, start + Int(0.01 * rate))
            engine.process(samples.span.extracting(start..<end))
            while let picture = engine.refine() {
                seen.insert(picture.strum)
                if picture.isStrum { strummed.insert(picture.strum) }
            }
            start = end
        }
        return (seen.count, strummed.count)
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

/// The first channel of a sound file.
private func readSound(_ path: String) throws -> (samples: [Float], rate: Double) {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { throw CocoaError(.fileReadUnknown) }
    defer { sf_close(file) }
    let channels = Int(info.channels)
    var samples = [Float](repeating: 0, count: Int(info.frames) * channels)
    let read = Int(sf_readf_float(file, &samples, info.frames))
    return ((0..<read).map { samples[$0 * channels] }, Double(info.samplerate))
}
