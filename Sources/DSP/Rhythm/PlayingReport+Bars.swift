internal import Timebase

extension PlayingReport {
    /// How one bar was played.
    package struct BarReport: Sendable, Hashable {
        /// Its number in the plan, and its place in the order of playing, from 0.
        package let bar: Int64, playedBar: Int64
        /// Whether all of it is muted.
        package let isMuted: Bool
        /// Mean and spread of its notes; `nil` without notes.
        package let timing: LatenessStatistics?
    }

    /// Consecutive muted bars, in which the player kept the tempo alone.
    public struct MutedRun: Sendable, Hashable {
        /// The first of them in the order of playing, from 0, and how many they are.
        public let firstBar: Int64, bars: Int
        /// How many notes were played.
        public let notes: Int
        /// How late the last of them was; `nil` without one.
        public let lateAtEnd: Duration?
        /// The same less the mean lateness at points that were heard, so that a constant of the devices does not count.
        public let drift: Duration?
        /// The standard error of both: the spread of single notes.
        public let uncertainty: Duration?
    }

    /// Each bar in the order of playing, of those that are kept.
    package var bars: [BarReport] {
        playedBars.with(openHits).map {
            BarReport(
                bar: $0.number, playedBar: $0.playedBar, isMuted: $0.isMuted,
                timing: LatenessStatistics($0.timing))
        }
    }

    /// The newest bar that something is known of, in the order of playing.
    package var lastBar: Int64? {
        playedBars.with(openHits, after: (playedBars.bars.last?.playedBar ?? 0) - 16).last?.playedBar
    }

    /// The muted bars, each run by itself, of the bars that are kept.
    public var mutedRuns: [MutedRun] { mutedRuns(after: .min) }

    /// Those that begin after a bar in the order of playing.
    ///
    /// - Complexity: O(bars after it).
    package func mutedRuns(after playedBar: Int64) -> [MutedRun] {
        let bars = playedBars.with(openHits, after: playedBar)
        let timing = timing
        var runs: [MutedRun] = []
        var index = 0
        while index < bars.count {
            let first = index
            while index < bars.count, bars[index].isMuted,
                index == first || bars[index - 1].playedBar + 1 == bars[index].playedBar
            {
                index += 1
            }
            if index == first {
                index += 1
                continue
            }
            let run = bars[first..<index]
            let last = run.last { $0.last != nil }?.last
            runs.append(
                MutedRun(
                    firstBar: run[first].playedBar, bars: run.count,
                    notes: run.reduce(0) { $0 + $1.notes },
                    lateAtEnd: last.map { Duration.seconds($0.late) },
                    drift: last.map { Duration.seconds($0.late) - (timing?.mean ?? .zero) },
                    uncertainty: last.map { max(Duration.seconds($0.error), timing?.spread ?? .zero) }))
        }
        return runs
    }
}
