package import Music

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
    /// How many sounds were timed apart from each other, where their waveforms are unknown.
    package private(set) var kinds = 1
    /// Clicks that `jitter` and `drift` leave out, since their place is less exact than that of the others.
    package private(set) var uncompared = 0

    /// Clicks that were due at a steady interval, beginning with the first one.
    ///
    /// Each click is compared with the one before it, so that a slow drift does not lose count.
    ///
    /// - Parameters:
    ///   - heard: the times of the clicks, ascending, from any origin.
    ///   - interval: the time from one click to the next.
    ///   - tolerance: how far from its place a click may be and still count, as a fraction of `interval`, below 1/2.
    ///   - kinds: the sound of each click. Each is compared with its own line, and all have one slope, since the distance
    ///     between the instants of two unknown sounds is itself unknown. Clicks of no kind count, and are left out of
    ///     `jitter` and `drift`, unless they are most.
    ///
    /// `nil` when fewer than three clicks fit.
    package init?(heard: [Duration], interval: Duration, tolerance: Double = 0.25, kinds: [Int?]? = nil) {
        let (heard, interval) = (heard.map(\.inSeconds), interval.inSeconds)
        let kinds = kinds ?? [Int?](repeating: 0, count: heard.count)
        precondition(kinds.count == heard.count, "each click has a kind or none")
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
        var pairs = [(due: 0.0, heard: heard[begin], kind: kinds[begin])]
        var (beat, extra) = (0, begin)
        for (time, kind) in zip(heard, kinds).dropFirst(begin + 1) {
            if let beats = fits(pairs[pairs.count - 1].heard, time) {
                beat += beats
                pairs.append((Double(beat) * interval, time, kind))
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
        var (pairs, extra, next) = ([(due: Double, heard: Double, kind: Int?)](), 0, 0)
        var (firstMatch, lastMatch) = (Int.max, -1)
        for (time, exact) in zip(places ?? heard, heard) {
            while next < due.count, due[next] < time - tolerance { next += 1 }
            guard next < due.count, due[next] <= time + tolerance else {
                extra += 1
                continue
            }
            // The nearer one of two neighbours.
            if next + 1 < due.count, (due[next + 1] - time).magnitude < (due[next] - time).magnitude { next += 1 }
            pairs.append((due[next].inSeconds, exact.inSeconds, 0))
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

    init?(pairs: [(due: Double, heard: Double, kind: Int?)], lost: Int, extra: Int) {
        guard pairs.count >= 3 else { return nil }
        var compared = pairs.filter { $0.kind != nil }
        if compared.count < max(3, pairs.count / 2) { compared = pairs.map { ($0.due, $0.heard, 0) } }
        // A sound that occurs once has a line of its own, which it lies on.
        let single = Dictionary(grouping: compared) { $0.kind ?? 0 }.filter { $0.value.count < 3 }.keys
        compared.removeAll { single.contains($0.kind ?? 0) }
        if compared.count < 3 { compared = pairs.map { ($0.due, $0.heard, 0) } }
        // The means of each kind are subtracted; one slope is left for all.
        let groups = Dictionary(grouping: compared) { $0.kind ?? 0 }
        var points: [(x: Double, y: Double)] = []
        var first = (due: 0.0, late: 0.0)
        for group in groups.values {
            let count = Double(group.count)
            var (due, late) = (0.0, 0.0)
            for pair in group {
                due += pair.due / count
                late += (pair.heard - pair.due) / count
            }
            for pair in group { points.append((pair.due - due, pair.heard - pair.due - late)) }
            if group.contains(where: { $0.due == compared[0].due }) { first = (due, late) }
        }
        let spread: Double = points.reduce(0.0) { $0 + $1.x * $1.x }
        let product: Double = points.reduce(0.0) { $0 + $1.x * $1.y }
        let slope = spread > 0 ? product / spread : 0
        let distances: [Double] = points.map { $0.y - slope * $0.x }
        let freedom = Double(max(1, points.count - groups.count - 1))
        let variance: Double = distances.reduce(0.0) { $0 + $1 * $1 } / freedom
        (clicks, self.lost, self.extra) = (pairs.count, lost, extra)
        drift = PartsPerMillion(slope * 1e6)
        driftStandardError = PartsPerMillion(spread > 0 ? (variance / spread).squareRoot() * 1e6 : .infinity)
        offset = .seconds(first.late + slope * (pairs[0].due - first.due))
        jitter = .seconds(variance.squareRoot())
        worst = .seconds(distances.map { abs($0) }.max() ?? 0)
        kinds = groups.count
        uncompared = pairs.count - compared.count
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
