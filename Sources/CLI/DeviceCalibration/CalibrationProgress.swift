package import AudioIO
internal import FoundationEssentials
package import Music
internal import TerminalUI

/// The progress of a calibration.
public struct CalibrationProgress: Sendable {
    /// The length of the measurement in seconds, since the last break.
    public let seconds: Double
    /// The rate's error so far; `nil` in the first two seconds.
    package let error: PartsPerMillion?
    /// The standard error of that.
    package let standardError: PartsPerMillion?
    /// Xruns and other breaks. Each of them restarts the measurement.
    public let breaks: Int
    /// Nominal frames per second.
    public let sampleRate: Int

    /// The progress by a stream's report.
    package init(_ report: StreamReport) {
        seconds = report.rate.observed.inSeconds
        (error, standardError) = (report.rate.error, report.rate.standardError)
        let statistics = report.statistics
        breaks = statistics.xruns + statistics.discontinuities + statistics.suspensions + statistics.reopenings
        sampleRate = report.rate.sampleRate
    }

    /// Before ten seconds the standard error itself is too uncertain to end by it.
    public static let fewestSeconds = 10.0

    /// Whether two standard errors are within `precision`.
    package func isWithin(_ precision: PartsPerMillion) -> Bool {
        guard let standardError, seconds >= Self.fewestSeconds else { return false }
        return 2 * standardError.value <= precision.value
    }

    /// One line, the same width for the same device: `   23 s    +12.34 ppm ± 0.45   48000.592 Hz`.
    public var text: String {
        let time = padded(fixedPoint(seconds, decimals: 0), to: 5) + " s  "
        let tail = breaks > 0 ? "  \(breaks) break\(breaks == 1 ? "" : "s"), restarted" : ""
        guard let error, let standardError else { return time + "listening to the clock" + tail }
        return time + padded(fixedPoint(error.value, decimals: 2, signed: true), to: 9) + " ppm ± "
            + fixedPoint(standardError.value, decimals: 2) + "  "
            + padded(fixedPoint(Double(sampleRate) * error.ratio, decimals: 3), to: 11) + " Hz" + tail
    }

    /// The same as a JSON object.
    public var json: String {
        line(JSONLine(seconds: seconds, ppm: error?.value, standard_error_ppm: standardError?.value, breaks: breaks))
    }

    private struct JSONLine: Encodable {
        let seconds: Double
        let ppm: Double?
        let standard_error_ppm: Double?
        let breaks: Int
    }
}

extension CardCalibration {
    /// One line: `"default", listening at 48000 Hz, runs 12.34 ppm fast ± 0.45`.
    package var text: String {
        let way = direction == .capture ? "listening" : "playing"
        let error = rateError.value
        let speed =
            abs(error) < 0.005
            ? "runs true" : "runs \(fixedPoint(abs(error), decimals: 2)) ppm \(error > 0 ? "fast" : "slow")"
        return "\"\(device)\", \(way) at \(sampleRate) Hz, \(speed) ± \(fixedPoint(standardError.value, decimals: 2))"
    }

    /// The same for a musician.
    var meaning: String {
        let cents = fixedPoint(abs(1_200 * rateError.value * 1e-6 / 0.693_147), decimals: 3)
        let perHour = fixedPoint(abs(rateError.value) * 3.6e-3, decimals: 3)
        return "\(cents) cents, or \(perHour) seconds in an hour"
    }

    /// The date of the measurement, in ISO 8601.
    var date: String { Date(timeIntervalSince1970: Double(measuredAt)).formatted(.iso8601) }

    /// The result as a JSON object.
    func json(kept path: String?) -> String {
        line(
            JSONResult(
                device: device, direction: direction.rawValue, rate: sampleRate, ppm: rateError.value,
                standard_error_ppm: standardError.value, seconds: observedSeconds,
                clock_disciplined: clockWasDisciplined, measured_at: date, kept: path))
    }

    private struct JSONResult: Encodable {
        let device: String
        let direction: String
        let rate: Int
        let ppm: Double
        let standard_error_ppm: Double
        let seconds: Double
        let clock_disciplined: Bool
        let measured_at: String
        let kept: String?
    }
}

/// A value as one line of JSON.
internal func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
}
