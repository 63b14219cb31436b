import Figures
import Foundation

/// The figures of several recordings together.
struct Group {
    let outcomes: [Outcome]

    private func mean(_ value: (BeatScore) -> Double) -> Double {
        outcomes.reduce(0) { $0 + value($1.score) } / Double(max(1, outcomes.count))
    }

    var f: Double { mean(\.f) }
    var cmlt: Double { mean(\.cmlt) }
    var amlt: Double { mean(\.amlt) }
    private var errors: [Double] { outcomes.flatMap { $0.score.errors } }
    /// In milliseconds: the median error of the hits, and 1.4826 times the median distance from it.
    var bias: Double { 1_000 * percentile(errors, 0.5) }
    var sigma: Double { 1_482.6 * percentile(errors.map { abs($0 - bias / 1_000) }, 0.5) }
    /// In percent.
    func tempoError(_ share: Double) -> Double { 100 * percentile(outcomes.compactMap(\.tempoError), share) }
    private var locks: [Double] { outcomes.compactMap(\.lock) }
    var lock: Double { percentile(locks, 0.5) }
    var locked: Int { locks.count }
    /// In milliseconds.
    func delay(_ share: Double) -> Double { 1_000 * percentile(outcomes.flatMap(\.delays), share) }
}
