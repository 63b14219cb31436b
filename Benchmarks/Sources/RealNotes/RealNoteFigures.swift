import Foundation

/// The figures of a group of real notes.
public struct RealNoteFigures: Sendable {
    /// How many sounds.
    public let sounds: Int
    /// Milliseconds from the onset until the readings of the next 100 ms all lie within 50 cents of the pitch of the last
    /// 50 ms: the median and the 90th percentile; infinite if it never locks.
    public let lock, lateLock: Double
    /// Sounds on which that never happens.
    public let never: Int
    /// The median for 5 cents.
    public let fineLock: Double
    /// Readings before the lock that lie more than 50 cents off, per note.
    public let wrong: Double
    /// Percent of the readings from 150 ms on: more than 50 cents off, and missing.
    public let gross, missed: Double
    /// Cents, root mean square of the error from 0.3 to 1.2 s, median of the notes: at the detector's best common delay,
    /// and at 10 ms.
    public let rms, rmsAtTen: Double
    /// Cents, root mean square of the change of the error from reading to reading: the median and the 90th percentile.
    public let jitter, roughest: Double
    /// Percent of the errors within one and two standard errors, where the detector tells them.
    public let withinOne, withinTwo: Double?
    /// The median standard error in cents.
    public let standardError: Double?

    init(_ outcomes: [RealNoteOutcome], lag: Double) {
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
        sounds = outcomes.count
        let locks = outcomes.compactMap(\.lock)
        (lock, lateLock) = (percentile(locks, 0.5), percentile(locks, 0.9))
        never = locks.count { $0 == .infinity }
        fineLock = percentile(outcomes.compactMap(\.fineLock), 0.5)
        wrong = mean(outcomes.compactMap(\.wrong))
        (gross, missed) = (mean(outcomes.compactMap(\.gross)), mean(outcomes.compactMap(\.missed)))
        rms = percentile(outcomes.compactMap { $0.rms(lag: lag) }, 0.5)
        rmsAtTen = percentile(outcomes.compactMap { $0.rms(lag: 0.01) }, 0.5)
        let changes = outcomes.compactMap { $0.jitter(lag: lag) }
        (jitter, roughest) = (percentile(changes, 0.5), percentile(changes, 0.9))
        let one = outcomes.compactMap { $0.honest(within: 1, lag: lag) }
        let two = outcomes.compactMap { $0.honest(within: 2, lag: lag) }
        (withinOne, withinTwo) = (one.isEmpty ? nil : mean(one), two.isEmpty ? nil : mean(two))
        let errors = outcomes.compactMap(\.medianError)
        standardError = errors.isEmpty ? nil : percentile(errors, 0.5)
    }

    /// The heads of the columns.
    public static let columns = [
        "sounds", "lock ms", "p90", "never", "5 c ms", "wrong", "gross %", "missed %", "rms c", "at 10 ms", "jitter c",
        "p90", "in 1 SE %", "in 2 SE %", "SE c",
    ]

    /// What they mean, for the text above a table.
    public static let explanation =
        "lock: from the onset (20 dB below the peak) to the first reading from which on all of the next 100 ms lie within "
        + "50 cents (or 5 cents) of the pitch, median and p90; wrong: readings per note before that which lie more than 50 "
        + "cents off; gross and missed: of the readings from 150 ms on, more than 50 cents off and missing; rms: of the "
        + "error from 0.3 to 1.2 s at the detector's best common delay and at 10 ms, median of the notes; jitter: of the "
        + "change of that error from reading to reading; in 1 and 2 SE: errors within so many of the standard errors that "
        + "come with the readings; SE: their median."

    /// The figures as text, one for each column.
    public var cells: [String] {
        func text(_ value: Double?, _ digits: Int) -> String {
            value.map { $0.isFinite ? String(format: "%.\(digits)f", $0) : "never" } ?? "-"
        }
        return ["\(sounds)", text(lock, 0), text(lateLock, 0), "\(never)", text(fineLock, 0)]
            + [text(wrong, 2), text(gross, 2), text(missed, 2), text(rms, 2), text(rmsAtTen, 2)]
            + [text(jitter, 3), text(roughest, 1), text(withinOne, 0), text(withinTwo, 0), text(standardError, 3)]
    }
}

/// The value below which that share of the values lies, between neighbours in proportion.
public func percentile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .infinity }
    let sorted = values.sorted()
    let position = share * Double(sorted.count - 1)
    let index = Int(position)
    let next = min(index + 1, sorted.count - 1)
    if sorted[next] == .infinity { return position > Double(index) ? .infinity : sorted[index] }
    return sorted[index] + (position - Double(index)) * (sorted[next] - sorted[index])
}
