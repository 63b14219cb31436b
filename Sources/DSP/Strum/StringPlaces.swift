internal import Realtime

/// Where the strings of an instrument are in each of its tunings.
struct StringPlaces: ~Copyable, Sendable {
    let stringCount: Int
    let tuningCount: Int
    /// The most partials that all strings have together in any of the tunings.
    let mostPartials: Int
    /// The first partials in hertz, tuning by tuning.
    private let fundamentals: SampleBuffer<Double>
    /// The highest frequency of a partial in each tuning, in hertz.
    private let limits: SampleBuffer<Double>

    /// - Parameters:
    ///   - tunings: the first partials in hertz, as many in each.
    ///   - highest: the highest frequency of any partial, in hertz.
    init(_ tunings: [[Double]], below highest: Double) {
        let limits = tunings.map { min(highest, Self.limit(of: $0)) }
        (stringCount, tuningCount) = (tunings.first?.count ?? 0, tunings.count)
        mostPartials =
            zip(tunings, limits).map { tuning, limit in
                tuning.reduce(0) { $0 + PartialLayout.count($1, below: limit) }
            }.max() ?? 0
        fundamentals = SampleBuffer(copying: tunings.flatMap(\.self))
        self.limits = SampleBuffer(copying: limits)
    }

    /// Up to which frequency the partials of a tuning tell of it, in hertz.
    static func limit(of fundamentals: [Double]) -> Double { max(700, min(3_500, 4.3 * (fundamentals.max() ?? 0))) }

    @inline(__always) @_noLocks func fundamental(_ string: Int, of tuning: Int) -> Double {
        fundamentals.unsafeElements[tuning * stringCount + string]
    }

    @inline(__always) @_noLocks func limit(of tuning: Int) -> Double { limits.unsafeElements[tuning] }

    /// The first partial of the lowest string of a tuning, in hertz.
    @_noLocks func lowest(of tuning: Int) -> Double {
        var lowest = Double.infinity
        for s in 0..<stringCount { lowest = min(lowest, fundamental(s, of: tuning)) }
        return lowest
    }
}
