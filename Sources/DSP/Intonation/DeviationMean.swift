internal import CRealtime
package import Music

/// How fast the number and the word on the display follow the pitch.
package enum Response: String, Sendable, CaseIterable {
    /// Within an eighth of a second, for quick changes.
    case fast
    /// The mean over a cycle of vibrato.
    case steady
    /// The mean over two cycles, for a slow vibrato and a calm number.
    case slow

    /// The length of the mean in seconds.
    ///
    /// A Hann window of length T suppresses what swings at 2/T and faster to 3 % or less: from 4 Hz for 0.5 s, from 2 Hz for
    /// 1 s. Singers' and players' vibrato lies between 4 and 8 Hz.
    /// - SeeAlso: Prame, "Measurements of the vibrato rate of ten singers", JASA 96, 1994.
    var window: Double {
        switch self {
        case .fast: 0.125
        case .steady: 0.5
        case .slow: 1
        }
    }
}

/// The mean deviation of the note that sounds, weighted by a Hann window.
package struct DeviationMean: Sendable {
    private var points: [(seconds: Double, cents: Double, error: Double)] = []
    private var start = 0.0
    package var response = Response.steady

    /// A swing of this many cents is a vibrato, or a note that has not settled.
    private static let swing = 10.0
    /// In 0.1 s any vibrato of 25 cents and 4 Hz or more swings by more than that.
    private static let shortest = 0.1

    package init() {}

    /// Adds a deviation.
    ///
    /// - Parameters:
    ///   - error: its standard error in cents.
    ///   - isNew: whether another note has begun.
    package mutating func add(_ deviation: Cents, error: Cents, at seconds: Double, isNew: Bool) {
        if isNew { (points, start) = ([], seconds) }
        points.append((seconds, deviation.value, error.value))
        // Once in a while: each removal moves all points.
        let oldest = seconds - Response.slow.window
        if let first = points.first, first.seconds < oldest - 0.5 { points.removeAll { $0.seconds < oldest } }
    }

    /// The mean of the window that ends now, or of the whole note if it is shorter, and the mean standard error; `nil` if
    /// nothing was heard.
    package var mean: (deviation: Cents, error: Cents)? {
        guard let last = points.last else { return nil }
        let window = points.filter { last.seconds - $0.seconds <= response.window }
        let length = max(last.seconds - window[0].seconds, 1e-9)
        var sum = (cents: 0.0, error: 0.0, weight: 0.0)
        for point in window {
            // The constant: the zeros at the ends would leave nothing of two points.
            let weight = 0.5 - 0.5 * rt_cos(2 * .pi * (point.seconds - window[0].seconds) / length) + 1e-6
            sum.cents += weight * point.cents
            sum.error += weight * point.error
            sum.weight += weight
        }
        return (Cents(sum.cents / sum.weight), Cents(sum.error / sum.weight))
    }

    /// Whether the mean is more than a moment of a vibrato: the pitch is steady, or a whole window of it was heard.
    package var isSettled: Bool {
        guard response != .fast, let last = points.last, last.seconds - start < response.window else { return true }
        guard last.seconds - start >= Self.shortest else { return false }
        let cents = points.lazy.map(\.cents)
        return (cents.max() ?? 0) - (cents.min() ?? 0) <= Self.swing
    }
}
