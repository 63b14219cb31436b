internal import Glibc

/// A scale from 50 cents flat to 50 cents sharp that is wider near zero: half of its width shows the 9 cents on either side
/// of the note.
enum CentsScale {
    /// The place of a deviation, from -1 (50 cents flat or more) to 1.
    static func place(of cents: Double) -> Double {
        guard cents.isFinite else { return 0 }
        let size = min(50, abs(cents))
        // log(1 + x / 2) has a high slope at zero and a low one at the end.
        let place = log1p(size / 2) / log1p(25)
        return cents < 0 ? -place : place
    }

    /// The deviations with a number on the scale.
    static let marks: [Double] = [-50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50]
}
