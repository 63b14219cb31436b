import Foundation

/// The causal linear filter that would have followed a pitch most steadily, had it been known before.
///
///     f[n] = Σ_j h_j z[n - j],   Σ h_j = 1,   minimise Σ (e[n] - e[n-1])² subject to mean e² ≤ limit²,   e = f - truth
///
/// The taps h are straight between `nodes`: jitter is made of the steps from tap to tap. The filter is fitted to the very
/// readings that it is judged by, so no filter of fixed taps in this space changes less at that root mean square. What
/// could: gains that vary with time, since the noise of what decays grows; what is not linear; sound from later than the
/// reading, beyond the delay.
public struct LinearOracle: Sendable {
    /// The root mean square of the error.
    public let rms: Double
    /// That of its change from reading to reading.
    public let jitter: Double
    /// Whether no filter comes down to the limit: then this is the one of the least error.
    public let isBeyondLimit: Bool

    /// Hops of the past at which a tap is free; at the last one it is zero. 256 ms in all, twelve unknowns: with some
    /// 170 readings a note, what the fit has of them by chance is 1 - 12/170 of the power, 4 % of the amplitude.
    public static let nodes = [0, 1, 2, 3, 4, 6, 8, 11, 15, 21, 28, 37, 48]

    /// - Parameters:
    ///   - raw: z, of every hop.
    ///   - indices: the hops that are judged, in rising order; none may have less than 48 hops before it.
    ///   - truth: what the filter should have said at each of them.
    ///   - later: the truth by which the change of the error is judged, which may be of another delay.
    ///   - limit: the greatest root mean square of the error; infinity for none.
    public init(raw: [Double], at indices: [Int], truth: [Double], later: [Double], limit: Double) {
        let unknowns = Self.nodes.count - 2
        let rows = indices.map { Self.means(of: raw, at: $0) }
        // Σ h = 1 takes one unknown: the first mean is what the others are compared with.
        let features = rows.map { row in (1...unknowns).map { row[$0] - row[0] } }
        let targets = zip(rows, truth).map { $1 - $0[0] }
        let pairs = indices.indices.dropFirst().filter { indices[$0] == indices[$0 - 1] + 1 }
        let level = NormalEquations(features, targets)
        let change = NormalEquations(
            pairs.map { n in (0..<unknowns).map { features[n][$0] - features[n - 1][$0] } },
            pairs.map { n in later[n] - later[n - 1] - rows[n][0] + rows[n - 1][0] })
        // From where only the jitter counts to where only the error does.
        var (low, high) = (-8.0, 8.0)
        func solution(_ exponent: Double) -> [Double] {
            let weight = exponent <= -8 ? 0 : pow(10, exponent)
            return NormalEquations.solve(change, level, weight: weight)
        }
        isBeyondLimit = level.rms(of: solution(high)) > limit
        if level.rms(of: solution(low)) > limit, !isBeyondLimit {
            for _ in 0..<40 {
                let middle = (low + high) / 2
                if level.rms(of: solution(middle)) > limit { low = middle } else { high = middle }
            }
        } else if !isBeyondLimit {
            high = low
        }
        let taps = solution(high)
        (rms, jitter) = (level.rms(of: taps), change.rms(of: taps))
    }

    /// The means of z about each node, weighed by a triangle that reaches to its neighbours.
    private static func means(of raw: [Double], at index: Int) -> [Double] {
        (0..<(nodes.count - 1)).map { node in
            let (before, middle, after) = (node == 0 ? -1 : nodes[node - 1], nodes[node], nodes[node + 1])
            var (sum, weights) = (0.0, 0.0)
            for lag in (before + 1)..<after {
                let weight =
                    lag <= middle
                    ? Double(lag - before) / Double(middle - before) : Double(after - lag) / Double(after - middle)
                sum += weight * raw[index - lag]
                weights += weight
            }
            return sum / weights
        }
    }
}
