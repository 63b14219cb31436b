internal import CRealtime
package import Rhythm

extension MelodyGrid {
    /// The grid of the beats that were heard or, where there is none, of the notes alone; `nil` where there is none either, or it
    /// is not likelier than the reading of all notes at once. In doubt between the two it says so.
    ///
    /// - Parameter around: a tempo that is known beforehand, about.
    package init?(starts: [Double], found report: TempoReport, around: Double? = nil, meter: Meter) {
        let read = MelodyGrid(reading: starts, around: around, meter: meter)
        if meter.isCompound, let read {
            self = read
            return
        }
        let heard = MelodyGrid(starts: starts, heard: HeardBeat.all(in: report), meter: meter)
        let other = heard ?? MelodyGrid(starts: starts, around: around, meter: meter)
        guard let grid = Self.likelier(other, read, starts, isHeard: heard != nil) else { return nil }
        // Who says about how fast it is has chosen the level.
        self = around == nil ? grid.atLevelOfBars(starts) : grid
        // Their places are those of an eighth here, which notes in another tempo keep to as well.
        if meter.isCompound, let first = starts.first, let last = starts.last {
            doubts = GridDoubts(stray: first...last, ambiguous: [])
        }
    }

    /// Of a grid by the beats that were heard and one by the notes the one that the notes keep to.
    ///
    /// Where both have the notes at the same places, and none of them is far off, the beats that were heard are as good, follow a
    /// tempo that changes little by little, and are at the level that the sound has. They are not as good where they have no part
    /// for these places: a beat of two quarters has none for the second of two pairs of swung eighths, at five sixths of it.
    ///
    /// - Parameter isHeard: whether there are beats in the sound. Where there are none, both grids are by the notes alone, and in
    ///   doubt that of all notes counts.
    private static func likelier(
        _ heard: MelodyGrid?, _ read: MelodyGrid?, _ starts: [Double], isHeard: Bool
    ) -> MelodyGrid? {
        guard var read, read.isKept(by: starts) else { return heard }
        guard var heard else { return read }
        let odds = read.likelihood(of: starts) - heard.likelihood(of: starts)
        guard let differing = heard.differing(from: read, starts) else {
            let isWrittenOtherwise = odds >= leastOdds && heard.rhythmDiffers(from: read, starts)
            return !read.isDoubtful(starts) && (isWrittenOtherwise || heard.isDoubtful(starts)) ? read : heard
        }
        guard abs(odds) < leastOdds else { return odds > 0 ? read : heard }
        let ambiguous = starts[differing.lowerBound]...starts[differing.upperBound]
        if isHeard && odds <= 0 {
            heard.doubts = GridDoubts(stray: heard.stray(starts), ambiguous: [ambiguous])
            return heard
        }
        if read.ambiguous.isEmpty { read.doubts = GridDoubts(stray: read.stray(starts), ambiguous: [ambiguous]) }
        return read
    }

    /// Nepers by which one of two grids is likelier; less is doubt, as between two readings. Where only the reading was right it
    /// was likelier by 22 or more in 15 of 18 takes, and by 3 to 9 in the others; where only the beats that were heard were right,
    /// by -18, -2 and 10 in three.
    private static let leastOdds = 7.0
    /// So many notes at the same places make two grids one, and places less than so many beats apart are the same. A grid that
    /// loses a beat in the middle has half of the notes elsewhere; a triplet taken for a sixteenth is .08 beats off.
    private static let sameShare = 0.9, samePlace = 0.1
    /// So many notes at the same parts of a beat make two rhythms one, and parts less than so many beats apart are the same: half of
    /// what a third and a quarter are apart. Of 24 swung melodies of sixteen bars, of whose beats every other one was heard, 23
    /// had 5 to 15 % of their notes at five sixths of a beat.
    private static let samePartShare = 0.95, samePart = 1 / 24.0

    private func isDoubtful(_ starts: [Double]) -> Bool { stray(starts) != nil || !ambiguous.isEmpty }

    /// The logarithm of the likelihood of the notes at their places, and of the sudden changes.
    ///
    /// It is a density in seconds: by a density in beats, slower ones are likelier, and of 160 tunes in 3/4, 12 are told at half their
    /// tempo instead of 3.
    private func likelihood(of starts: [Double]) -> Double {
        let period = (beats[beats.count - 1] - beats[0]) / Double(beats.count - 1)
        let notes = parts.evidence(of: starts.map(position)) - rt_log(period)
        return Double(starts.count) * notes - RhythmDecoder.change * Double(changes.count)
    }

    /// From the first to the last note that another grid has at another place; `nil` if there are few. The beats of one may be
    /// half or twice those of the other, and counted from another one: a beat of the slower one is a beat of the faster one.
    private func differing(from other: MelodyGrid, _ starts: [Double]) -> ClosedRange<Int>? {
        let tolerance = Self.samePlace * meter.perHeardBeat
        return Self.differing(
            starts.map(position), from: starts.map(other.position), step: meter.perHeardBeat, tolerance: tolerance,
            share: Self.sameShare)
    }

    /// Whether another grid has many notes at other parts of a beat, although they are near the same places.
    private func rhythmDiffers(from other: MelodyGrid, _ starts: [Double]) -> Bool {
        func parts(_ grid: MelodyGrid) -> [Double] {
            starts.map { grid.parts.place(of: grid.position(of: $0)).position }
        }
        return Self.differing(
            parts(self), from: parts(other), step: meter.perHeardBeat, tolerance: Self.samePart,
            share: Self.samePartShare) != nil
    }

    /// - Parameters:
    ///   - step: a beat that is heard, in beats.
    ///   - tolerance: places so many beats apart are the same.
    ///   - share: so many at the same places are few that differ.
    private static func differing(
        _ places: [Double], from others: [Double], step: Double, tolerance: Double, share: Double
    ) -> ClosedRange<Int>? {
        var best: (count: Int, range: ClosedRange<Int>) = (places.count, 0...(places.count - 1))
        for level in [1, 2, 0.5] {
            let apart = zip(places, others).map { $1 - level * $0 }
            let tolerance = tolerance * max(1, level)
            let middle = apart.sorted()[apart.count / 2]
            // Where beats begin elsewhere, swung eighths at their beginnings are another rhythm of the same notes.
            let step = min(1, level) * step
            for usual in [middle, apart[0], apart[apart.count - 1]]
            where abs(usual - step * (usual / step).rounded()) <= tolerance {
                let differing = apart.indices.filter { abs(apart[$0] - usual) > tolerance }
                guard let first = differing.first, let last = differing.last else { return nil }
                if differing.count < best.count { best = (differing.count, first...last) }
            }
        }
        return Double(best.count) > (1 - share) * Double(places.count) ? best.range : nil
    }
}
