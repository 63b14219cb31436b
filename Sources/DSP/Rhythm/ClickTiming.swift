package import Music
internal import Realtime

/// How well clicks kept time: when they were heard, compared with when they were due.
package struct ClickTiming: Sendable, Hashable {
    /// Clicks heard where they were due.
    package let clicks: Int
    /// Clicks due and not heard, between the first and the last that were.
    package let lost: Int
    /// Clicks heard and not due.
    package let extra: Int
    /// How much slower than due the clicks were: positive when they came later and later.
    package let drift: PartsPerMillion
    /// The standard error (one σ) of `drift`.
    package let driftStandardError: PartsPerMillion
    /// How late the first click was, by the fitted line.
    package let offset: Duration
    /// The standard deviation of single clicks about the fitted line.
    package let jitter: Duration
    /// The largest distance of a click from the fitted line.
    package let worst: Duration

    /// Clicks that were due at a steady interval, beginning with the first one.
    ///
    /// Each click is compared with the one before it, so that a slow drift does not lose count.
    ///
    /// - Parameters:
    ///   - heard: the times of the clicks, ascending, from any origin.
    ///   - interval: the time from one click to the next.
    ///   - tolerance: how far from its place a click may be and still count, as a fraction of `interval`, below 1/2.
    ///
    /// `nil` when fewer than three clicks fit.
    package init?(heard: [Duration], interval: Duration, tolerance: Double = 0.25) {
        let (heard, interval) = (heard.map(\.inSeconds), interval.inSeconds)
        guard interval > 0, tolerance > 0, tolerance < 0.5 else { return nil }
        // The number of intervals between two clicks, where that is a whole number.
        func fits(_ first: Double, _ second: Double) -> Int? {
            let beats = ((second - first) / interval).rounded()
            guard beats >= 1, beats < 1e9, abs(second - first - beats * interval) <= tolerance * interval else {
                return nil
            }
            return Int(beats)
        }
        // The beginning: the first click that another one follows at the interval, so not an extra one.
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

    /// Clicks that were due at given times.
    ///
    /// - Parameters:
    ///   - heard: the times of the clicks, ascending.
    ///   - due: when they were due, ascending, from the same origin.
    ///   - tolerance: how far from its place a click may be and still count; at most half of the shortest interval.
    ///   - places: the times by which clicks are matched, as many as `heard`, where the two clocks drift apart; `nil`:
    ///     `heard`.
    ///
    /// `nil` when fewer than three clicks fit.
    package init?(heard: [Duration], due: [Duration], tolerance: Duration, places: [Duration]? = nil) {
        var (pairs, extra, next) = ([(due: Double, heard: Double)](), 0, 0)
        var (firstMatch, lastMatch) = (Int.max, -1)
        for (time, exact) in zip(places ?? heard, heard) {
            while next < due.count, due[next] < time - tolerance { next += 1 }
            guard next < due.count, due[next] <= time + tolerance else {
                extra += 1
                continue
            }
            // The nearer one of two neighbours.
            if next + 1 < due.count, (due[next + 1] - time).magnitude < (due[next] - time).magnitude { next += 1 }
            pairs.append((due[next].inSeconds, exact.inSeconds))
            (firstMatch, lastMatch) = (min(firstMatch, next), next)
            next += 1
        }
        guard lastMatch >= firstMatch else { return nil }
        self.init(pairs: pairs, lost: lastMatch - firstMatch + 1 - pairs.count, extra: extra)
    }

    /// Whether these clicks were meant to be the ones that were due: more fit than not, and the clock is off by at most
    /// 5 %. Otherwise what fits is chance, or the tempo another.
    package var isCredible: Bool { extra <= clicks && abs(drift.value) <= 50_000 }

    /// The standard error (one σ) of `drift`, including that of the clocks.
    package func driftStandardError(withClocks clocks: PartsPerMillion) -> PartsPerMillion {
        let (line, clocks) = (driftStandardError.value, clocks.value)
        return PartsPerMillion((line * line + clocks * clocks).squareRoot())
    }

    /// The interval of regular clicks; `nil` where most of them are not regular.
    ///
    /// - Parameter heard: the times of the clicks, ascending, from any origin.
    package static func interval(of heard: [Duration]) -> Duration? {
        let intervals = zip(heard.dropFirst(), heard).map { $0 - $1 }.sorted()
        guard intervals.count >= 2 else { return nil }
        // The median, corrected by the line through all clicks.
        let median = intervals[intervals.count / 2]
        guard let timing = ClickTiming(heard: heard, interval: median, tolerance: 0.1),
            timing.extra + timing.lost < timing.clicks / 2
        else { return nil }
        return .seconds(median.inSeconds * timing.drift.ratio)
    }

    private init?(pairs: [(due: Double, heard: Double)], lost: Int, extra: Int) {
        guard pairs.count >= 3 else { return nil }
        var fit = LineFit()
        for (due, heard) in pairs { fit.add(x: due, y: heard - due) }
        let distances = pairs.map { abs($0.heard - $0.due - fit.value(at: $0.due)) }
        (clicks, self.lost, self.extra) = (pairs.count, lost, extra)
        drift = PartsPerMillion(fit.slope * 1e6)
        driftStandardError = PartsPerMillion(fit.slopeStandardError * 1e6)
        offset = .seconds(fit.value(at: pairs[0].due))
        jitter = .seconds(fit.residualVariance.squareRoot())
        worst = .seconds(distances.max() ?? 0)
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
