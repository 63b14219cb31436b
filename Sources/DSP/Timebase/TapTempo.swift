/// A tempo from taps: a running estimate that forgives a missed and a doubled tap, and follows a real change.
///
/// Each tap is given a place on a grid of beats, and a straight line through the last taps gives the period: with n taps
/// of jitter σ its error falls with n^(3/2), not with n as that of the mean interval. A tap that lies two, three or four
/// periods after the last is a tap after missed ones. One sooner than 140 ms after another, and less than half of what the
/// intervals around it are, is a bounce of the finger: it counts for nothing, at the start as well. A run of five taps that
/// close is a tempo all the same.
///
/// The old taps are forgotten when two to eight intervals in a row agree with each other and lie beside the older ones by
/// more than the jitter explains: from about 8 % within four taps, from 15 % within three. So they are after a pause: 3
/// seconds and more than four periods, or 6 seconds at any tempo, so that 10 beats per minute are the slowest.
///
///     var taps = TapTempo()
///     if let estimate = taps.tap(at: seconds) { show(estimate.tempo) }
public struct TapTempo: Sendable {
    /// What the taps say.
    public struct Estimate: Sendable, Hashable {
        /// Beats per minute.
        public let beatsPerMinute: Double
        /// The standard error of it, from how far the taps lie beside their line; 0 with two taps.
        public let standardError: Double
        /// How many taps it rests on.
        public let tapCount: Int

        /// The tempo as the plan has it, rounded to a tenth; `nil` if it lies outside 1 to 1,000.
        public var tempo: Tempo? {
            guard beatsPerMinute.isFinite, beatsPerMinute < 2_000 else { return nil }
            return Ratio(Int64((beatsPerMinute * 10).rounded()), 10).flatMap(Tempo.init(checked:))
        }
    }

    /// The taps the estimate rests on: place on the grid and time in seconds.
    private var taps: [(place: Double, seconds: Double)] = []
    /// The newest taps, as far as they fitted nowhere.
    private var strays: [Double] = []
    /// The newest taps, as far as each came sooner after the one before than a hand taps again.
    private var bounces: [Double] = []

    /// 16 taps: four bars of four, after which more only makes it slow to follow.
    private static let mostTaps = 16
    /// 3 seconds are a pause for whom they are more than four periods and a half; 6 seconds for everybody.
    private static let (shortestPause, longestPause) = (3.0, 6.0)
    /// 60 ms: 1,000 beats per minute, faster than fingers.
    private static let shortestInterval = 0.06
    /// One hand taps 400 beats per minute, 150 ms, at the most; 10 ms for its jitter.
    private static let longestBounce = 0.14
    /// A hand that keeps a beat stays within a few percent; 18 % off is not that beat.
    private static let tolerance = 0.18
    /// Two or three taps do not know the period that well themselves.
    private var tolerance: Double { taps.count < 4 ? 0.3 : Self.tolerance }

    /// No taps yet.
    public init() {}

    /// Forgets all taps.
    public mutating func reset() {
        taps.removeAll(keepingCapacity: true)
        strays.removeAll(keepingCapacity: true)
        bounces.removeAll(keepingCapacity: true)
    }

    /// Takes a tap.
    ///
    /// - Parameter seconds: when it came, on a clock that only goes forwards. A time that is not finite or lies before
    ///   the last is ignored.
    /// - Returns: the estimate, as soon as there are two taps that are no bounces.
    @discardableResult public mutating func tap(at seconds: Double) -> Estimate? {
        guard seconds.isFinite else { return estimate }
        guard let last = taps.last else {
            begin(seconds)
            return nil
        }
        let latest = max(last.seconds, strays.last ?? last.seconds, bounces.last ?? last.seconds)
        guard seconds > latest else { return estimate }
        let period = period
        if isPause(seconds - latest, period: period) {
            begin(seconds)
            return nil
        }
        if seconds - latest < Self.longestBounce, period.map({ seconds - last.seconds < $0 / 2 }) ?? true {
            bounce(seconds, after: last.seconds)
            return estimate
        }
        settleBounces(before: seconds, after: last.seconds)
        if let period = self.period, let last = taps.last {
            place(seconds, after: last, period: period)
        } else {
            taps.append((1, seconds))
        }
        return estimate
    }

    /// What the taps so far say; `nil` with fewer than two.
    public var estimate: Estimate? {
        guard let (period, error) = fit else { return nil }
        // The error of 60 / period, to first order.
        return Estimate(
            beatsPerMinute: 60 / period, standardError: 60 / (period * period) * error, tapCount: taps.count)
    }

    private var period: Double? { fit?.period }

    /// The first tap of a new count.
    private mutating func begin(_ seconds: Double) {
        reset()
        taps.append((0, seconds))
    }

    private func isPause(_ gap: Double, period: Double?) -> Bool {
        gap > Self.longestPause || gap > Self.shortestPause && period.map { gap > 4.5 * $0 } ?? false
    }

    /// A tap too soon after another. Four such intervals that are even are the tempo of two hands.
    private mutating func bounce(_ seconds: Double, after last: Double) {
        bounces.append(seconds)
        let run = Array(([last] + bounces).suffix(5))
        guard run.count == 5 else { return }
        if zip(zip(run, run.dropFirst()), run.dropFirst(2)).allSatisfy({ isSteady($0.0, $0.1, $1) }) {
            count(run)
        } else {
            bounces.removeFirst()
        }
    }

    /// Decides, at the next tap that is none, what those were that came so soon. Where no tempo is known yet and the interval
    /// that follows is about as short, they were taps.
    private mutating func settleBounces(before next: Double, after last: Double) {
        guard let newest = bounces.last else { return }
        let interval = newest - (bounces.dropLast().last ?? last)
        // A bounce b after each tap leaves period - b: b below 0.41 of the period is below 0.7 of that.
        if taps.count == 1, interval >= Self.shortestInterval, interval > 0.7 * (next - newest) {
            count([last] + bounces)
        }
        bounces.removeAll(keepingCapacity: true)
    }

    /// Counts from these taps alone, one beat each.
    private mutating func count(_ times: some Sequence<Double>) {
        taps = times.enumerated().map { (Double($0.offset), $0.element) }
        strays.removeAll(keepingCapacity: true)
        bounces.removeAll(keepingCapacity: true)
    }

    private mutating func place(_ seconds: Double, after last: (place: Double, seconds: Double), period: Double) {
        let newest = ([last.seconds] + strays).suffix(2) + [seconds]
        if newest.count == 3, isSteady(newest[newest.startIndex], newest[newest.startIndex + 1], seconds) {
            // Two intervals that agree with each other and not with the estimate: the new tempo.
            count(newest)
            return
        }
        let beats = (seconds - last.seconds) / period
        let nearest = beats.rounded()
        guard nearest >= 1, nearest <= 4, abs(beats - nearest) <= tolerance else {
            strays = strays.suffix(1) + [seconds]
            return
        }
        // Half of the tempo looks like every second tap missed. Three times in a row it is the tempo.
        taps.append((last.place + nearest, seconds))
        strays.removeAll(keepingCapacity: true)
        if taps.count > Self.mostTaps { taps.removeFirst() }
        forgetMultiples()
        forgetOldTempo()
    }

    /// Leaves the taps since the tempo changed, if it did: since the place where two lines fit best, if the slopes of them
    /// differ by more than 4.5 standard errors and each new interval lies on the side of the new slope.
    private mutating func forgetOldTempo() {
        var best: (first: Int, residual: Double)?
        for length in 2...8 where taps.count >= length + 2 {
            let first = taps.count - 1 - length
            guard let old = Self.line(through: taps[...first]), let new = Self.line(through: taps[first...]) else {
                continue
            }
            // What hands shake by, 3 % of a period, as if seen in six taps, and what these did.
            let expected = max(0.03 * old.period, min(0.015, 0.05 * old.period))
            let freedom = Double(max(0, first - 1))
            let variance = (6 * expected * expected + old.residual) / (6 + freedom)
            let places = taps[taps.count - 1].place - taps[first].place
            let change = (taps[taps.count - 1].seconds - taps[first].seconds) / places - old.period
            let spread = variance * (2 / (places * places) + 1 / old.squares)
            guard change * change > 4.5 * 4.5 * spread else { continue }
            let agree = zip(taps[first...], taps[(first + 1)...]).allSatisfy { tap, next in
                let deviation = (next.seconds - tap.seconds) / (next.place - tap.place) - old.period
                return deviation * change > change * change / 4
            }
            let residual = old.residual + new.residual
            if agree, residual < best?.residual ?? .infinity { best = (first, residual) }
        }
        if let best { taps.removeFirst(best.first) }
    }

    /// Whether three taps lie evenly, faster than fingers bounce.
    private func isSteady(_ first: Double, _ second: Double, _ third: Double) -> Bool {
        let (before, after) = (second - first, third - second)
        return min(before, after) >= Self.shortestInterval
            && abs(after - before) <= Self.tolerance * max(before, after)
    }

    /// Three steps of the same multiple in a row are a slower tempo, not missed taps.
    private mutating func forgetMultiples() {
        guard taps.count >= 4 else { return }
        let steps = zip(taps.suffix(4), taps.suffix(3)).map { $1.place - $0.place }
        guard let step = steps.first, step > 1, steps.allSatisfy({ $0 == step }) else { return }
        taps = taps.suffix(4).enumerated().map { (Double($0.offset), $0.element.seconds) }
    }

    /// The period, and the standard error of it.
    private var fit: (period: Double, error: Double)? {
        guard let line = Self.line(through: taps[...]) else { return nil }
        guard taps.count > 2 else { return (line.period, 0) }
        return (line.period, (line.residual / Double(taps.count - 2) / line.squares).squareRoot())
    }

    /// The line of least squares through taps: its slope, the squares of what lies beside it, and of the places about their
    /// mean.
    private static func line(
        through taps: ArraySlice<(place: Double, seconds: Double)>
    ) -> (period: Double, residual: Double, squares: Double)? {
        guard taps.count >= 2, let first = taps.first else { return nil }
        let count = Double(taps.count)
        // Relative to the first tap: clocks that have run for years would cost digits.
        let origin = first.seconds
        let meanPlace = taps.reduce(0) { $0 + $1.place } / count
        let meanTime = taps.reduce(0) { $0 + ($1.seconds - origin) } / count
        var (squares, products) = (0.0, 0.0)
        for tap in taps {
            squares += (tap.place - meanPlace) * (tap.place - meanPlace)
            products += (tap.place - meanPlace) * (tap.seconds - origin - meanTime)
        }
        guard squares > 0, products > 0 else { return nil }
        let period = products / squares
        let residual = taps.reduce(0) { sum, tap in
            let distance = tap.seconds - origin - meanTime - period * (tap.place - meanPlace)
            return sum + distance * distance
        }
        return (period, residual, squares)
    }
}
