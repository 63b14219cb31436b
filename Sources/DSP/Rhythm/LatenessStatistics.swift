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
        guard let first = notes.first else { return nil }
        let count = Double(notes.count)
        self.count = notes.count
        guard notes.count > 1 else {
            (mean, meanError) = (.seconds(first.late), .seconds(first.standardError))
            (spread, spreadError) = (nil, nil)
            return
        }
        var mean = notes.reduce(0) { $0 + $1.late } / count
        var variance = notes.reduce(0) { $0 + ($1.late - mean) * ($1.late - mean) } / (count - 1)
        var (soft, effective) = (0.0, count)
        // Each round the weights follow from the spread and the spread from the weights; it settles within a few.
        for _ in 0..<6 {
            let weights = notes.map { Self.weight(of: $0, variance: variance) }
            let sum = weights.reduce(0, +)
            effective = sum * sum / weights.reduce(0) { $0 + $1 * $1 }
            mean = zip(weights, notes).reduce(0) { $0 + $1.0 * $1.1.late } / sum
            let squares = zip(weights, notes).reduce(0) { $0 + $1.0 * ($1.1.late - mean) * ($1.1.late - mean) }
            variance = squares / sum * count / (count - 1)
            soft = zip(weights, notes).reduce(0) { $0 + $1.0 * ($1.1.kind == .soft ? $1.1.standardError : 0) } / sum
        }
        self.mean = .seconds(mean)
        meanError = .seconds((variance / effective + soft * soft).squareRoot())
        spread = .seconds(variance.squareRoot())
        // s/√(2(n-1)), of a normal distribution.
        spreadError = .seconds((variance / (2 * max(1, effective - 1))).squareRoot())
    }

    /// How much a note counts beside others: 1 if its uncertainty is that of the clearest attack.
    internal static func weight(of note: PlayedNote, variance: Double) -> Double {
        // The least standard error of an onset, 0.1 ms.
        let least = 1e-8
        return (variance + least) / (variance + max(least, note.standardError * note.standardError))
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
