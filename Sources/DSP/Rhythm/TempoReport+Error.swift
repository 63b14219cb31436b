internal import Music

extension TempoReport {
    /// The standard error of `beatsPerMinute`; `nil` with fewer than two beats.
    ///
    /// The mean tempo of beats in a row is that of the first and the last of them, each of which is off by the player's scatter, or
    /// by the uncertainty of the beats where that is greater.
    public var standardError: Double? {
        guard let tempo = beatsPerMinute else { return nil }
        let intervals = intervals
        let uncertainties = beats.filter(\.isHeard).map(\.uncertainty.inSeconds).sorted()
        let usual = max(scatter?.inSeconds ?? 0, uncertainties[uncertainties.count / 2])
        let rows = 1 + zip(intervals, intervals.dropFirst()).count { $0.end != $1.start }
        let time = intervals.reduce(0) { $0 + $1.end - $1.start }
        return tempo * usual * (2 * Double(rows)).squareRoot() / time
    }
}
