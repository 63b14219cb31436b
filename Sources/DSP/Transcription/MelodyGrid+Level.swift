internal import CRealtime

extension MelodyGrid {
    /// The grid at half, once or twice its tempo: at the level on which its notes are likeliest in bars of this meter.
    ///
    /// Beats that were heard are at the level that the sound has: of bows, whose attacks hardly stand out, often at half of the
    /// tempo. In 4/4 that is the same rhythm in longer values, bars of four as well, and the sound tells it better than the
    /// notes. Bars of three or five beats are none of those at half or at twice the tempo.
    func atLevelOfBars(_ starts: [Double]) -> MelodyGrid {
        guard meter.value == 4, meter.beats > 1, meter.beats % 2 == 1 else { return self }
        let places = starts.map { parts.place(of: position(of: $0)).position }.sorted()
        guard let first = places.first else { return self }
        // A beat before the first note, from which ticks are counted; 2 is a beat at half the tempo as well.
        let origin = 2 * rt_floor(first / 2) - 2
        let levels = Level.all.map { (level: $0, likelihood: likelihood(at: $0, places, from: origin)) }
        guard let best = levels.max(by: { $0.likelihood < $1.likelihood }), best.level.ratio != 1 else { return self }
        return at(best.level, starts)
    }

    /// Beats that are so many times as fast.
    private struct Level {
        let ratio: Double
        /// The beat that is one at half the tempo, too: an even one, or an odd one.
        var offset = 0.0
        /// The share of takes in which the beats that are heard are at a level for which the right one is this.
        ///
        /// Of 90 takes in 3/4 of ten instruments half the tempo was heard in a quarter, and in none twice the tempo.
        let share: Double

        static let all = [
            Level(ratio: 1, share: 0.75), Level(ratio: 2, share: 0.25), Level(ratio: 0.5, share: 0.005),
            Level(ratio: 0.5, offset: 1, share: 0.005),
        ]
    }

    private func likelihood(at level: Level, _ places: [Double], from origin: Double) -> Double {
        let division = BeatDivision.quarter
        let perBeat = level.ratio * Double(division.ticks)
        let ticks = places.map { Int(rt_round(($0 - origin - level.offset) * perBeat)) }
        let longest = Int(level.ratio * Double(division.longRest))
        return BarRhythm(division: division, beats: meter.beats).likelihood(of: ticks, longest: longest)
            + division.tempi.logarithm(of: level.ratio * tempo) + rt_log(level.share)
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
