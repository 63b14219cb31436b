internal import CRealtime
internal import Realtime

extension HeardBeat {
    /// The beats, with those round each sudden change of the tempo as the notes have them.
    ///
    /// A tracker goes on in the old tempo until it knows the new one, for some four seconds. Once the music is over both are
    /// known, and the change is where a beat of the one is a beat of the other and the notes keep to the old tempo before and to
    /// the new one after it.
    static func withChanges(_ beats: [HeardBeat], starts: [Double]) -> [HeardBeat] {
        var (told, done) = ([HeardBeat](), 0)
        let runs = runs(of: beats)
        for (old, new) in zip(runs, runs.dropFirst()) {
            let step = rt_log(beats[new.lowerBound].period / beats[old.upperBound - 1].period)
            guard abs(step) > leastChange,
                let change = Change(from: beats[old], to: beats[new], starts: starts)
            else { continue }
            told += beats[done..<max(done, change.lastOld + 1)]
            told += change.beats
            done = change.firstNew
        }
        return told + beats[done...]
    }

    /// Stretches of beats in one tempo, or in one that changes little by little.
    private static func runs(of beats: [HeardBeat]) -> [Range<Int>] {
        var (runs, first) = ([Range<Int>](), 0)
        for index in 1...max(1, beats.count) {
            if index < beats.count {
                let (beat, last) = (beats[index], beats[index - 1])
                let count = (beat.seconds - last.seconds) / beat.period
                if abs(rt_log(beat.period / last.period)) < longestStep, abs(count - rt_round(count)) < tolerance {
                    continue
                }
            }
            if index - first >= fewest { runs.append(first..<index) }
            first = index
        }
        return runs
    }

    /// Logarithms: a smaller change is rubato, and what a tracker follows by itself; and the greatest from beat to beat within
    /// a run, of an accelerando of 2 beats per minute in a second at 60.
    fileprivate static let leastChange = 0.06, longestStep = 0.035
    /// In beats: half of a sixteenth.
    private static let tolerance = 0.125
    /// Beats that tell a tempo.
    fileprivate static let fewest = 5
}

/// One tempo after another, and the beats between the last of the one and the first of the other that are sure.
private struct Change {
    /// The last beat before the change that stays as it is, and the first after it.
    private(set) var lastOld: Int, firstNew: Int
    /// Those between, on the lines of the two tempi.
    private(set) var beats: [HeardBeat] = []

    /// So many beats tell the line of a tempo.
    private static let length = 8
    /// The last beats of the old tempo may be the tracker's, which has not noticed yet; so may the first of the new one.
    private static let unsureOld = 6, unsureNew = 3
    /// How far the beats of both may lie apart where they meet, in beats of the shorter period: a sixteenth of a triplet.
    private static let tolerance = 0.1
    /// Nepers of likelihood a note beside notes anywhere, as for a grid.
    private static let leastEvidence = 0.6
    private static let fewestNotes = 4

    /// `nil` where the notes do not go from one tempo to the other.
    init?(from old: ArraySlice<HeardBeat>, to new: ArraySlice<HeardBeat>, starts: [Double]) {
        (lastOld, firstNew) = (old.endIndex - 1, new.startIndex)
        let ends = old.indices.suffix(Self.unsureOld + 1).filter { $0 - old.startIndex + 1 >= HeardBeat.fewest }
        let begins = new.indices.prefix(Self.unsureNew + 1).filter { new.endIndex - $0 >= HeardBeat.fewest }
        guard let from = ends.first, let to = begins.last else { return nil }
        let notes = starts.filter { old[from].seconds - old[from].period < $0 && $0 < new[to].seconds + new[to].period }
        guard notes.count >= Self.fewestNotes else { return nil }
        var best = Self.leastEvidence
        for end in ends {
            guard let before = BeatLine(old[...end].suffix(Self.length)) else { continue }
            for begin in begins {
                guard let after = BeatLine(new[begin...].prefix(Self.length)),
                    abs(rt_log(after.period / before.period)) > HeardBeat.leastChange
                else { continue }
                var back = 0.0
                // Beat 0 of a line is its last or its first.
                let (last, first) = (before.seconds(of: Double(before.last)), after.seconds(of: 0))
                while first - back * after.period > last - before.period / 2 {
                    let meeting = first - back * after.period
                    let count = (meeting - last) / before.period
                    defer { back += 1 }
                    guard
                        abs(count - rt_round(count)) * before.period < Self.tolerance * min(before.period, after.period)
                    else { continue }
                    let edge = meeting - before.period / 8
                    let places = notes.map { $0 < edge ? ($0 - last) / before.period : ($0 - first) / after.period }
                    let evidence = BeatParts([]).evidence(of: places)
                    guard evidence > best else { continue }
                    // The beat after the first of the new tempo is one of that in any case.
                    let next = rt_round((new[begin + 1].seconds - first) / after.period)
                    (best, lastOld, firstNew) = (evidence, end, begin + 2)
                    beats = Self.beats(
                        (before, Int(rt_round(count))), (after, Int(back + next)), from: last, over: meeting)
                }
            }
        }
        guard best > Self.leastEvidence else { return nil }
    }

    /// So many beats of the old tempo and of the new one, whose first is marked.
    private static func beats(
        _ old: (line: BeatLine, count: Int), _ new: (line: BeatLine, count: Int), from last: Double,
        over meeting: Double
    ) -> [HeardBeat] {
        let before = (0..<max(0, old.count)).map { step in
            HeardBeat(
                seconds: last + (meeting - last) * Double(step + 1) / Double(old.count), period: old.line.period)
        }
        let after = (0..<max(0, new.count)).map { step in
            HeardBeat(
                seconds: meeting + new.line.period * Double(step + 1), period: new.line.period, goesOn: step > 0)
        }
        return before + after
    }
}

/// The straight line through some beats.
private struct BeatLine {
    private var fit = LineFit()
    /// The number of the last beat; the first is 0.
    private(set) var last = 0

    var period: Double { fit.slope }
    func seconds(of number: Double) -> Double { fit.value(at: number) }

    init?(_ beats: ArraySlice<HeardBeat>) {
        guard let first = beats.first else { return nil }
        var (number, seconds) = (0.0, first.seconds)
        for beat in beats {
            number += rt_round((beat.seconds - seconds) / beat.period)
            seconds = beat.seconds
            fit.add(x: number, y: seconds)
        }
        last = Int(number)
        guard fit.spread > 0, fit.slope > 0 else { return nil }
    }
}
