/// A tempo from taps: a running estimate that forgives a missed and a doubled tap, and follows a real change.
///
/// Each tap is given a place on a grid of beats, and a straight line through the last taps gives the period: with n taps
/// of jitter σ its error falls with n^(3/2), not with n as that of the mean interval. A tap that lies two, three or four
/// periods after the last is a tap after missed ones; one that comes sooner than 0.4 periods is a bounce of the finger.
/// Two intervals in a row that agree with each other and not with the estimate are a new tempo: the old taps are
/// forgotten. So they are after a pause.
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
    /// The last tap that fitted nowhere, if the newest did not.
    private var stray: Double?

    /// 16 taps: four bars of four, after which more only makes it slow to follow.
    private static let mostTaps = 16
    /// 3 seconds without a tap begin a new count; no tempo above 20 BPM has such a period.
    private static let longestPause = 3.0
    /// 60 ms: 1,000 beats per minute, faster than fingers.
    private static let shortestInterval = 0.06
    /// A hand that keeps a beat stays within a few percent; 18 % off is not that beat.
    private static let tolerance = 0.18
    /// Two or three taps do not know the period that well themselves.
    private var tolerance: Double { taps.count < 4 ? 0.3 : Self.tolerance }

    /// No taps yet.
    public init() {}

    /// Forgets all taps.
    public mutating func reset() {
        taps.removeAll(keepingCapacity: true)
        stray = nil
    }

    /// Takes a tap.
    ///
    /// - Parameter seconds: when it came, on a clock that only goes forwards. A time that is not finite or lies before
    ///   the last is ignored.
    /// - Returns: the estimate, as soon as there are two taps.
    @discardableResult public mutating func tap(at seconds: Double) -> Estimate? {
        guard seconds.isFinite else { return estimate }
        guard let last = taps.last else {
            taps = [(0, seconds)]
            return nil
        }
        let latest = max(last.seconds, stray ?? last.seconds)
        guard seconds > latest else { return estimate }
        if seconds - latest > Self.longestPause {
            taps = [(0, seconds)]
            stray = nil
            return nil
        }
        guard let period else {
            if seconds - last.seconds >= Self.shortestInterval { taps.append((1, seconds)) }
            return estimate
        }
        place(seconds, after: last, period: period)
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

    private mutating func place(_ seconds: Double, after last: (place: Double, seconds: Double), period: Double) {
        let beats = (seconds - last.seconds) / period
        if let stray, isSteady(last.seconds, stray, seconds) {
            // Two intervals that agree with each other and not with the estimate: the new tempo.
            taps = [(0, last.seconds), (1, stray), (2, seconds)]
            self.stray = nil
            return
        }
        if beats < 0.4 || seconds - last.seconds < Self.shortestInterval {
            // A bounce, unless the tempo has doubled and more: then the next interval will say the same.
            stray = seconds
            return
        }
        let nearest = beats.rounded()
        if nearest >= 1, nearest <= 4, abs(beats - nearest) <= tolerance {
            // Half of the tempo looks like every second tap missed. Three times in a row it is the tempo.
            taps.append((last.place + nearest, seconds))
            stray = nil
            if taps.count > Self.mostTaps { taps.removeFirst() }
            forgetMultiples()
            return
        }
        stray = seconds
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

    /// The line of least squares through the taps, and the standard error of its slope.
    private var fit: (period: Double, error: Double)? {
        guard taps.count >= 2 else { return nil }
        let count = Double(taps.count)
        // Relative to the first tap: clocks that have run for years would cost digits.
        let origin = taps[0].seconds
        let meanPlace = taps.reduce(0) { $0 + $1.place } / count
        let meanTime = taps.reduce(0) { $0 + ($1.seconds - origin) } / count
        var (squares, products) = (0.0, 0.0)
        for tap in taps {
            squares += (tap.place - meanPlace) * (tap.place - meanPlace)
            products += (tap.place - meanPlace) * (tap.seconds - origin - meanTime)
        }
        guard squares > 0, products > 0 else { return nil }
        let period = products / squares
        guard taps.count > 2 else { return (period, 0) }
        let residual = taps.reduce(0) { sum, tap in
            let distance = tap.seconds - origin - meanTime - period * (tap.place - meanPlace)
            return sum + distance * distance
        }
        return (period, (residual / (count - 2) / squares).squareRoot())
    }
}
