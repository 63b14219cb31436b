internal import CRealtime
internal import Realtime

/// Where the notes of a melody are in beats, and in which tempi: the likeliest reading of when they begin.
///
/// A tracker that follows the sound goes on nearly as before where eighths are suddenly faster by a third: four of them last as
/// long as three did. All the notes together tell.
struct RhythmReading {
    struct Note {
        /// The number of the note in the melody. Notes that are left out belong nowhere.
        let index: Int
        /// In ticks of the division; 0 is a beat.
        fileprivate(set) var place: Int
        /// The numbers of the tempi up to it, and from it on.
        let tempoBefore: Int, tempo: Int
        /// By how much likelier it is there than anywhere, with those before it that belong nowhere: nepers.
        var evidence = 0.0

        init(index: Int, place: Int, tempoBefore: Int, tempo: Int) {
            (self.index, self.place, self.tempoBefore, self.tempo) = (index, place, tempoBefore, tempo)
        }
    }

    let division: BeatDivision
    var notes: [Note]
    /// The logarithm of the likelihood of all notes.
    let likelihood: Double

    /// - Parameter notes: with their places in the beat.
    init(_ notes: [Note], in division: BeatDivision, likelihood: Double, starts: [Double]) {
        (self.division, self.notes, self.likelihood) = (division, notes, likelihood)
        let ticks = division.ticks
        for n in notes.indices.dropFirst() {
            let (last, note) = (notes[n - 1], notes[n])
            // Whole beats, and what the places in the beat are apart.
            let rest = (note.place - last.place + ticks) % ticks
            let distance = (starts[note.index] - starts[last.index]) / BeatTempi.period(note.tempoBefore)
            let beats = Int(rt_round(distance - Double(rest) / Double(ticks)))
            self.notes[n].place = self.notes[n - 1].place + max(rest == 0 ? 1 : 0, beats) * ticks + rest
        }
    }

    /// The reading in the likeliest of some divisions; in doubt between two of them, all notes are doubtful.
    static func best(
        of starts: [Double], inOneOf divisions: [BeatDivision], around: Double? = nil
    ) -> (reading: RhythmReading, doubtful: [ClosedRange<Int>])? {
        let all = divisions.compactMap { division in
            best(of: starts, in: division, around: around).map {
                (reading: $0.reading, doubtful: $0.doubtful, odds: $0.reading.likelihood + rt_log(division.share))
            }
        }
        guard let best = all.max(by: { $0.odds < $1.odds }) else { return nil }
        let isDoubtful = all.contains {
            best.odds - $0.odds < leastLevelOdds && $0.reading.differs(from: best.reading)
        }
        return (best.reading, isDoubtful ? [0...(starts.count - 1)] : best.doubtful)
    }

    /// The reading of notes that begin at these seconds, in rising order, and the ranges of notes in which another one is nearly
    /// as likely; `nil` where there are too few notes to tell, or more than `most`.
    ///
    /// - Parameter around: what is known of the tempo, in beats per minute.
    static func best(
        of starts: [Double], in division: BeatDivision, around: Double? = nil
    ) -> (reading: RhythmReading, doubtful: [ClosedRange<Int>])? {
        guard fewest...most ~= starts.count, zip(starts, starts.dropFirst()).allSatisfy(<) else { return nil }
        let tempi = [ClosedRange<Int>](repeating: BeatTempi.possible(around: around), count: starts.count)
        guard var first = settled(starts, in: division, around: around, within: tempi) else { return nil }
        for tempo in first.reading.steadyTempi {
            let same = tempi.map { BeatTempi.same(as: tempo...tempo).clamped(to: $0) }
            guard let steady = settled(starts, in: division, around: around, within: same),
                steady.reading.likelihood > first.reading.likelihood
            else { continue }
            first = steady
        }
        var readings = [first]
        for level in division.levels {
            guard let tempi = first.reading.tempi(shifted: BeatTempi.steps(to: level), within: tempi),
                let other = settled(starts, in: division, around: around, within: tempi)
            else { continue }
            readings.append(other)
        }
        let likeliest = readings.max { $0.reading.likelihood < $1.reading.likelihood } ?? first
        let (best, rhythm) =
            likeliest.reading.likelihood > first.reading.likelihood + clearLevelOdds ? likeliest : first
        func rival(without exclusion: RhythmDecoder.Exclusion, within odds: Double) -> RhythmReading? {
            let rival = RhythmDecoder(starts, rhythm, around: around, within: tempi, without: exclusion).reading()
            return rival.flatMap { best.likelihood - $0.likelihood < odds && $0.differs(from: best) ? $0 : nil }
        }
        let near = readings.count { $0.reading.likelihood > best.likelihood - leastLevelOdds }
        guard near < 2 else { return (best, [0...(starts.count - 1)]) }
        guard best.parts.count <= mostParts else { return (best, [0...(starts.count - 1)]) }
        var doubtful: [ClosedRange<Int>] = []
        for part in best.parts {
            let tempi = best.notes[part].map(\.tempo).sorted()
            let (first, last) = (best.notes[part.lowerBound].index, best.notes[part.upperBound].index)
            if rival(without: .tempo(tempi[tempi.count / 2], first...last), within: leastOdds) != nil {
                doubtful.append(first...last)
            } else if part.lowerBound > 0, let rival = rival(without: .change(first), within: leastChangeOdds),
                let change = rival.changes.min(by: { abs($0 - first) < abs($1 - first) })
            {
                doubtful.append(min(change, first)...max(change, first))
            }
        }
        return (best, doubtful)
    }

    /// The likeliest reading in these tempi, with the shares and the scatter of its own rhythm.
    private static func settled(
        _ starts: [Double], in division: BeatDivision, around: Double?, within tempi: [ClosedRange<Int>]
    ) -> (reading: RhythmReading, rhythm: BeatRhythm)? {
        var rhythm = BeatRhythm(division)
        for _ in 1..<rounds {
            guard let reading = RhythmDecoder(starts, rhythm, around: around, within: tempi).reading() else {
                return nil
            }
            rhythm = BeatRhythm(of: reading, starts: starts)
        }
        return RhythmDecoder(starts, rhythm, around: around, within: tempi).reading().map { ($0, rhythm) }
    }

    /// The tempi of this reading at each note, all faster by so many steps; `nil` where one is not possible.
    private func tempi(shifted shift: Int, within possible: [ClosedRange<Int>]) -> [ClosedRange<Int>]? {
        var (tempi, next) = ([ClosedRange<Int>](), 0)
        for index in possible.indices {
            while next < notes.count - 1, notes[next].index < index { next += 1 }
            let (before, after) = (notes[next].tempoBefore + shift, notes[next].tempo + shift)
            guard possible[index].contains(before), possible[index].contains(after) else { return nil }
            tempi.append(
                BeatTempi.same(as: min(before, after)...max(before, after)).clamped(to: possible[index]))
        }
        return tempi
    }

    /// The tempi of a reading with sudden changes that all notes may be in: that of its first part, and of the one with most notes.
    ///
    /// The shares of a rhythm follow from its reading. A run of sixteenths that was first read as eighths of twice the tempo stays
    /// one, until all notes are read in one tempo.
    private var steadyTempi: Set<Int> {
        let parts = parts
        guard parts.count > 1, let longest = parts.max(by: { $0.count < $1.count }) else { return [] }
        var tempi: Set<Int> = []
        for part in [parts[0], longest] {
            let sorted = notes[part].dropLast().map(\.tempo).sorted()
            tempi.insert(sorted[sorted.count / 2])
        }
        return tempi
    }

    /// Numbers in `notes`.
    typealias Part = ClosedRange<Int>

    /// The notes between sudden changes of the tempo, each part with the first note of the next.
    var parts: [Part] {
        let changes = notes.indices.filter { notes[$0].tempo != notes[$0].tempoBefore }
        return zip([0] + changes, changes + [notes.count - 1]).map { $0...$1 }
    }

    /// The numbers of the notes in the melody at which the tempo changes suddenly.
    private var changes: [Int] { notes.filter { $0.tempo != $0.tempoBefore }.map(\.index) }

    /// Whether it has a note at another place.
    private func differs(from other: RhythmReading) -> Bool {
        let places = Dictionary(uniqueKeysWithValues: other.notes.map { ($0.index, $0.place) })
        return notes.contains { note in places[note.index].map { $0 != note.place } ?? false }
    }

    /// Seconds from beat to beat in a part; `nil` with too few notes.
    ///
    /// A pause is no whole number of ticks: the notes before and after one lie on lines of their own, of one slope.
    func period(of part: Part, starts: [Double]) -> Double? {
        var (lines, last) = ([LineFit()], notes[part.lowerBound].place)
        for note in notes[part] {
            if note.place - last > division.longest { lines.append(LineFit()) }
            lines[lines.count - 1].add(x: Double(note.place) / Double(division.ticks), y: starts[note.index])
            last = note.place
        }
        let spread = lines.reduce(0) { $0 + $1.spread }
        guard spread > 0 else { return nil }
        let period = lines.reduce(0) { $0 + $1.slope * $1.spread } / spread
        return period > 0 ? period : nil
    }

    /// The logarithm of notes a second.
    static func density(of starts: [Double]) -> Double {
        rt_log(Double(starts.count - 1) / (starts[starts.count - 1] - starts[0]))
    }

    /// By how much likelier all notes are than as many anywhere, of their density: nepers.
    func evidence(of starts: [Double]) -> Double {
        likelihood - Double(starts.count - 1) * (Self.density(of: starts) - 1)
    }

    /// The first stretch in which the notes keep to no beat, in seconds; `nil` without one.
    func stray(_ starts: [Double]) -> ClosedRange<Double>? {
        func isLost(_ first: Int) -> Bool {
            notes[first..<(first + Self.stretch)].reduce(0) { $0 + $1.evidence } < 0
        }
        guard notes.count > Self.stretch,
            let first = (1...(notes.count - Self.stretch)).first(where: isLost)
        else { return nil }
        var last = first
        while last < notes.count - Self.stretch, isLost(last + 1) { last += 1 }
        return starts[notes[first - 1].index]...starts[notes[last + Self.stretch - 1].index]
    }

    /// So many notes one after the other tell whether they keep to the beats, as for any grid.
    private static let stretch = 12
    /// Fewer notes keep to any tempo.
    private static let fewest = 12
    /// Half an hour with five notes a second: the tempo of longer takes the tracker tells alone. Each takes 1.9 kB while it is
    /// read, and some 5 ms where the tempo changes thirty times.
    private static let most = 10_000
    /// The shares and the scatter of a rhythm settle within so many.
    private static let rounds = 3
    /// Parts that are compared one by one; whose tempo changes suddenly more often keeps none.
    private static let mostParts = 30
    /// Nepers by which a reading is likelier than those with another tempo, and with a change elsewhere; less is doubt. Of 800
    /// melodies with a change, 7 were read wrong, all within these odds, and 19 of the right ones were as well. With 7 for a
    /// change, too, it were 213.
    private static let leastOdds = 7.0, leastChangeOdds = 3.0
    /// The same of beats twice or three times as long or as short; and by how much these must be likelier than the reading that
    /// begins with usual shares. Dotted quarters alone are likelier by 22 to 31 as such than as every third eighth; of 300
    /// melodies one is by 25 where it is wrong, two by 11 and 15.
    private static let leastLevelOdds = 3.0, clearLevelOdds = 20.0
}
