/// Mean and spread of the lateness of some notes.
///
/// - SeeAlso: for the weights, DerSimonian and Laird, "Meta-analysis in clinical trials", Controlled Clinical Trials 7, 1986;
///   for the standard error of a standard deviation, Ahn and Fessler, "Standard errors of mean, variance, and standard
///   deviation estimators", University of Michigan, 2003.
public struct LatenessStatistics: Sendable, Hashable {
    /// How many notes.
    public let count: Int
    /// How much later than their points they were on average; below zero: early.
    public let mean: Duration
    /// The standard error of the mean.
    public let meanError: Duration
    /// The standard deviation round the mean; `nil` of one note.
    public let spread: Duration?
    /// The standard error of the spread; `nil` of one note.
    public let spreadError: Duration?

    /// The statistics of some notes; `nil` of none.
    ///
    /// Each note counts by 1/(s² + u²), where s is the spread and u its own uncertainty: a soft attack that is known to 1 ms is
    /// as good as a sharp one beside a spread of 5 ms, one that is known to 10 ms hardly counts. The uncertainty of a sharp attack
    /// differs from note to note and averages out. That of a soft attack comes from the instrument, is alike for all notes, and
    /// remains in the mean.
    public init?(_ notes: some Collection<PlayedNote>) {
        var moments = LatenessMoments()
        for note in notes { moments.add(note) }
        self.init(moments)
    }

    internal init?(_ moments: LatenessMoments) {
        guard moments.count > 0 else { return nil }
        let classes = moments.classes
        let total = Double(moments.count)
        count = moments.count
        guard moments.count > 1 else {
            (mean, meanError) = (.seconds(classes[0].mean), .seconds(classes[0].own.squareRoot()))
            (spread, spreadError) = (nil, nil)
            return
        }
        // Without weights at first.
        var state = WeightedSums(classes, variance: .infinity)
        // Each round the weights follow from the spread and the spread from the weights; it settles within a few.
        for _ in 0..<6 { state = WeightedSums(classes, variance: state.variance * total / (total - 1)) }
        let variance = state.variance * total / (total - 1)
        mean = .seconds(state.mean)
        meanError = .seconds((variance / state.effectiveCount + state.soft * state.soft).squareRoot())
        spread = .seconds(variance.squareRoot())
        // s/√(2(n-1)), of a normal distribution.
        spreadError = .seconds((variance / (2 * max(1, state.effectiveCount - 1))).squareRoot())
    }
}

/// Weighted means over classes of uncertainty.
private struct WeightedSums {
    var mean = 0.0, variance = 0.0
    /// The mean standard error of soft attacks, in seconds, where a sharp one counts as zero.
    var soft = 0.0
    /// How many notes of equal weights would have the same error.
    var effectiveCount = 0.0

    /// - Parameter variance: of the playing, in s²; infinite: all notes count alike.
    init(_ classes: [LatenessMoments.Class], variance: Double) {
        let least = LatenessMoments.least * LatenessMoments.least
        let weights = classes.map { part in
            let own = max(least, part.own / part.count)
            return variance == .infinity ? 1 : (variance + least) / (variance + own)
        }
        let sum = zip(weights, classes).reduce(0) { $0 + $1.0 * $1.1.count }
        let mean = zip(weights, classes).reduce(0) { $0 + $1.0 * $1.1.count * $1.1.mean } / sum
        let squares = zip(weights, classes).reduce(0) { total, part in
            let distance = part.1.mean - mean
            return total + part.0 * (part.1.squares + part.1.count * distance * distance)
        }
        self.mean = mean
        self.variance = squares / sum
        soft = zip(weights, classes).reduce(0) { $0 + $1.0 * $1.1.soft } / sum
        effectiveCount = sum * sum / zip(weights, classes).reduce(0) { $0 + $1.0 * $1.0 * $1.1.count }
    }
}

/// How the lateness of notes changes from bar to bar.
public struct TempoTendency: Sendable, Hashable {
    /// By how much later the notes become each bar; below zero: the player rushes.
    public let perBar: Duration
    /// Its standard error.
    public let standardError: Duration

    /// Whether the tendency exceeds two standard errors: less is chance in one of twenty sessions.
    public var isCertain: Bool { abs(perBar / .seconds(1)) > 2 * (standardError / .seconds(1)) }
}
