internal import Music
public import Timebase

/// A tempo from taps: a running estimate that tolerates missed and doubled taps and follows a change of tempo.
///
/// Each tap is given a place on a grid of beats, and the slope of a straight line through the last taps is the period. With
/// n taps of jitter σ its error falls with n^(3/2), and that of the mean interval only with n. A tap two, three or four
/// periods after the last follows missed ones. A tap less than 140 ms after another, and less than half the intervals around
/// it, is a bounce of the finger and ignored; five of them in an even row are a tempo all the same.
///
/// A change is believed when two to eight intervals in a row agree with each other and differ from the older ones by more
/// than the jitter explains: from about 8 % within four taps, from 15 % within three. A pause begins anew: 3 seconds and
/// more than four periods, or 6 seconds at any tempo, so that 10 beats per minute are the slowest.
///
/// ```swift
/// var taps = TapTempo()
/// taps.tap(at: .zero)
/// if let tempo = taps.tap(at: .milliseconds(500)) { print(tempo) }  // 120
/// ```
public struct TapTempo: Sendable {
    /// A tempo and how sure it is.
    package struct Estimate: Sendable, Hashable {
        package let beatsPerMinute: Double
        /// The standard error (one σ) of that, from the scatter of the taps about their line; 0 with two taps.
        package let standardError: Double
        package let tapCount: Int

        /// The tempo, rounded to a tenth; `nil` outside 1 to 1,000.
        package var tempo: Tempo? {
            guard beatsPerMinute.isFinite, beatsPerMinute < 2_000 else { return nil }
            return Ratio(Int64((beatsPerMinute * 10).rounded()), 10).flatMap { try? Tempo($0) }
        }
    }

    /// A tap: its place on the grid and its time in seconds.
    internal typealias Tap = (place: Double, seconds: Double)

    /// The taps the estimate rests on.
    private var taps: [Tap] = []
    /// The newest taps, if they fitted nowhere.
    private var strays: [Double] = []
    /// The newest taps, if each came sooner after the one before than a hand taps again.
    private var bounces: [Double] = []

    /// Four bars of four. More taps would only make it slower to follow.
    private static let mostTaps = 16
    /// 3 seconds are a pause if they are more than four and a half periods; 6 seconds always.
    private static let (shortestPause, longestPause) = (3.0, 6.0)
    /// 60 ms: 1,000 beats per minute, faster than fingers.
    private static let shortestInterval = 0.06
    /// One hand taps at most 400 beats per minute, 150 ms; less 10 ms for its jitter.
    private static let longestBounce = 0.14
    /// A hand that keeps a beat stays within a few percent of a period; 18 % off is another beat.
    private static let tolerance = 0.18
    /// Two or three taps do not know the period that well themselves.
    private var tolerance: Double { taps.count < 4 ? 0.3 : Self.tolerance }

    /// No taps yet.
    public init() {}

    /// Forgets all taps.
    public mutating func reset() { self = TapTempo() }

    /// Takes a tap.
    ///
    /// - Parameter moment: the time since any origin, by a monotonic clock. A tap before the last one is ignored.
    /// - Returns: the tempo, rounded to a tenth, after two taps that are not bounces; `nil` outside 1 to 1,000.
    @discardableResult public mutating func tap(at moment: Duration) -> Tempo? { estimate(tap: moment)?.tempo }

    /// Takes a tap and returns the estimate with its error.
    package mutating func estimate(tap moment: Duration) -> Estimate? {
        let seconds = moment.inSeconds
        guard let last = taps.last else {
            count([seconds])
            return nil
        }
        let latest = max(last.seconds, strays.last ?? last.seconds, bounces.last ?? last.seconds)
        guard seconds > latest else { return estimate }
        let period = period
        if isPause(seconds - latest, period: period) {
            count([seconds])
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

    /// The tempo of the taps so far; `nil` with fewer than two.
    package var estimate: Estimate? {
        guard let line = TapLine(taps[...]) else { return nil }
        let period = line.period
        let error = taps.count > 2 ? (line.residual / Double(taps.count - 2) / line.spread).squareRoot() : 0
        // The error of 60 / period, to first order.
        return Estimate(
            beatsPerMinute: 60 / period, standardError: 60 / (period * period) * error, tapCount: taps.count)
    }

    private var period: Double? { TapLine(taps[...])?.period }

    private func isPause(_ gap: Double, period: Double?) -> Bool {
        gap > Self.longestPause || gap > Self.shortestPause && period.map { gap > 4.5 * $0 } ?? false
    }

    /// Notes a tap too soon after another. Four such intervals in an even row are the tempo of two hands.
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

    /// Decides, at the next tap that is not a bounce, what the bounces were: taps, if no tempo is known yet and the interval
    /// that follows is about as short.
    private mutating func settleBounces(before next: Double, after last: Double) {
        guard let newest = bounces.last else { return }
        let interval = newest - (bounces.dropLast().last ?? last)
        // A bounce b after each tap leaves period - b: b below 0.41 of the period is below 0.7 of that.
        if taps.count == 1, interval >= Self.shortestInterval, interval > 0.7 * (next - newest) {
            count([last] + bounces)
        }
        bounces.removeAll(keepingCapacity: true)
    }

    /// Begins anew with these taps, one beat each.
    private mutating func count(_ times: some Sequence<Double>) {
        reset()
        taps = times.enumerated().map { (Double($0.offset), $0.element) }
    }

    private mutating func place(_ seconds: Double, after last: Tap, period: Double) {
        let newest = ([last.seconds] + strays).suffix(2) + [seconds]
        if newest.count == 3, isSteady(newest[newest.startIndex], newest[newest.startIndex + 1], seconds) {
            // Two intervals that agree with each other but not with the estimate: a new tempo.
            count(newest)
            return
        }
        let beats = (seconds - last.seconds) / period
        let nearest = beats.rounded()
        guard nearest >= 1, nearest <= 4, abs(beats - nearest) <= tolerance else {
            strays = strays.suffix(1) + [seconds]
            return
        }
        taps.append((last.place + nearest, seconds))
        strays.removeAll(keepingCapacity: true)
        if taps.count > Self.mostTaps { taps.removeFirst() }
        forgetMultiples()
        forgetOldTempo()
    }

    /// Forgets the taps before a change of tempo: the place where two lines fit best, if their slopes differ by more than 4.5
    /// standard errors and each new interval lies on the side of the new slope.
    private mutating func forgetOldTempo() {
        var best: (first: Int, residual: Double)?
        for length in 2...8 where taps.count >= length + 2 {
            let first = taps.count - 1 - length
            guard let old = TapLine(taps[...first]), let new = TapLine(taps[first...]) else { continue }
            // The scatter of these taps, and of hands in general, 3 % of a period, with the weight of six taps.
            let expected = max(0.03 * old.period, min(0.015, 0.05 * old.period))
            let freedom = Double(max(0, first - 1))
            let variance = (6 * expected * expected + old.residual) / (6 + freedom)
            let places = taps[taps.count - 1].place - taps[first].place
            let change = (taps[taps.count - 1].seconds - taps[first].seconds) / places - old.period
            let spread = variance * (2 / (places * places) + 1 / old.spread)
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

    /// Whether two intervals are even, and longer than a bounce.
    private func isSteady(_ first: Double, _ second: Double, _ third: Double) -> Bool {
        let (before, after) = (second - first, third - second)
        return min(before, after) >= Self.shortestInterval && abs(after - before) <= Self.tolerance * max(before, after)
    }

    /// A slower tempo looks like missed taps: three steps of the same multiple in a row are the slower tempo.
    private mutating func forgetMultiples() {
        guard taps.count >= 4 else { return }
        let steps = zip(taps.suffix(4), taps.suffix(3)).map { $1.place - $0.place }
        guard let step = steps.first, step > 1, steps.allSatisfy({ $0 == step }) else { return }
        taps = taps.suffix(4).enumerated().map { (Double($0.offset), $0.element.seconds) }
    }
}
