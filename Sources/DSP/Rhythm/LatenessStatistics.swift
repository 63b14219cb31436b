/// Mean and spread of the lateness of some notes.
///
/// - SeeAlso: for the standard error of a standard deviation, Ahn and Fessler, "Standard errors of mean, variance, and standard
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
    /// The uncertainty of a sharp attack differs from note to note and averages out. That of a soft attack comes from the
    /// instrument, is alike for all notes, and remains in the mean.
    public init?(_ notes: some Collection<PlayedNote>) {
        var moments = LatenessMoments()
        for note in notes { moments.add(note) }
        self.init(moments)
    }

    internal init?(_ moments: LatenessMoments) {
        guard moments.count > 0 else { return nil }
        count = Int(moments.count)
        mean = .seconds(moments.mean)
        guard moments.count > 1 else {
            (meanError, spread, spreadError) = (.seconds(moments.own.squareRoot()), nil, nil)
            return
        }
        let variance = moments.squares / (moments.count - 1)
        let soft = moments.soft / moments.count
        meanError = .seconds((variance / moments.count + soft * soft).squareRoot())
        spread = .seconds(variance.squareRoot())
        // s/√(2(n-1)), of a normal distribution.
        spreadError = .seconds((variance / (2 * (moments.count - 1))).squareRoot())
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
