internal import CRealtime

/// The tempi that are tried, in equal steps of their logarithm.
struct BeatTempi: Sendable {
    static let count = 105
    /// A logarithm. Half of it displaces the next note, four eighths later, by 0.013 beats: less than the scatter.
    static let step = 0.02
    /// Beats per minute of the first; the last is 240.
    private static let slowest = 30.0
    /// Beats per minute and octaves: the mean of the tempi of music, and their standard deviation.
    private let usual: Double, width: Double
    /// The slowest, in beats per minute.
    private let least: Double
    /// The octaves where the tempo is known beforehand, about: a quarter off is two standard deviations.
    private static let widthKnown = 0.17
    /// The standard deviation of the logarithm of a sudden change, a quarter faster or slower, so that twice the tempo is a rare
    /// one (with 0.35 as many of 100 melodies were right); and the least change, as for other beats.
    private static let changeWidth = 0.25, leastChange = 0.06
    /// Within as much of twice and of half the tempo there is no sudden change: notes half or twice as long tell it as well, and
    /// a run of sixteenths is no other tempo. Tempi that drift come there all the same: of 100 takes with a run, 12 were told as
    /// twice the tempo with 0.06, and one with this.
    private static let levelWidth = 0.12

    /// The logarithms of the probabilities of the tempi that each is suddenly followed by, one after the other.
    let changes: [Double]

    /// - Parameter least: there are no slower beats of this kind, in beats per minute, unless the tempo is known beforehand.
    init(usual: Double, width: Double, least: Double = 0) {
        (self.usual, self.width, self.least) = (usual, width, least)
        let prior = Self.prior(mean: usual, width: width, least: least)
        changes = (0..<Self.count).flatMap { old in
            Self.normalised(
                (0..<Self.count).map { new in
                    let change = Double(new - old) * Self.step
                    let isLevel = abs(abs(change) - rt_log(2)) < Self.levelWidth
                    guard abs(change) > Self.leastChange, !isLevel else { return -.infinity }
                    return prior[new] - change * change / (2 * Self.changeWidth * Self.changeWidth)
                })
        }
    }

    /// Seconds from beat to beat.
    static func period(_ tempo: Int) -> Double { 60 / slowest * rt_exp(-step * Double(tempo)) }

    /// The logarithms of the probabilities of the tempi.
    ///
    /// - Parameter around: what is known of it, in beats per minute.
    func prior(around: Double? = nil) -> [Double] {
        around.map { Self.prior(mean: $0, width: Self.widthKnown) }
            ?? Self.prior(mean: usual, width: width, least: least)
    }

    private static func prior(mean: Double, width: Double, least: Double = 0) -> [Double] {
        normalised(
            (0..<count).map { tempo in
                guard 60 / period(tempo) >= least else { return -.infinity }
                let octaves = rt_log2(60 / period(tempo) / mean) / width
                return -octaves * octaves / 2
            })
    }

    private static func normalised(_ logarithms: [Double]) -> [Double] {
        let total = rt_log(logarithms.reduce(0) { $0 + rt_exp($1) })
        return logarithms.map { $0 - total }
    }

    /// The logarithm of the probability of a tempo in beats per minute, up to a constant.
    func logarithm(of tempo: Double) -> Double {
        let octaves = rt_log2(tempo / usual) / width
        return -octaves * octaves / 2
    }

    /// What a player varies, in steps: 8 %.
    private static let variation = 4

    /// Whether two tempi are the same but for what a player varies.
    static func isSame(_ one: Int, _ other: Int) -> Bool { abs(one - other) <= variation }

    static func same(as tempi: ClosedRange<Int>) -> ClosedRange<Int> {
        (tempi.lowerBound - variation)...(tempi.upperBound + variation)
    }

    /// Steps to a tempo so many times as fast.
    static func steps(to ratio: Double) -> Int { Int(rt_round(rt_log(ratio) / step)) }

    /// The tempi of music of which is known how fast it is, about: neither beats twice as fast nor twice as slow.
    ///
    /// - Parameter around: beats per minute.
    static func possible(around: Double?) -> ClosedRange<Int> {
        guard let around else { return 0...(count - 1) }
        let (middle, width) = (rt_log(around / slowest) / step, 0.75 * rt_log(2) / step)
        let (first, last) = (Int(rt_ceil(middle - width)), Int(middle + width))
        return first <= count - 1 && last >= 0 ? max(0, first)...min(count - 1, last) : 0...(count - 1)
    }
}
