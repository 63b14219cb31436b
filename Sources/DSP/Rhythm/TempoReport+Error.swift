internal import Music

/// How far beats and tempi are off.
extension TempoReport {
    /// The standard error of `beatsPerMinute` as the player's tempo; `nil` with fewer than two beats.
    ///
    /// The mean tempo of beats in a row is that of the first and the last of them, each of which is off by the player's scatter, or
    /// by the uncertainty of the beats where that is greater. A tempo that sways is not known better than the mean of its parts is.
    public var standardError: Double? {
        guard let tempo = beatsPerMinute else { return nil }
        let intervals = intervals
        let uncertainties = beats.filter(\.isHeard).map(\.uncertainty.inSeconds).sorted()
        let usual = max(scatter?.inSeconds ?? Self.usualScatter, uncertainties[uncertainties.count / 2])
        let rows = 1 + zip(intervals, intervals.dropFirst()).count { $0.end != $1.start }
        let time = intervals.reduce(0) { $0 + $1.end - $1.start }
        let ends = tempo * usual * (2 * Double(rows)).squareRoot() / time
        let parts = fluctuation.map { $0 / Double(spans(of: 4).count).squareRoot() } ?? 0
        return (ends * ends + parts * parts).squareRoot()
    }

    /// The standard deviation of a beat about the course of its neighbours; `nil` where not even two beats have a neighbour on each
    /// side.
    ///
    /// The third differences of four beats in a row are 0 when the tempo is steady, and all but 0 when it changes evenly; beats of
    /// scatter σ make them √20 σ. Their median is taken, as one beat off its place is no scatter. Where few beats follow each
    /// other, because most of them have no note, it is the median of how far those that were heard lie off the line through
    /// the ones before and after.
    public var scatter: Duration? {
        let intervals = intervals
        let scatters = thirdDifferences(intervals)
        let distances = offLines(intervals)
        // A median of few is uncertain: that of six beats in a row among fifty was 2 to 16 ms in takes that scatter by 8 ms.
        let isInRows = scatters.count >= 2 && 2 * scatters.count >= distances.count
        guard let median = Self.median(isInRows ? scatters : distances) else { return nil }
        // 1.4826 makes a standard deviation of the median of normal numbers.
        return .seconds(1.482_6 * median)
    }

    /// By how many beats per minute the tempo of four beats departs from the line of the drift, or from the tempo of its part where
    /// the tempo steps, by more than the scatter of the beats explains: a standard deviation. `nil` where it is no more than chance,
    /// or with fewer than four parts of four beats.
    public var fluctuation: Double? {
        let (spans, changes) = (spans(of: 4), changes)
        guard spans.count >= 4, let tempo = beatsPerMinute, let scatter = scatter?.inSeconds else { return nil }
        let line = drift
        let (first, last) = (spans[0].start, spans[spans.count - 1].end)
        var (count, squares, expected) = (0.0, 0.0, 0.0)
        // What has beats of two tempi is a part of neither.
        for span in spans where !changes.contains(where: { span.start < $0.start && $0.start < span.end }) {
            let share = ((span.start + span.end) / 2 - first) / (last - first)
            let kept = changes.last { $0.start <= span.start }?.after ?? changes.first?.before ?? tempo
            let usual = line.map { $0.first + share * ($0.last - $0.first) } ?? kept
            squares += (span.beatsPerMinute - usual) * (span.beatsPerMinute - usual)
            let error = usual * scatter * 2.0.squareRoot() / (span.end - span.start)
            expected += error * error
            count += 1
        }
        // A line has two free numbers, steps one for each tempo.
        let free = line == nil ? Double(1 + changes.count) : 2
        guard count > free else { return nil }
        let (variance, chance) = (squares / (count - free), expected / count)
        return variance > Self.leastRatio * chance ? (variance - chance).squareRoot() : nil
    }

    /// The third differences of four heard beats in a row, in seconds, as multiples of what a scatter of 1 makes of them.
    private func thirdDifferences(_ intervals: [Span]) -> [Double] {
        let single = intervals.map { $0.beats == 1 ? $0 : nil }
        return zip(zip(single, single.dropFirst()), single.dropFirst(2)).compactMap { pair, after in
            guard let before = pair.0, let between = pair.1, let after, before.end == between.start,
                between.end == after.start
            else { return nil }
            return abs(after.end - 3 * after.start + 3 * before.end - before.start) / 20.0.squareRoot()
        }
    }

    /// How far each heard beat lies off the line through the heard ones before and after it, in the same way.
    private func offLines(_ intervals: [Span]) -> [Double] {
        zip(intervals, intervals.dropFirst()).compactMap { before, after in
            guard before.end == after.start else { return nil }
            let share = Double(before.beats) / Double(before.beats + after.beats)
            let place = before.start + share * (after.end - before.start)
            return abs(before.end - place) / (1 + share * share + (1 - share) * (1 - share)).squareRoot()
        }
    }

    private static func median(_ values: [Double]) -> Double? {
        guard values.count >= 2 else { return nil }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// Seconds that a player's beats scatter by where that is not known, as in `TempoCourse`.
    private static var usualScatter: Double { 0.01 }
    /// How many times the variance that scatter explains is more than chance: the tempi of four parts of a steady take reach it in
    /// one take of 20 (e to the power of -3), those of ten parts in one of 400.
    private static var leastRatio: Double { 3 }
}
