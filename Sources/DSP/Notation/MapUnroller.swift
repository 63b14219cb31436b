internal import Timebase

/// Expands repeats and jumps into a list of sections in the order of playing.
internal struct MapUnroller {
    private let text: MapText
    private var entries: [MapEntry] = []
    /// The entry of each section of the plan.
    internal private(set) var origins: [MapEntry] = []
    private var loopEntry: Int?
    /// The written bars that are played, in their order.
    internal private(set) var order = PlayingOrder()

    /// A tempo of its own for each bar of 30 hours at 120 beats per minute. A section takes up to 2.6 kB while it is laid out:
    /// 160 MB together (`make test-memory` measures it).
    private static let mostSections = 60_000

    internal init(_ text: MapText) { self.text = text }

    internal mutating func plan(_ items: [MapItem]) throws(NotationError) -> PracticePlan {
        try unroll(items, isTop: true)
        guard !entries.isEmpty else {
            throw text.problem(text.lines.count, "the map has no entry", remedy: "write one, such as 8 120")
        }
        var plan = PracticePlan(sections: [])
        var firstPlace: [String: Int] = [:]
        for (index, entry) in entries.enumerated() {
            if let label = entry.label, firstPlace[label] == nil { firstPlace[label] = index }
        }
        var taken: Set<Int> = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            if loopEntry == index {
                plan.loopSection = plan.sections.count
                order.beginLoop()
            }
            if let section = entry.section {
                plan.sections.append(section)
                origins.append(entry)
                order.append(first: entry.firstBar, count: entry.bars)
            }
            try Self.checkLength(plan.sections.count, text, line: entry.place.line)
            if let jump = entry.jump, !taken.contains(index) {
                guard let target = firstPlace[jump] else {
                    throw text.problem(
                        entry.place.line, column: entry.jumpColumn, "no entry has the label '\(jump)'",
                        remedy: "use a label of this map")
                }
                taken.insert(index)
                index = target
                continue
            }
            if entry.bars == nil, index + 1 < entries.count {
                throw text.problem(
                    entry.place.line, "what follows this entry is never reached", remedy: "give it a number of bars")
            }
            index += 1
        }
        return plan
    }

    private mutating func unroll(_ items: [MapItem], isTop: Bool) throws(NotationError) {
        for (index, item) in items.enumerated() {
            switch item {
            case .entry(let entry): entries.append(entry)
            case .repeated(let inner, let count, let line):
                if count == nil {
                    guard isTop, index == items.count - 1 else {
                        throw text.problem(
                            line, "what follows this repeat is never reached", remedy: "write how often it repeats")
                    }
                    loopEntry = entries.count
                }
                guard !inner.isEmpty else { throw text.problem(line, "empty repeat", remedy: "write an entry in it") }
                for _ in 0..<(count ?? 1) {
                    try unroll(inner, isTop: false)
                    try Self.checkLength(entries.count, text, line: line)
                }
            }
        }
    }

    /// Throws where a map has too many entries.
    internal static func checkLength(_ count: Int, _ text: MapText, line: Int) throws(NotationError) {
        guard count > mostSections else { return }
        throw text.problem(line, "the map exceeds \(mostSections) entries", remedy: "divide it into several maps")
    }
}
