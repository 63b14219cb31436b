/// The numbers of bars in the systems of a page, of which a person should look at the odd ones.
struct BarCounts {
    private let counts: [Int]

    init(_ counts: [Int]) { self.counts = counts }

    /// For each system, whether it has no bars, or differs from each system beside it that has some by more than half of them.
    var doubts: [Bool] {
        counts.indices.map { index in
            let beside = [index - 1, index + 1].filter(counts.indices.contains).map { counts[$0] }.filter { $0 > 0 }
            let differs = !beside.isEmpty && beside.allSatisfy { 2 * abs(counts[index] - $0) > $0 }
            return counts[index] == 0 || differs
        }
    }
}
