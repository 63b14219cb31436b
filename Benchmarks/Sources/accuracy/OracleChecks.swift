import Figures
import RealNotes

/// Whether the filter that jitter is compared with is the best one, where the best one is known.
struct OracleChecks {
    let seed: UInt64

    /// 100,000 hops, of which one in 24 is new after the longest filter: they tell a root mean square to 1.1 %. The bounds are
    /// four times as wide, about what straight taps lose: 1.2 % of jitter, 0.01 % of error.
    private static let hops = 100_000

    func rows(_ table: inout Table) {
        still(&table)
        wandering(&table)
    }

    /// A pitch that stands still in white noise. Of L taps that sum to 1, a parabola changes least:
    /// by √(12 / (L (L+1) (L+2))).
    private func still(_ table: inout Table) {
        var numbers = SeededNumbers(seed: seed)
        let noise = (0..<Self.hops).map { _ in numbers.normal() }
        let truth = [Double](repeating: 0, count: Self.hops)
        let length = Double(LinearOracle.nodes[LinearOracle.nodes.count - 1])
        let oracle = oracle(noise, truth, limit: .infinity)
        let least = (12 / (length * (length + 1) * (length + 2))).squareRoot()
        table.row(
            "oracle: jitter of a still pitch over the least", oracle.jitter / least, from: 0.97, to: 1.056,
            unit: "times")
    }

    /// A pitch that takes random steps of variance q in white noise of variance 1. Kalman's filter leaves P / (P + 1), where
    /// P = (q + √(q² + 4q)) / 2.
    private func wandering(_ table: inout Table) {
        var numbers = SeededNumbers(seed: seed &+ 1)
        let variance = 0.1
        var truth = [0.0]
        for _ in 1..<Self.hops { truth.append(truth[truth.count - 1] + variance.squareRoot() * numbers.normal()) }
        let raw = truth.map { $0 + numbers.normal() }
        let ahead = (variance + (variance * variance + 4 * variance).squareRoot()) / 2
        let least = (ahead / (ahead + 1)).squareRoot()
        // No filter reaches 0: then it is the one of the least error.
        table.row(
            "oracle: error of a random walk over Kalman's", oracle(raw, truth, limit: 0).rms / least, from: 0.956,
            to: 1.044, unit: "times")
        let limited = oracle(raw, truth, limit: 1.2 * least)
        table.row(
            "oracle: error over the limit it was given", limited.rms / (1.2 * least), from: 0.999, to: 1, unit: "times")
        table.row(
            "oracle: jitter with 1.2 times the least error", limited.jitter / oracle(raw, truth, limit: 0).jitter,
            from: 0, to: 1, unit: "times")
    }

    private func oracle(_ raw: [Double], _ truth: [Double], limit: Double) -> LinearOracle {
        let first = LinearOracle.nodes[LinearOracle.nodes.count - 1]
        let judged = Array(first..<raw.count)
        let goal = Array(truth[first...])
        return LinearOracle(raw: raw, at: judged, truth: goal, later: goal, limit: limit)
    }
}
