internal import Glibc

/// The place of a deviation on a scale from 50 cents flat to 50 sharp that is wider near zero, where the ear listens:
/// half of it belongs to the 9 cents around the note.
public enum CentsScale {
    /// From -1 (50 cents flat or more) over 0 to 1.
    public static func place(of cents: Double) -> Double {
        guard cents.isFinite else { return 0 }
        let size = min(50, abs(cents))
        // log(1 + x/2): slope 4 times the linear scale's at zero, a fifth of that at the end.
        let place = log1p(size / 2) / log1p(25)
        return cents < 0 ? -place : place
    }

    /// The deviations that carry a number.
    public static let marks: [Double] = [-50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50]
}
