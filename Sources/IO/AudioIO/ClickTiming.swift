internal import Glibc

/// How well clicks kept time: what was heard, held against when it was due.
public struct ClickTiming: Sendable, Hashable {
    /// Clicks heard where they were due.
    public let clicks: Int
    /// Due and not heard, between the first and the last that were.
    public let lost: Int
    /// Heard and not due.
    public let extra: Int
    /// How much slower than due the clicks were: above zero they came later and later.
    public let drift: PartsPerMillion
    /// The standard error (one σ) of `drift`.
    public let driftStandardError: PartsPerMillion
    /// How late the first click was by the fitted line, in seconds.
    public let offsetSeconds: Double
    /// The standard deviation of single clicks about the fitted line, in seconds.
    public let jitterSeconds: Double
    /// The largest distance of a click from the fitted line, in seconds.
    public let worstSeconds: Double

    /// Times of clicks that were due every `interval` seconds, from wherever the first one is.
    ///
    /// Each click is held against the one before it, so that a slow drift does not lose count.
    ///
    /// - Parameters:
    ///   - heard: in seconds, ascending.
    ///   - tolerance: how far from its place a click may be to count as the one that was due, as a part of `interval`.
    ///
    /// `nil` when fewer than three clicks fit: then there is nothing to say about time.
    public init?(heard: [Double], interval: Double, tolerance: Double = 0.25) {
        guard interval > 0, tolerance > 0, tolerance < 0.5 else { return nil }
        // The beginning: the first click that has another one at its distance, so not an extra one.
        func fits(_ first: Double, _ second: Double) -> Int? {
            let beats = ((second - first) / interval).rounded()
            guard beats >= 1, beats < 1e9, abs(second - first - beats * interval) <= tolerance * interval else {
                return nil
            }
            return Int(beats)
        }
        guard
            let begin = heard.indices.first(where: { i in
                heard[(i + 1)...].prefix(4).contains { fits(heard[i], $0) == 1 }
            })
        else { return nil }
        var pairs = [(due: 0.0, heard: heard[begin])]
        var (beat, extra) = (0, begin)
        for time in heard[(begin + 1)...] {
            if let beats = fits(pairs[pairs.count - 1].heard, time) {
                beat += beats
                pairs.append((Double(beat) * interval, time))
            } else {
                extra += 1
            }
        }
        self.init(pairs: pairs, lost: beat + 1 - pairs.count, extra: extra)
    }

    /// Times of clicks that were due at `due`, both in seconds of one clock and ascending.
    ///
    /// - Parameters:
    ///   - heard: when clicks were heard.
    ///   - due: when they were due.
    ///   - tolerance: how far from its place a click may be, in seconds; at most half of the shortest interval.
    ///   - places: what decides which one was meant, as many as `heard`, where the two clocks drift apart; `nil`: `heard`.
    ///
    /// `nil` when fewer than three clicks fit.
    public init?(heard: [Double], due: [Double], tolerance: Double, places: [Double]? = nil) {
        var (pairs, extra, next) = ([(due: Double, heard: Double)](), 0, 0)
        var (firstMatch, lastMatch) = (Int.max, -1)
        for (time, exact) in zip(places ?? heard, heard) {
            while next < due.count, due[next] < time - tolerance { next += 1 }
            guard next < due.count, due[next] <= time + tolerance else {
                extra += 1
                continue
            }
            // The nearer of two neighbours.
            if next + 1 < due.count, abs(due[next + 1] - time) < abs(due[next] - time) { next += 1 }
            pairs.append((due[next], exact))
            (firstMatch, lastMatch) = (min(firstMatch, next), next)
            next += 1
        }
        guard lastMatch >= firstMatch else { return nil }
        self.init(pairs: pairs, lost: lastMatch - firstMatch + 1 - pairs.count, extra: extra)
    }

    /// The time between clicks that come regularly, in seconds; `nil` where most of them do not.
    ///
    /// - Parameter heard: in seconds, ascending.
    public static func interval(of heard: [Double]) -> Double? {
        let intervals = zip(heard.dropFirst(), heard).map { $0 - $1 }.sorted()
        guard intervals.count >= 2 else { return nil }
        // The usual one, and then what the line through all of them makes of it.
        let usual = intervals[intervals.count / 2]
        guard let timing = ClickTiming(heard: heard, interval: usual, tolerance: 0.1),
            timing.extra + timing.lost < timing.clicks / 2
        else { return nil }
        return usual * timing.drift.ratio
    }

    private init?(pairs: [(due: Double, heard: Double)], lost: Int, extra: Int) {
        guard pairs.count >= 3 else { return nil }
        var fit = LineFit()
        for (due, heard) in pairs { fit.add(x: due, y: heard - due) }
        let residuals = pairs.map { $0.heard - $0.due - fit.value(at: $0.due) }
        (clicks, self.lost, self.extra) = (pairs.count, lost, extra)
        drift = PartsPerMillion(fit.slope * 1e6)
        driftStandardError = PartsPerMillion(fit.slopeStandardError * 1e6)
        offsetSeconds = fit.value(at: pairs[0].due)
        jitterSeconds = fit.residualVariance.squareRoot()
        worstSeconds = residuals.map { abs($0) }.max() ?? 0
    }
}

/// Of an angle in radians.
internal func cosine(_ angle: Double) -> Double { cos(angle) }
