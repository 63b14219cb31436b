import Foundation

/// How a detector heard a set of real notes.
public struct RealNoteResults {
    /// The notes of a row of the table.
    public enum Group: Hashable, Sendable {
        /// Variants `amp` and `full`: all notes, those of a family, those below 110 Hz and above 500 Hz.
        case all, family(String), low, high
        /// A variant that adds something to all notes.
        case context(RealNoteVariant)

        /// The groups in the order of the table.
        public static let table: [Group] =
            [.all] + ["plucked", "struck", "bowed", "blown", "sung"].map(Group.family)
            + [.low, .high, .context(.room), .context(.ring)]

        /// What it is called in tables.
        public var name: String {
            switch self {
            case .all: "all"
            case .family(let name): name
            case .low: "below 110 Hz"
            case .high: "above 500 Hz"
            case .context(.room): "in a room"
            case .context: "over a ringing note"
            }
        }

        func has(_ outcome: RealNoteOutcome) -> Bool {
            let isPlain = outcome.variant == .amp || outcome.variant == .full
            switch self {
            case .all: return isPlain
            case .family(let name): return isPlain && outcome.family == name
            case .low: return isPlain && outcome.noteHertz < 110
            case .high: return isPlain && outcome.noteHertz > 500
            case .context(let variant): return outcome.variant == variant
            }
        }
    }

    private let outcomes: [RealNoteOutcome]
    /// The delay in seconds that makes the errors of all notes least.
    public let lag: Double

    /// Puts the outcomes of all sounds together.
    public init(_ outcomes: [RealNoteOutcome]) {
        self.outcomes = outcomes
        var (best, least) = (0.0, Double.infinity)
        let plain = outcomes.filter(Group.all.has)
        for lag in stride(from: 0.0, through: 0.1201, by: 0.002) {
            let costs = plain.map { $0.errors(lag: lag) }.filter { !$0.isEmpty }.map { errors in
                log(0.05 + (errors.reduce(0) { $0 + min($1 * $1, 2_500) } / Double(errors.count)).squareRoot())
            }
            let cost = costs.reduce(0, +) / Double(max(1, costs.count))
            if cost < least { (best, least) = (lag, cost) }
        }
        lag = best
    }

    /// The figures of a group; `nil` without a note of it.
    public func figures(of group: Group) -> RealNoteFigures? {
        let notes = outcomes.filter(group.has)
        return notes.isEmpty ? nil : RealNoteFigures(notes, lag: lag)
    }

    /// A line for each sound.
    public var lines: [String] {
        outcomes.map { outcome in
            let name = "\(outcome.family) \(outcome.note) \(outcome.variant.rawValue) \(outcome.noteHertz) Hz"
            let cells = zip(RealNoteFigures.columns, RealNoteFigures([outcome], lag: lag).cells)
            return name + cells.dropFirst().map { ", \($0) \($1)" }.joined()
        }
    }
}
