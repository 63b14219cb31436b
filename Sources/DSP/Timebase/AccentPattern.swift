/// Which beats stand out; the meter decides how the pattern falls on bars.
public enum AccentPattern: Sendable, Hashable {
    /// An accent on every Nth beat; without a meter a bar has that many beats.
    case every(Int)
    /// An accent on the bar, a medium one on each further group.
    case groups([Int])
    /// The level of each beat, for one bar or several in turn.
    case levels([[AccentLevel]])
    /// All beats alike.
    case none
    /// Only the accents of the meter are heard.
    case only

    /// The levels of the bars that repeat: one bar, or as many as the accents and the meter need to coincide again.
    ///
    /// - Parameter meter: `nil`: a bar is as long as the pattern, or four beats.
    /// - Throws: `PlanError.accentsDoNotFit` when the pattern's bars are not as long as the meter's.
    public func bars(in meter: Meter?) throws(PlanError) -> [[AccentLevel]] {
        switch self {
        case .every(let count):
            guard let beats = meter?.beats, beats != count else { return [Self.levels(ofGroups: [count])] }
            let barCount = leastCommonMultiple(count, beats) / beats
            return (0..<barCount).map { bar in
                (0..<beats).map { (bar * beats + $0).isMultiple(of: count) ? .accent : .normal }
            }
        case .groups(let groups):
            try check([groups.reduce(0, +)], against: meter)
            return [Self.levels(ofGroups: groups)]
        case .levels(let bars):
            try check(bars.map(\.count), against: meter)
            return bars
        case .none: return [Array(repeating: .normal, count: (meter ?? .common).beats)]
        case .only: return [(meter ?? .common).levels.map { $0 == .normal ? .silent : $0 }]
        }
    }

    /// The levels of the bars of a section: without accents those of the meter, without a meter as many beats as the first
    /// number of the cross rhythm, without that four. An entry of a tempo map always has a meter, as in klick.
    package static func levels(
        _ accents: AccentPattern?, meter: Meter?, cross: CrossRhythm? = nil
    ) throws(PlanError) -> [[AccentLevel]] {
        let bar = meter ?? cross.flatMap { try? Meter($0.counts[0], 4) }
        return try (accents ?? .groups((bar ?? .common).groups)).bars(in: bar)
    }

    internal static func levels(ofGroups groups: [Int]) -> [AccentLevel] {
        var levels: [AccentLevel] = []
        for (index, count) in groups.enumerated() {
            levels.append(index == 0 ? .accent : .medium)
            levels += Array(repeating: .normal, count: count - 1)
        }
        return levels
    }

    private func check(_ lengths: [Int], against meter: Meter?) throws(PlanError) {
        guard let meter, let wrong = lengths.firstIndex(where: { $0 != meter.beats }) else { return }
        throw .accentsDoNotFit(bar: wrong + 1, beats: lengths[wrong], meter: meter)
    }
}

package func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    a / Int(greatestCommonDivisor(UInt128(a), UInt128(b))) * b
}
