internal import AudioIO
internal import FoundationEssentials
internal import TerminalUI

extension CardCalibration {
    /// One line: `"default", listening at 48000 Hz, runs 12.34 ppm fast ± 0.45`.
    var text: String {
        let way = direction == .capture ? "listening" : "playing"
        let error = rateError.value
        let speed =
            abs(error) < 0.005
            ? "runs true" : "runs \(fixedPoint(abs(error), decimals: 2)) ppm \(error > 0 ? "fast" : "slow")"
        return "\"\(device)\", \(way) at \(sampleRate) Hz, \(speed) ± \(fixedPoint(standardError.value, decimals: 2))"
    }

    /// The same for a musician.
    var meaning: String {
        let cents = fixedPoint(abs(Cents(from: 1.hertz, to: rateError.ratio.hertz).value), decimals: 3)
        let perHour = fixedPoint(abs(rateError.value) * 3.6e-3, decimals: 3)
        return "\(cents) cents, or \(perHour) seconds in an hour"
    }

    /// The date of the measurement, in ISO 8601.
    var date: String { isoDate(measuredAt) }

    /// The result as a JSON object.
    func json(kept path: String?) -> String {
        JSON.object([
            ("clock_disciplined", "\(clockWasDisciplined)"), ("device", JSON.quoted(device)),
            ("direction", JSON.quoted(direction.rawValue)), ("kept", path.map(JSON.quoted)),
            ("measured_at", JSON.quoted(date)), ("ppm", JSON.exact(rateError.value)), ("rate", "\(sampleRate)"),
            ("seconds", JSON.exact(observed.inSeconds)), ("standard_error_ppm", JSON.exact(standardError.value)),
        ])
    }
}

extension LatencyCalibration {
    /// One line for people.
    var text: String {
        func milliseconds(_ time: Duration) -> String { fixedPoint(time.inSeconds * 1_000, decimals: 2) + " ms" }
        return "from \"\(output)\" to \"\(input)\": \(milliseconds(roundTrip)) round trip, "
            + "\(milliseconds(hidden)) of it not reported by the devices (sd \(milliseconds(deviation)), "
            + "\(clicks) clicks)"
    }

    /// The same as a JSON object.
    func json(kept path: String) -> String {
        JSON.object([
            ("clicks", "\(clicks)"), ("hidden_s", JSON.exact(hidden.inSeconds)), ("input", JSON.quoted(input)),
            ("kept", JSON.quoted(path)), ("measured_at", JSON.quoted(isoDate(measuredAt))),
            ("output", JSON.quoted(output)), ("round_trip_s", JSON.exact(roundTrip.inSeconds)),
            ("sd_s", JSON.exact(deviation.inSeconds)),
        ])
    }
}

extension SystemClock.Discipline {
    /// What that means for a measured rate, in a sentence.
    var meaning: String {
        switch self {
        case .timeService:
            "a time service disciplines the system clock, so the rate is measured against true time"
        case .free:
            "no time service disciplines the system clock, so the rate is measured against the computer's own crystal, "
                + "which may itself be tens of ppm off: turn on NTP and calibrate again"
        case .unknown:
            "the system does not report whether a time service disciplines its clock: the rate is as accurate as that clock"
        }
    }
}

private func isoDate(_ secondsSince1970: Int64) -> String {
    Date(timeIntervalSince1970: Double(secondsSince1970)).formatted(.iso8601)
}
