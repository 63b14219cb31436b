package import Platform

/// The clock whose times the devices get: the monotonic clock of this machine.
///
/// Tests let it run fast or slow, as the clocks of two machines do, and watch the page follow.
package struct StandClock: Sendable {
    private let origin: Int64
    private let drift: Double

    /// - Parameter partsPerMillion: how much faster than the monotonic clock it runs.
    package init(partsPerMillion: Double = 0, origin: MonotonicTime = .now()) {
        (drift, self.origin) = (partsPerMillion * 1e-6, origin.nanoseconds)
    }

    /// What this clock shows at a moment, in nanoseconds.
    package func reading(at moment: MonotonicTime) -> Int64 {
        guard drift != 0 else { return moment.nanoseconds }
        return moment.nanoseconds + Int64((Double(moment.nanoseconds - origin) * drift).rounded())
    }

    /// The moment at which this clock shows so many nanoseconds; far off ones, which only a liar sends, are now.
    package func moment(ofReading nanoseconds: Int64) -> MonotonicTime {
        let now = MonotonicTime.now()
        let (ahead, overflows) = nanoseconds.subtractingReportingOverflow(reading(at: now))
        guard !overflows, abs(Double(ahead)) < 1e13 else { return now }
        return MonotonicTime(nanoseconds: now.nanoseconds + Int64((Double(ahead) / (1 + drift)).rounded()))
    }

    var now: Int64 { reading(at: .now()) }
}
