internal import AudioIO
internal import Glibc
internal import TerminalUI

/// The progress of a calibration.
struct CalibrationProgress {
    /// The length of the measurement in seconds, without breaks.
    let seconds: Double
    /// How much faster than its label the card runs, so far; `nil` in the first two seconds.
    let error: PartsPerMillion?
    private let standardError: PartsPerMillion?
    /// Xruns and other breaks, over which nothing is measured.
    private let breaks: Int
    private let sampleRate: Int

    init(_ report: StreamReport) {
        seconds = report.rate.observed.inSeconds
        (error, standardError) = (report.rate.error, report.rate.standardError)
        let statistics = report.statistics
        breaks = statistics.xruns + statistics.discontinuities + statistics.suspensions + statistics.reopenings
        sampleRate = report.rate.sampleRate
    }

    /// Whether two standard errors are within `precision`.
    func isWithin(_ precision: Double) -> Bool {
        // Before ten seconds the standard error itself is too uncertain.
        guard let standardError, seconds >= 10 else { return false }
        return 2 * standardError.value <= precision
    }

    /// How much of the measurement is done, from 0 to 1, and the seconds that are left; `nil` in the first two seconds.
    ///
    /// The standard error of a slope falls with the power -1.5 of the time; more slowly where breaks cut it into pieces.
    ///
    /// - Parameters:
    ///   - precision: what two standard errors should come to, in ppm.
    ///   - end: the seconds after which it stops anyway; `nil` for none.
    func estimate(to precision: Double, end: Double?) -> (share: Double, left: Double)? {
        guard let standardError, seconds > 0 else { return nil }
        let needed = seconds * pow(max(1e-9, 2 * standardError.value / precision), 2.0 / 3)
        let whole = min(max(10, needed), end ?? .infinity)
        return (min(1, seconds / whole), max(0, whole - seconds))
    }

    /// One line, the same width for the same device: `   23 s    +12.34 ppm ± 0.45   48000.592 Hz`.
    var text: String {
        let time = padded(fixedPoint(seconds, decimals: 0), to: 5) + " s  "
        let tail = breaks > 0 ? "  \(breaks) break\(breaks == 1 ? "" : "s")" : ""
        guard let error, let standardError else { return time + "measuring the clock" + tail }
        return time + padded(fixedPoint(error.value, decimals: 2, signed: true), to: 9) + " ppm ± "
            + fixedPoint(standardError.value, decimals: 2) + "  "
            + padded(fixedPoint(Double(sampleRate) * error.ratio, decimals: 3), to: 11) + " Hz" + tail
    }

    /// The same as a JSON object.
    var json: String {
        JSON.object([
            ("breaks", "\(breaks)"), ("ppm", JSON.exact(error?.value)), ("seconds", JSON.exact(seconds)),
            ("standard_error_ppm", JSON.exact(standardError?.value)),
        ])
    }
}

/// Shows the progress: a line that is redrawn on a terminal, a line per second in a pipe.
struct CalibrationScreen: ~Copyable {
    var output = StandardOutput()
    var keyboard = Keyboard()
    private var live = LiveLine()
    private let json: Bool
    private let redraws: Bool
    private var shownSecond = -1

    init(json: Bool) {
        self.json = json
        redraws = output.isTerminal && !json
        if output.isTerminal { keyboard.open() }
    }

    /// Shows the progress.
    ///
    /// - Parameters:
    ///   - wanted: what two standard errors should come to, in ppm.
    ///   - end: the seconds after which the measurement stops anyway; `nil` for none.
    mutating func show(_ progress: CalibrationProgress, wanted: Double, end: Double?) throws(OutputClosed) {
        guard !redraws else {
            let left = progress.estimate(to: wanted, end: end).map {
                "\(Int($0.share * 100)) %, about \(Int($0.left.rounded(.up))) s left; "
            }
            let hint = "  (\(left ?? "")until ± \(fixedPoint(wanted / 2, decimals: 2)); q ends)"
            return try live.draw(progress.text + hint, on: &output)
        }
        let second = Int(progress.seconds.rounded())
        guard second != shownSecond, progress.error != nil else { return }
        shownSecond = second
        try output.print(lines: [json ? progress.json : progress.text])
    }

    /// Restores the terminal.
    mutating func close() throws(OutputClosed) {
        keyboard.close()
        try live.end(on: &output)
    }
}
