internal import AudioIO
internal import FoundationEssentials
internal import TerminalUI

extension LatencyCalibration {
    /// One line for people.
    var text: String {
        func milliseconds(_ seconds: Double) -> String { fixedPoint(seconds * 1_000, decimals: 2) + " ms" }
        return "from \"\(output)\" to \"\(input)\": \(milliseconds(roundTripSeconds)) round trip, "
            + "\(milliseconds(hiddenSeconds)) of it not reported by the devices (sd \(milliseconds(deviationSeconds)), "
            + "\(clicks) clicks)"
    }

    /// The same as a JSON object.
    func json(kept path: String) -> String {
        line(
            JSONResult(
                output: output, input: input, round_trip_s: roundTripSeconds, hidden_s: hiddenSeconds,
                sd_s: deviationSeconds, clicks: clicks, kept: path,
                measured_at: Date(timeIntervalSince1970: Double(measuredAt)).formatted(.iso8601)))
    }

    private struct JSONResult: Encodable {
        let output: String
        let input: String
        let round_trip_s: Double
        let hidden_s: Double
        let sd_s: Double
        let clicks: Int
        let kept: String
        let measured_at: String
    }
}
