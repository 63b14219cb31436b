internal import AudioIO

/// Decides when xruns mean that the period is too small for this machine.
internal struct XrunPatience: Sendable {
    /// 21 ms at 48 kHz: a program that is late for that is late for 43 ms as well.
    internal static let largestPeriod = 1_024
    /// Two xruns within this time are too many.
    internal static let window: Duration = .seconds(10)

    private var known = 0
    private var last: MonotonicTime?

    /// Notes the number of xruns so far; true when the newest two lie within the window, once for each pair.
    internal mutating func isExhausted(xruns: Int, at now: MonotonicTime) -> Bool {
        guard xruns > known else { return false }
        known = xruns
        guard let before = last, now - before <= XrunPatience.window else {
            last = now
            return false
        }
        last = nil
        return true
    }
}
