internal import AudioIO

/// How many xruns are bad luck, and how many mean that the period is too small for this machine.
internal struct XrunPatience: Sendable {
    /// From here on a larger one would not help: a program that misses 21 ms at 48 kHz misses 43 as well.
    internal static let largestPeriod = 1_024
    /// Two within this time are too many.
    internal static let window: Duration = .seconds(10)

    private var known = 0
    private var last: MonotonicTime?

    /// Takes in the count of xruns so far; true when the newest two lie within the window, once for each such pair.
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
