internal import CRealtime

/// Beats of one level.
extension TempoReport {
    /// The same beats on one level throughout, for music that is over: those told before the tracker knew the tempo, and those of
    /// half or twice the beat for a while, are put in order by the rest.
    ///
    /// A tracker tells each beat once, when it sounds. Its first ones are guesses, and it may count eighths before it counts
    /// quarters: as a course of the tempo, that is none of the player's. Here the longest row of beats of one tempo decides. Rows
    /// at half and at twice its tempo are counted as it counts, and those of its own tempo stay where they are, as after a
    /// fermata; what else lasts less than 8 s is left out. Beats between the rows and before the first are counted as they must
    /// have been, if whole beats fit and nothing longer than eight of them is silent.
    public var leveled: TempoReport {
        let rows = Row.all(in: beats.filter(\.isHeard), seconds: seconds)
        guard let main = rows.indices.max(by: { rows[$0].length < rows[$1].length }),
            rows[main].beats.count >= Row.fewest
        else { return self }
        var (before, after): ([[TrackedBeat]], [[TrackedBeat]]) = ([rows[main].beats], [rows[main].beats])
        for row in rows[..<main].reversed() {
            if let nearest = before.last?.first, let more = row.leveled(beside: nearest, seconds) {
                before.append(more)
            }
        }
        for row in rows[(main + 1)...] {
            if let nearest = after.last?.last, let more = row.leveled(beside: nearest, seconds) { after.append(more) }
        }
        let kept = Array((before.reversed() + after.dropFirst()).joined())
        var report = self
        report.replace(with: numbered(filled(kept)))
        return report
    }

    /// The beats with those between that have no note, and with those before the first, down to where the music begins.
    private func filled(_ kept: [TrackedBeat]) -> [TrackedBeat] {
        var all: [TrackedBeat] = []
        // The tempo of the beginning.
        let tail = min(kept.count - 1, Self.beginning)
        let count = zip(kept, kept.dropFirst()).prefix(tail).reduce(0.0) { $0 + passed($1.0, $1.1) }
        let period = (kept[tail].frame - kept[0].frame) / max(1, count)
        let heard = beats.filter(\.isHeard)
        let missing = period > 0 ? Int(lead(to: kept[0], heard, period) / period + Self.tolerance) : 0
        for back in (0..<missing).reversed() {
            let frame = kept[0].frame - period * Double(back + 1)
            all.append(silent(at: frame, like: kept[0], noteNear: heard))
        }
        for (beat, next) in zip(kept, kept.dropFirst()) {
            all.append(beat)
            let (exact, count) = (interval(beat, next), passed(beat, next))
            guard count > 1, count <= Self.longest, abs(exact - count) < Self.tolerance else { continue }
            for step in 1..<Int(count) {
                let frame = beat.frame + (next.frame - beat.frame) * Double(step) / count
                all.append(silent(at: frame, like: next, noteNear: heard))
            }
        }
        all.append(kept[kept.count - 1])
        return all
    }

    /// The samples of music before a beat: back to where nothing is heard for longer than a pause.
    private func lead(to first: TrackedBeat, _ heard: [TrackedBeat], _ period: Double) -> Double {
        var earliest = first.frame
        for beat in heard.reversed() where beat.frame < earliest {
            guard earliest - beat.frame <= Self.longest * period else { break }
            earliest = beat.frame
        }
        return first.frame - earliest
    }

    /// Beats from one to the next, in the tempo of that, and the whole ones.
    private func interval(_ beat: TrackedBeat, _ next: TrackedBeat) -> Double {
        (seconds(next) - seconds(beat)) * next.tempo.beatsPerMinute / 60
    }

    private func passed(_ beat: TrackedBeat, _ next: TrackedBeat) -> Double { max(1, rt_round(interval(beat, next))) }

    /// A beat that follows from others; the note that was heard there, if there is one.
    private func silent(at frame: Double, like other: TrackedBeat, noteNear heard: [TrackedBeat]) -> TrackedBeat {
        let width = Self.width * 60 / other.tempo.beatsPerMinute * sampleRate
        // The first that is not too early.
        var (low, high) = (0, heard.count)
        while low < high {
            let middle = (low + high) / 2
            if heard[middle].frame > frame - width { high = middle } else { low = middle + 1 }
        }
        var beat = other
        if low < heard.count, heard[low].frame < frame + width {
            beat = heard[low]
        } else {
            (beat.frame, beat.isHeard) = (max(0, frame), false)
        }
        beat.tempo = other.tempo
        return beat
    }

    private func numbered(_ beats: [TrackedBeat]) -> [TrackedBeat] {
        beats.enumerated().map { number, beat in
            var beat = beat
            beat.number = number
            return beat
        }
    }

    /// Intervals that tell the tempo at the beginning.
    private static let beginning = 8
    /// More beats without a note in a row are a pause.
    private static let longest = 8.0
    /// The share of a beat by which a whole number of them may be missed, and within which a note is on the beat: half of a
    /// sixteenth.
    private static let tolerance = 0.25, width = 0.125
}

/// Beats with a note, one after the other, of one tempo.
private struct Row {
    var beats: [TrackedBeat] = []
    /// In seconds.
    var length = 0.0

    /// A row of fewer tells no tempo.
    static let fewest = 4
    /// The change of the tempo from one beat to the next that goes on as a ramp; two steps of 3 beats per minute in a second at
    /// 60 are 5 %.
    private static let step = 0.08
    /// How far a tempo may lie from a multiple of another one to be of its kind.
    private static let kinship = 0.12
    /// How many whole beats may lie between two of a row.
    private static let longest = 8.0
    private static let tolerance = 0.25
    /// A row that keeps a tempo of its own for so many seconds is music in that tempo.
    private static let longestStray = 8.0

    /// The rows of the beats whose tempo is known.
    static func all(in heard: [TrackedBeat], seconds: (TrackedBeat) -> Double) -> [Row] {
        var rows: [Row] = []
        for beat in heard where beat.tempo.beatsPerMinute > 0 && beat.tempo.isKnown {
            if let last = rows.last?.beats.last, follows(beat, last, seconds) {
                rows[rows.count - 1].length += seconds(beat) - seconds(last)
                rows[rows.count - 1].beats.append(beat)
            } else {
                rows.append(Row(beats: [beat]))
            }
        }
        return rows
    }

    private static func follows(_ beat: TrackedBeat, _ last: TrackedBeat, _ seconds: (TrackedBeat) -> Double) -> Bool {
        let change = abs(rt_log(beat.tempo.beatsPerMinute / last.tempo.beatsPerMinute))
        let count = (seconds(beat) - seconds(last)) * beat.tempo.beatsPerMinute / 60
        return change < step && count < longest && abs(count - rt_round(count)) < tolerance
    }

    /// Its beats as the row beside it counts; `nil` where it is none of them.
    ///
    /// - Parameter other: the nearest beat of that row.
    func leveled(beside other: TrackedBeat, _ seconds: (TrackedBeat) -> Double) -> [TrackedBeat]? {
        guard let first = beats.first, let last = beats.last else { return nil }
        let isBefore = seconds(last) < seconds(other)
        let near = isBefore ? last : first
        let tempo = other.tempo.beatsPerMinute
        for factor in [1.0, 2, 0.5] where abs(rt_log(near.tempo.beatsPerMinute / tempo / factor)) < Self.kinship {
            // Where that counts twice as fast, every other of these beats is one of the row's.
            let chosen = beats.filter { factor < 2 || isOn($0, other, seconds) }
            let level = chosen.map { beat in
                var beat = beat
                beat.tempo.beatsPerMinute /= factor
                beat.tempo.standardError /= factor
                return beat
            }
            guard let edge = isBefore ? level.last : level.first, isOn(edge, other, seconds) else { continue }
            return level
        }
        // A phrase after a fermata goes on in its tempo.
        let isSame = abs(rt_log(near.tempo.beatsPerMinute / tempo)) < Self.step
        return isSame && beats.count >= Self.fewest || length >= Self.longestStray ? beats : nil
    }

    /// Whether whole beats lie between a beat and the nearest one of the row beside, in that one's tempo.
    private func isOn(_ beat: TrackedBeat, _ other: TrackedBeat, _ seconds: (TrackedBeat) -> Double) -> Bool {
        let count = (seconds(other) - seconds(beat)) * other.tempo.beatsPerMinute / 60
        return abs(count - rt_round(count)) < Self.tolerance
    }
}

extension TempoEstimate {
    /// Whether it is more than a guess: beats or the states agree on it.
    fileprivate var isKnown: Bool { beatCount >= 3 || confidence > 0.5 }
}
