import ArgumentParser
import AudioIO
import Foundation
@_spi(Measurement) import Rhythm
import Rivals
import WellTempered

/// `bench clicks`: where the clicks of an hour lie, in files that `metronome` and klick write.
struct ClickTimes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks", abstract: "Error, jitter and drift of an hour of rendered clicks, ours beside klick's.")
    @OptionGroup var options: MeasureOptions
    @Option(help: "The folder with the command `metronome`.") var commands: String
    @Option(help: "Minutes.") var minutes = 60

    private struct Track {
        let name: String
        let tempo: String
        let command: [String]
        let file: String
        let color: Int
        let isDrawn: Bool
    }

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clicks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let hasKlick = Shell.has("klick")
        var tracks: [Track] = []
        for tempo in ["97.3", "120"] {
            let file = folder.appending(path: "ours-\(tempo).wav").path()
            let ours = [
                commands + "/metronome", "1/4", tempo, "-r", "48000", "--for", "\(60 * minutes)s", "--bits", "16",
            ]
            for (name, more) in [("metronome", []), ("metronome --whole-samples", ["--whole-samples"])] {
                tracks.append(
                    Track(
                        name: name, tempo: tempo, command: ours + more + ["--render", file], file: file, color: 0,
                        isDrawn: tempo == "97.3" && more.isEmpty))
            }
            guard hasKlick else { continue }
            let other = folder.appending(path: "klick-\(tempo).wav").path()
            let beats = Int(Double(minutes) * (Double(tempo) ?? 120))
            tracks.append(
                Track(
                    name: "klick -W", tempo: tempo,
                    command: ["klick", "-r", "48000", "-W", other, "\(beats)", "1/4", tempo], file: other, color: 1,
                    isDrawn: tempo == "97.3"))
        }
        var (rows, series, summary) = ([[String]](), [Chart.Series](), [String]())
        for track in tracks {
            _ = try Shell.output(of: track.command)
            defer { try? FileManager.default.removeItem(atPath: track.file) }
            let interval = 60 / (Double(track.tempo) ?? 120)
            let heard = try Self.clicks(in: track.file)
            guard abs(Double(heard.count) - 60 * Double(minutes) / interval) <= 1 else {
                throw ValidationError("\(track.name): \(heard.count) clicks found in its file, at \(heard.prefix(4))")
            }
            let errors = heard.enumerated().map { 1e6 * ($1 - heard[0] - Double($0) * interval) }
            let line = Self.line(errors, interval: interval)
            let worst = errors.map(abs).max() ?? 0
            rows.append([
                "\(track.name) \(track.tempo)", grouped(Double(heard.count)), Self.signed(line.drift),
                Self.micro(line.jitter), Self.micro(worst),
                Self.signed(errors[errors.count - 1]),
            ])
            if track.isDrawn {
                series.append(
                    Chart.Series(
                        name: track.color == 0 ? "metronome" : "klick -W", color: track.color,
                        points: errors.enumerated().filter { $0.offset % 13 == 0 }.map {
                            [Double($0.offset) * interval / 60, $0.element]
                        }))
                summary.append(
                    "\(track.name) \(track.tempo), \(minutes) minutes: no click more than \(short(worst)) µs from its "
                        + "place, drift \(Self.signed(line.drift)) ppm.")
            }
        }
        let missing = hasKlick ? "" : " klick: skipped, it is not here: apt-get install klick."
        let chart = Chart(
            file: "clock-drift.svg", title: "Where the clicks of an hour at 97.3 lie",
            x: Chart.Axis("minutes", stride(from: 0, through: Double(minutes), by: Double(minutes) / 6).map { $0 }),
            y: Chart.Axis("microseconds late", [-160, -120, -80, -40, 0, 40].map(Double.init)), series: series)
        try Part(
            tables: [
                Part.Table(
                    title: "Error, jitter and drift of clicks, beside klick",
                    text:
                        "Every click of \(minutes) minutes in a 16-bit file at 48 kHz, found by its waveform to a "
                        + "fraction of a frame (20.8 µs) and held against k · 60 s / tempo from the first. Jitter: "
                        + "standard deviation about the fitted line." + missing,
                    columns: ["", "clicks", "drift ppm", "jitter µs", "worst µs", "last µs"], rows: rows,
                    command: "bench clicks")
            ],
            charts: [chart], summary: summary
        ).save(as: "clicks", in: options.results)
    }

    /// What is below a nanosecond is rounding of ours.
    private static func micro(_ value: Double) -> String { value < 1e-3 ? "0" : short(value) }

    private static func signed(_ value: Double) -> String {
        let text = short(abs(value) < 5e-7 ? 0 : value)
        return value > 0 && text != "0" ? "+" + text : text.replacing("-", with: "−")
    }

    /// The straight line through the errors of regular clicks, in microseconds: its slope in parts per million, and the
    /// standard deviation about it.
    private static func line(_ errors: [Double], interval: Double) -> (drift: Double, jitter: Double) {
        let count = Double(errors.count)
        let (middle, mean) = ((count - 1) / 2, errors.reduce(0, +) / count)
        var (spread, product) = (0.0, 0.0)
        for (index, error) in errors.enumerated() {
            let x = (Double(index) - middle) * interval
            (spread, product) = (spread + x * x, product + x * (error - mean))
        }
        let drift = product / spread
        let squares = errors.enumerated().reduce(0.0) { sum, error in
            let rest = error.element - mean - drift * (Double(error.offset) - middle) * interval
            return sum + rest * rest
        }
        // Two parameters of the line.
        return (drift, (squares / (count - 2)).squareRoot())
    }

    /// Seconds at which the clicks of a file begin, the first one's waveform being what is looked for.
    private static func clicks(in path: String) throws -> [Double] {
        var reader = try AudioFileReader(path: path)
        let (rate, lead) = (48_000.0, 4_800)
        var block = [Float](repeating: 0, count: 65_536)
        var finder: ClickFinder?
        var found: [Double] = []
        while true {
            var span = block.mutableSpan
            let read = try reader.read(into: &span)
            if read.isEnd { break }
            if finder == nil {
                guard let first = block.firstIndex(where: { abs($0) > 1e-3 }) else { continue }
                // 5 ms: the attack, which is what tells the time.
                finder = ClickFinder(click: Array(block[first..<(first + 240)]), threshold: 0.8, spacing: 12_000)
                // Silence before it: a peak has something on both sides.
                found += (finder?.process([Float](repeating: 0, count: lead).span) ?? []).map { $0.position / rate }
            }
            let clicks = finder?.process(block.span.extracting(0..<read.count)) ?? []
            found += clicks.map { $0.position / rate }
        }
        return found + (finder?.finish() ?? []).map { $0.position / rate }
    }
}
