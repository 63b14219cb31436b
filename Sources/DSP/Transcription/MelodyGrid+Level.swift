internal import CRealtime

extension MelodyGrid {
    /// The grid at the level of its tempo on which its notes are likeliest in bars of this meter.
    ///
    /// Beats that were heard are at the level that the sound has: of bows, whose attacks hardly stand out, often at half of the
    /// tempo, and where dotted quarters are played at two thirds of it. In 4/4 half the tempo is the same rhythm in longer values,
    /// bars of four as well, and the sound tells it better than the notes. Bars of three or five beats are none of those at
    /// another level.
    func atLevelOfBars(_ starts: [Double]) -> MelodyGrid {
        guard meter.value == 4, meter.beats > 1, meter.beats % 2 == 1 else { return self }
        let places = starts.sorted().prefix(Self.mostNotes).map { parts.place(of: position(of: $0)).position }
        guard let first = places.first else { return self }
        // A beat before the first note, from which ticks are counted; 2 is a beat at half the tempo as well.
        let origin = 2 * rt_floor(first / 2) - 2
        // Beats of the one are seldom beats of the other where that is three to two: a change would be at none.
        let possible = changes.isEmpty ? Level.all : Level.all.filter { $0.ratio != 1.5 }
        let levels = possible.map { (level: $0, likelihood: likelihood(at: $0, places, from: origin)) }
        guard let best = levels.max(by: { $0.likelihood < $1.likelihood }), best.level.ratio != 1,
            let heard = levels.first, best.likelihood - heard.likelihood > Self.leastLevelOdds
        else { return self }
        return at(best.level, starts)
    }

    /// Nepers by which another level must be likelier than that of the sound.
    ///
    /// Of 50 takes in 3/4 the 12 that were heard at half their tempo had 5.7 or more. Of four tunes with long notes, heard right at 80,
    /// 120 and 160 and played up to eight times, none had more than 2.7.
    private static let leastLevelOdds = 3.0
    /// So many notes tell the level. A tune that comes again is no new evidence: with 64 notes 8 of those 48 had more than three nepers.
    private static let mostNotes = 36

    /// Beats that are so many times as fast.
    private struct Level {
        let ratio: Double
        /// One bar and what is one, two or four bars at the tempo that was heard, in bars of this level.
        let periods: [Int]
        /// So many beats after beat 0, or before it, is a beat of this level.
        var offset = 0.0
        /// The share of takes in which this is right of those in which beats are heard, or of each of two offsets half of it.
        ///
        /// Of 90 takes in 3/4 of ten instruments half the tempo was heard in 15, two thirds of it in 6 (0.05 or 0.1 is the same:
        /// in five of them these were less likely by 20 nepers or more), and twice in none: the mean of what that share may be is
        /// then half of one in 91.
        let share: Double

        static let all = [
            Level(ratio: 1, periods: [1, 2, 4], share: 0.75), Level(ratio: 2, periods: [1, 2, 4, 8], share: 0.15),
            Level(ratio: 1.5, periods: [1, 3, 6], share: 0.05),
            Level(ratio: 1.5, periods: [1, 3, 6], offset: 1 / 3.0, share: 0.05),
            Level(ratio: 0.5, periods: [1, 2], share: 0.003),
            Level(ratio: 0.5, periods: [1, 2], offset: 1, share: 0.003),
        ]
    }

    /// In swung beats as well where they were heard as such. Notes that are hardly ever between the beats are likelier in
    /// these, too, without being swung.
    private func likelihood(at level: Level, _ places: [Double], from origin: Double) -> Double {
        let even = likelihood(at: level, in: .quarter, places, from: origin)
        guard level.ratio == 1, Self.areSwung(places) else { return even + rt_log(level.share) }
        return max(even, likelihood(at: level, in: .swungQuarter, places, from: origin)) + rt_log(level.share)
    }

    /// Whether more notes begin at two thirds of a beat than at its half and its first third.
    private static func areSwung(_ places: [Double]) -> Bool {
        let ticks = places.map { Int(rt_round(12 * ($0 - rt_floor($0)))) }
        return ticks.count { $0 == 8 } > ticks.count { $0 == 6 || $0 == 4 }
    }

    private func likelihood(
        at level: Level, in division: BeatDivision, _ places: [Double], from origin: Double
    ) -> Double {
        let perBeat = level.ratio * Double(division.ticks)
        let ticks = places.map { Int(rt_round(($0 - origin - level.offset) * perBeat)) }
        let longest = Int(level.ratio * Double(division.longRest))
        // Quarters of the beats that were heard.
        let spacing = level.ratio * Double(division.ticks) / 4
        return BarRhythm(division: division, beats: meter.beats, periods: level.periods, spacing: spacing)
            .likelihood(of: ticks, longest: longest) + division.tempi.logarithm(of: level.ratio * tempo)
            + rt_log(division.share)
    }

    /// The same beats at another level.
    private func at(_ level: Level, _ starts: [Double]) -> MelodyGrid {
        let count = Int(Double(beats.count - 1) * level.ratio) + 2
        // The first note is in the first beat or near it.
        let origin = -level.offset
        var grid = MelodyGrid(
            beats: (0..<count).map { time(of: origin + Double($0) / level.ratio) }, meter: meter,
            tempo: level.ratio * tempo)
        grid.changes = changes.map {
            (beat: Int(rt_round((Double($0.beat) - origin) * level.ratio)), tempo: level.ratio * $0.tempo)
        }
        grid.findParts(starts)
        grid.doubts = doubts
        return grid
    }
}
