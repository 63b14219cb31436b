import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

/// What the detector heard in one recording.
struct Outcome {
    let name: String
    let rate: Double
    /// The true onsets in seconds.
    let truths: [Double]
    /// Refined onsets, and when the first report of each came, in seconds.
    let heard: [(onset: Onset, first: Double)]
    /// Pairs of a true onset and one that was heard, at most 50 ms apart, each once.
    let pairs: [(truth: Int, heard: Int)]
    /// In minutes.
    let length: Double

    /// The detector alone.
    init(_ file: SoundWithOnsets, _ constants: OnsetConstants) throws {
        var detector = try OnsetDetector(sampleRate: file.rate.hertz, constants: constants)
        var reports = Reports()
        for start in stride(from: 0, to: file.samples.count, by: 1_000) {
            detector.process(Array(file.samples[start..<min(start + 1_000, file.samples.count)]).span)
            reports.take(from: &detector)
        }
        self.init(
            name: file.name, rate: file.rate, truths: file.onsets, reports: reports,
            within: 0...Double(file.samples.count) / file.rate)
    }

    /// The detector after the canceller. What counts is between the count-in and 0.6 s before the end.
    ///
    /// - Parameters:
    ///   - level: of the click over the playing in decibels; without one there is no click.
    ///   - isCancelled: whether the canceller runs.
    ///   - isPlaying: whether the player is heard.
    init(
        _ take: Take, _ constants: OnsetConstants, level: Double?, isCancelled: Bool = true, isPlaying: Bool = true
    ) throws {
        let gain = level.map { Float(pow(10, $0 / 20)) } ?? 0
        var detector = try OnsetDetector(sampleRate: take.rate.hertz, constants: constants)
        var canceller = try ClickCanceller(sampleRate: take.rate.hertz, sounds: take.sounds)
        var reports = Reports()
        var next = 0
        for start in stride(from: 0, to: take.player.count, by: 256) {
            let end = min(start + 256, take.player.count)
            while next < take.clicks.count, take.clicks[next].frame < Int64(end) + 4_800 {
                canceller.expect(take.clicks[next].sound, at: take.clicks[next].frame)
                next += 1
            }
            var block = (start..<end).map { n in
                (isPlaying ? take.player[n] : 0) + gain * take.bleed[n] + take.noise[n]
            }
            if isCancelled {
                var samples = block.mutableSpan
                canceller.process(&samples)
                detector.process(block.span, after: canceller)
            } else {
                detector.process(block.span)
            }
            reports.take(from: &detector)
        }
        let end = Double(take.player.count) / take.rate - 0.6
        self.init(
            name: take.name, rate: take.rate, truths: isPlaying ? take.onsets.filter { $0 < end } : [],
            reports: reports, within: take.start - 0.1...end)
    }

    private init(name: String, rate: Double, truths: [Double], reports: Reports, within: ClosedRange<Double>) {
        let heard = reports.heard.filter { within.contains($0.onset.frame / rate) }
        var pairs: [(Int, Int)] = []
        var (i, j) = (0, 0)
        while i < truths.count && j < heard.count {
            let (truth, time) = (truths[i], heard[j].onset.frame / rate)
            if abs(truth - time) <= 0.05 {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if truth < time {
                i += 1
            } else {
                j += 1
            }
        }
        (self.name, self.rate, self.truths, self.pairs) = (name, rate, truths, pairs)
        self.heard = heard.map { ($0.onset, Double($0.first) / rate) }
        length = (within.upperBound - max(0, within.lowerBound)) / 60
    }

    /// The part of the name before its number.
    var instrument: String { String(name.prefix { $0 != "_" }) }

    /// Lateness of a pair in milliseconds.
    func error(_ pair: (truth: Int, heard: Int)) -> Double {
        1_000 * (heard[pair.heard].onset.frame / rate - truths[pair.truth])
    }

    /// One line per onset: hit, false or missed.
    func list() {
        let hits = Dictionary(uniqueKeysWithValues: pairs.map { ($0.heard, $0) })
        for (index, report) in heard.enumerated() {
            let onset = report.onset
            let told = String(
                format: "%.4f s strength %.2f %@ ± %.2f ms", onset.frame / rate, onset.strength,
                onset.kind == .sharp ? "sharp" : "soft", onset.uncertainty / .milliseconds(1))
            print(name, hits[index].map { String(format: "hit %+.2f ms", error($0)) } ?? "false", told)
        }
        let found = Set(pairs.map(\.truth))
        for index in truths.indices where !found.contains(index) {
            print(name, "missed", String(format: "%.4f s", truths[index]))
        }
    }
}

/// The reports of a detector, each note's two together.
private struct Reports {
    private(set) var heard: [(onset: Onset, first: Int64)] = []
    private var first: [Int: Int64] = [:]

    mutating func take(from detector: inout OnsetDetector) {
        while let onset = detector.nextOnset() {
            switch onset.stage {
            case .first: first[onset.number] = onset.toldAt
            case .refined: heard.append((onset, first[onset.number] ?? onset.toldAt))
            }
        }
    }
}
