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

    /// Each bar in the order of playing.
    package var bars: [BarReport] {
        let groups = Dictionary(grouping: points.filter(\.stroke.isBeat), by: \.playedBar)
        let notes = Dictionary(grouping: hits, by: \.point.playedBar)
        let played = Set(groups.keys).union(notes.keys).sorted()
        return played.map { number in
            let (points, notes) = (groups[number] ?? [], notes[number] ?? [])
            let isMuted =
                points.isEmpty ? notes.allSatisfy(\.isMuted) : points.allSatisfy(\.stroke.isMuted)
            return BarReport(
                bar: points.first?.stroke.bar ?? notes[0].point.stroke.bar, playedBar: number, isMuted: isMuted,
                timing: LatenessStatistics(notes))
        }
    }

    /// The muted bars, each run by itself.
    public var mutedRuns: [MutedRun] {
        var runs: [(first: Int64, last: Int64)] = []
        for bar in bars where bar.isMuted {
            if let last = runs.last, last.last + 1 == bar.playedBar {
                runs[runs.count - 1].last = bar.playedBar
            } else {
                runs.append((bar.playedBar, bar.playedBar))
            }
        }
        let (hits, timing) = (hits, timing)
        return runs.map { run in
            let notes = hits.filter { (run.first...run.last).contains($0.point.playedBar) }
            let last = notes.last
            return MutedRun(
                firstBar: run.first, bars: Int(run.last - run.first + 1), notes: notes.count,
                lateAtEnd: last?.lateness, drift: last.map { $0.lateness - (timing?.mean ?? .zero) },
                uncertainty: last.map { max($0.uncertainty, timing?.spread ?? .zero) })
        }
    }
}
