/// Which bars of a written map a plan plays, one after the other: its repeats and jumps expanded.
package struct PlayingOrder: Sendable, Hashable {
    /// Consecutive bars, counted from 1 in the order in which they are written.
    package struct Run: Sendable, Hashable {
        package internal(set) var first: Int64
        /// `nil`: without end.
        package internal(set) var count: Int64?

        package init(first: Int64, count: Int64?) { (self.first, self.count) = (first, count) }
    }

    package private(set) var runs: [Run] = []
    /// The run with which it begins again after the last; `nil`: it ends.
    package private(set) var again: Int?

    package init() {}

    /// Whether the bars are played once, as they are written: then the order says nothing.
    package var isAsWritten: Bool { runs.count <= 1 && runs.first?.first ?? 1 == 1 && again == nil }

    /// Adds bars. They are one run with those before, unless the loop begins between them.
    package mutating func append(first: Int64, count: Int64?) {
        if let last = runs.last, let length = last.count, last.first + length == first, again != runs.count {
            runs[runs.count - 1].count = count.map { length + $0 }
        } else {
            runs.append(Run(first: first, count: count))
        }
    }

    /// The bars that follow are played again and again.
    package mutating func beginLoop() { again = runs.count }
}
