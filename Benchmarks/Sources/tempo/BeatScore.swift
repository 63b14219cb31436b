import Foundation

/// How well beats fit those that were played, by the measures of the field.
///
/// - SeeAlso: Davies, Degara & Plumbley, "Evaluation methods for musical audio beat tracking algorithms", Queen Mary University
///   C4DM-TR-09-06, 2009; the details are those of `mir_eval.beat`.
struct BeatScore {
    /// Hits within 70 ms as the harmonic mean of precision and recall.
    let f: Double
    /// The share of the beats that continue correctly: at the tempo that was played, and at twice, half or off the beat too.
    let cmlt: Double, amlt: Double
    /// In seconds, of the hits: told minus played.
    let errors: [Double]

    /// Beats before are not scored, as `mir_eval.beat.trim_beats` has it.
    static let firstScored = 5.0

    /// - Parameters: both in seconds, ascending.
    init(played: [Double], told: [Double]) {
        let (played, told) = (played.filter { $0 >= Self.firstScored }, told.filter { $0 >= Self.firstScored })
        let pairs = matched(played, told, within: 0.07)
        f = played.isEmpty || told.isEmpty ? 0 : 2 * Double(pairs.count) / Double(played.count + told.count)
        errors = pairs.map { told[$0.1] - played[$0.0] }
        let total = Self.variations(of: played).map { Self.continuity($0, told) }
        (cmlt, amlt) = (total.first ?? 0, total.max() ?? 0)
    }

    /// What was played; off the beat; at twice the tempo; at half of it from the first and from the second beat on.
    private static func variations(of played: [Double]) -> [[Double]] {
        guard played.count > 1 else { return [] }
        let halves = zip(played, played.dropFirst()).map { ($0 + $1) / 2 }
        let double = (zip(played, halves).flatMap { [$0, $1] }) + [played[played.count - 1]]
        let every = { (first: Int) in stride(from: first, to: played.count, by: 2).map { played[$0] } }
        return [played, halves, double, every(0), every(1)]
    }

    /// The share of the beats that are correct: within 17.5 % of a period, as is the one before, with a period as right as that.
    private static func continuity(_ played: [Double], _ told: [Double]) -> Double {
        guard played.count > 1, told.count > 1 else { return 0 }
        var used = Set<Int>()
        var correct = 0
        for (index, beat) in told.enumerated() {
            guard let nearest = played.indices.min(by: { abs(played[$0] - beat) < abs(played[$1] - beat) }),
                !used.contains(nearest)
            else { continue }
            let distance = abs(played[nearest] - beat)
            if nearest == 0 || index == 0 {
                // The next interval says how long a beat is, or the one before if there is none.
                let (place, own) = (min(nearest, played.count - 2), min(index, told.count - 2))
                let period = played[place + 1] - played[place]
                let interval = told[own + 1] - told[own]
                guard distance / period < 0.175, abs(1 - interval / period) < 0.175 else { continue }
            } else {
                let (period, own) = (played[nearest] - played[nearest - 1], beat - told[index - 1])
                guard distance / period < 0.175, abs(1 - own / period) < 0.175 else { continue }
            }
            used.insert(nearest)
            correct += 1
        }
        return Double(correct) / Double(max(played.count, told.count))
    }
}

/// Pairs of played and told, as many as there can be with each in one pair only and no farther apart than `limit`.
///
/// Both ascend, so that the first that fits is the one to take.
func matched(_ played: [Double], _ told: [Double], within limit: Double) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    var next = 0
    for (index, time) in played.enumerated() {
        while next < told.count, told[next] < time - limit { next += 1 }
        guard next < told.count, told[next] <= time + limit else { continue }
        pairs.append((index, next))
        next += 1
    }
    return pairs
}
