internal import CRealtime

extension MelodyGrid {
    /// When each quarter is, from the first beat of bar 1 on, and quarters per minute at the beginning and from each sudden change
    /// on.
    package var quarters: (times: [Double], tempi: [(quarter: Double, perMinute: Double)]) {
        let count = Int(Double(beats.count - 1) / meter.perQuarter) + 1
        return (
            (0..<max(2, count)).map { time(of: Double($0) * meter.perQuarter) },
            tempoParts.map { (quarter: Double($0.first) / meter.perQuarter, perMinute: opening($0)) }
        )
    }

    /// A part in one tempo or in one that changes little by little: its beats, and the mean of its tempi.
    private typealias Part = (first: Int, end: Int, tempo: Double)

    private var tempoParts: [Part] {
        let begins = [(beat: 0, tempo: tempo)] + changes
        let ends = changes.map(\.beat) + [beats.count - 1]
        return zip(begins, ends).map { (first: $0.beat, end: $1, tempo: $0.tempo) }
    }

    /// Quarters per minute at the beginning of a part.
    ///
    /// Where a player gets faster or slower it is that of the first two bars; otherwise the mean of the whole part, which is more
    /// exact.
    private func opening(_ part: Part) -> Double {
        let mean = part.tempo * (isGiven ? 1 : meter.perHeardBeat / meter.perQuarter)
        let count = min(2 * meter.beats, part.end - part.first)
        guard !isGiven, Double(count) >= Self.fewestBeats * meter.perHeardBeat else { return mean }
        let time = beats[part.first + count] - beats[part.first]
        let first = 60 * Double(count) / meter.perQuarter / time
        return abs(rt_log(first / mean)) > Self.steady ? first : mean
    }

    /// Beats that are heard, of which fewer tell no tempo.
    private static let fewestBeats = 4.0
    /// The logarithm of what the beginning of a steady part is off its mean by: four beats on a curve through notes that scatter
    /// by 12 ms are off by some 1 %.
    private static let steady = 0.025
}
