import Foundation
import WellTempered

/// What the detector heard in one recording.
struct Outcome {
    let file: SoundWithOnsets
    /// Refined onsets, and when the first report of each came, in seconds.
    let heard: [(onset: Onset, first: Double)]
    /// Pairs of a true onset and one that was heard, at most 50 ms apart, each once.
    let pairs: [(truth: Int, heard: Int)]

    init(file: SoundWithOnsets) throws {
        var detector = try OnsetDetector(sampleRate: file.rate.hertz)
        var heard: [(Onset, Double)] = []
        var first: [Int: Int64] = [:]
        for start in stride(from: 0, to: file.samples.count, by: 1_000) {
            detector.process(Array(file.samples[start..<min(start + 1_000, file.samples.count)]).span)
            while let onset = detector.nextOnset() {
                switch onset.stage {
                case .first: first[onset.number] = onset.toldAt
                case .refined: heard.append((onset, Double(first[onset.number] ?? onset.toldAt) / file.rate))
                }
            }
        }
        self.file = file
        self.heard = heard
        var pairs: [(Int, Int)] = []
        var (i, j) = (0, 0)
        while i < file.onsets.count && j < heard.count {
            let (truth, time) = (file.onsets[i], heard[j].0.frame / file.rate)
            if abs(truth - time) <= 0.05 {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if truth < time {
                i += 1
            } else {
                j += 1
            }
        }
        self.pairs = pairs
    }

    /// Lateness of a pair in milliseconds.
    func error(_ pair: (truth: Int, heard: Int)) -> Double {
        1_000 * (heard[pair.heard].onset.frame / file.rate - file.onsets[pair.truth])
    }

    /// One line per onset: hit, false or missed.
    func list() {
        let hits = Dictionary(uniqueKeysWithValues: pairs.map { ($0.heard, $0) })
        for (index, report) in heard.enumerated() {
            let onset = report.onset
            let told = String(
                format: "%.4f s strength %.2f %@ ± %.2f ms", onset.frame / file.rate, onset.strength,
                onset.kind == .sharp ? "sharp" : "soft", onset.uncertainty / .milliseconds(1))
            print(file.name, hits[index].map { String(format: "hit %+.2f ms", error($0)) } ?? "false", told)
        }
        let found = Set(pairs.map(\.truth))
        for index in file.onsets.indices where !found.contains(index) {
            print(file.name, "missed", String(format: "%.4f s", file.onsets[index]))
        }
    }
}
