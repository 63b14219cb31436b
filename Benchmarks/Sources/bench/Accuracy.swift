import ArgumentParser
import Figures
import Foundation
import Kernels
import Rivals

/// Where results go, and how Praat is reached.
struct MeasureOptions: ParsableArguments {
    @Option(help: "A folder: leave the results there for `bench report`.") var results: String?
    @Option(help: "A Python that has parselmouth.") var python = "python3"

    /// Ours on two windows, and whoever of the rivals is here, aubio on these windows; the names of those who are not.
    func ears(aubio windows: [Int]) -> (here: [Ear], missing: [String]) {
        let rivals = [
            (Ear.aubio(windows: windows), Aubio.howToInstall), (Praat.ears(python: python), Praat.howToInstall),
            (Ear.lingot(), Lingot.howToInstall),
        ]
        return (
            [Ear.ours(window: 4_096), Ear.ours(window: 14_400)] + rivals.flatMap(\.0),
            rivals.filter(\.0.isEmpty).map(\.1)
        )
    }
}

/// `bench accuracy`: ours and the rivals on the same steady tones in noise.
struct AccuracyBesideRivals: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy", abstract: "The error of steady tones in noise, ours beside the rivals'.")
    @OptionGroup var options: MeasureOptions
    @Option(help: "How many tones.") var tones = 48

    private static let decibels = [60, 50, 40, 30, 20, 10, 5, 0]

    /// Errors of one detector at one noise, of all tones together.
    private struct Score {
        var (readings, wrong, missed) = (0, 0, 0)
        /// How far off in cents, of those within 50.
        var good: [Double] = []

        mutating func add(_ heard: [Heard], truth: TestTone) {
            for reading in heard {
                let cents = reading.hertz > 0 ? 1_200 * log2(reading.hertz / truth.frequency) : .nan
                readings += 1
                missed += cents.isNaN ? 1 : 0
                wrong += abs(cents) > 50 ? 1 : 0
                guard abs(cents) <= 50 else { continue }
                good.append(abs(cents))
            }
        }
        var error: Double { good.isEmpty ? .nan : (good.reduce(0) { $0 + $1 * $1 } / Double(good.count)).squareRoot() }
        func share(_ count: Int) -> String { short(100 * Double(count) / Double(max(1, readings))) + " %" }
    }

    /// The bound of all tones together, in cents.
    private func bound(_ truths: [TestTone], window: Int) -> Double {
        (truths.reduce(0) { $0 + pow($1.bound(window: window), 2) } / Double(truths.count)).squareRoot()
    }

    func run() throws {
        var source = SeededNumbers(seed: 20)
        let frequencies = (0..<tones).map { _ in exp(source.uniform(log(30.868), log(4_186))) }
        let (ears, missing) = options.ears(aubio: [4_096])
        var scores = [[Score]](repeating: [Score](repeating: Score(), count: Self.decibels.count), count: ears.count)
        var bounds: [[Double]] = []
        for (row, decibels) in Self.decibels.enumerated() {
            let truths = frequencies.enumerated().map { index, frequency in
                var tone = TestTone(frequency: frequency)
                (tone.decibelsOverNoise, tone.seed) = (Double(decibels), UInt64(100 * index + decibels))
                return tone
            }
            bounds.append(ears.map { bound(truths, window: $0.window) })
            let sounds = truths.map { $0.block(48_000) }
            for (column, ear) in ears.enumerated() {
                for (truth, heard) in zip(truths, try ear.listen(sounds)) {
                    let steady = heard.filter { Double($0.frame) >= 0.35 * Ear.rate && $0.frame <= 48_000 }
                    scores[column][row].add(steady, truth: truth)
                }
            }
        }
        try part(ears, scores, bounds, missing).save(as: "accuracy", in: options.results)
    }

    /// How well a root mean square of so many windows side by side is known, in percent: 1 / √(2 n).
    private func spread(_ window: Int) -> Int {
        Int((100 / (2 * 0.65 * Ear.rate / Double(window) * Double(tones)).squareRoot()).rounded())
    }

    private func part(_ ears: [Ear], _ scores: [[Score]], _ bounds: [[Double]], _ missing: [String]) -> Part {
        let shown = [60, 40, 20, 10, 0].compactMap { Self.decibels.firstIndex(of: $0) }
        let (twenty, ten, zero) = (shown[2], shown[3], shown[4])
        let ours = scores[0][twenty].error
        let columns =
            ["", "window"] + shown.map { "\(Self.decibels[$0]) dB" }
            + [
                "20 dB median", "over ours at 85 ms", "times the bound", "wrong 20 dB", "wrong 10 dB", "wrong 0 dB",
                "none 0 dB",
            ]
        let rows = ears.indices.map { index in
            let (ear, scores) = (ears[index], scores[index])
            return [ear.name, "\(Int((1_000 * Double(ear.window) / Ear.rate).rounded())) ms"]
                + shown.map { short(scores[$0].error) }
                + [
                    short(median(scores[twenty].good)), short(scores[twenty].error / ours),
                    short(scores[twenty].error / bounds[twenty][index]),
                ]
                + [twenty, ten, zero].map { scores[$0].share(scores[$0].wrong) }
                + [scores[zero].share(scores[zero].missed)]
        }
        let names = ["ours, 85 ms", "ours, 0.3 s"] + ears.dropFirst(2).map(\.name)
        var series = ears.indices.map { column in
            Chart.Series(
                name: names[column], color: Chart.color(of: names[column]),
                points: Self.decibels.indices.map { row in
                    [Double(Self.decibels[row]), scores[column][row].error]
                })
        }
        for (index, name) in ["bound, 85 ms", "bound, 0.3 s"].enumerated() {
            series.append(
                Chart.Series(
                    name: name, color: -1,
                    points: zip(Self.decibels, bounds).map { [Double($0), $1[index]] }))
        }
        let chart = Chart(
            file: "error-against-noise.svg", title: "Error of a steady tone against noise",
            x: Chart.Axis("tone over white noise, decibels", Self.decibels.dropLast(2).map(Double.init) + [0]),
            y: Chart.Axis(
                "error, cents (rms)", [0.0001, 0.001, 0.01, 0.1, 1, 10], from: 0.00005, to: 20, isLogarithmic: true),
            series: series)
        let rivals = zip(ears, scores).dropFirst(2).map { ear, scores in
            (
                "\(ear.name) on \(1_000 * ear.window / Int(Ear.rate)) ms", scores[twenty].error,
                median(scores[twenty].good)
            )
        }
        let nobody = ("no rival", Double.nan, Double.nan)
        let (best, error, _) = rivals.min { $0.1 < $1.1 } ?? nobody
        let (typical, _, middle) = rivals.min { $0.2 < $1.2 } ?? nobody
        return Part(
            tables: [
                Part.Table(
                    title: "Steady tones in white noise, beside the rivals",
                    text:
                        "Root mean square error in cents of the readings of \(tones) tones from B0 to C8 (20 partials 1/k, "
                        + "seconds 0.35 to 1) that are within 50 cents, by decibels of tone over noise (of 0 to 24 "
                        + "kHz). The bound is Cramér and Rao's for the same tones and the detector's own window; so many "
                        + "tones tell the error itself to \(spread(4_096)) % (85 ms) or \(spread(14_400)) % (300 ms). "
                        + "\"20 dB median\": of the same readings' errors without sign, where a few bad notes do not "
                        + "count. \"over ours at 85 ms\": the error at 20 dB over ours on that window, also of those "
                        + "that have a longer one. \"wrong\": more than 50 cents away; \"none\": no pitch told. Same "
                        + "sound for all, a reading every 256 samples at 48 kHz; Praat works on the whole recording, "
                        + "\"very accurate\" is a setting of its own, with a window twice as long; lingot has its default settings but for the range, and for its FFT where one is named. "
                        + missing.map { $0 + ". " }.joined(),
                    columns: columns, rows: rows, command: "bench accuracy")
            ],
            charts: [chart],
            summary: [
                "Steady tones 20 dB over noise, 85 ms window: \(short(ours)) cents, "
                    + "\(short(scores[0][twenty].error / bounds[twenty][0])) times the Cramér-Rao bound; the best rival here, "
                    + "\(best), \(short(error)) cents. The median error: \(short(median(scores[0][twenty].good))) cents; "
                    + "the best rival's, \(typical), \(short(middle)) cents."
            ])
    }
}
