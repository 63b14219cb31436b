internal import CRealtime
internal import Realtime

extension MelodyGrid {
    /// The grid that all the notes together tell; `nil` where they keep to none.
    ///
    /// - Parameters:
    ///   - starts: the beginnings of the notes in the order of time, in seconds.
    ///   - around: what is known of the tempo, in beats that are heard.
    init?(reading all: [Double], around: Double?, meter: Meter) {
        // Of notes that begin together one tells as much.
        let starts = Array(all.prefix(1)) + zip(all, all.dropFirst()).filter { $0 < $1 }.map(\.1)
        guard
            let (reading, doubtful) = RhythmReading.best(
                of: starts, inOneOf: meter.isCompound ? [.threeEighths] : [.quarter, .swungQuarter], around: around),
            reading.evidence(of: starts) >= max(Self.leastTotal, Self.leastEvidence * Double(starts.count))
        else { return nil }
        let periods = reading.parts.map { reading.period(of: $0, starts: starts) }
        guard let first = periods[0], let last = periods[periods.count - 1], let opening = reading.notes.first
        else { return nil }
        // Beat 0 is the one near the first note; an upbeat is shorter than half a beat.
        let (perBeat, division) = (meter.perHeardBeat, reading.division)
        let origin = rt_round(
            Double(opening.place) / Double(division.ticks) - (starts[opening.index] - starts[0]) / first)
        let points = reading.notes.map {
            (x: perBeat * (Double($0.place) / Double(division.ticks) - origin), y: starts[$0.index])
        }
        self.init(
            beats: Self.beats(through: points, before: first / perBeat, after: last / perBeat),
            meter: meter,
            tempo: 60 / first)
        for (part, period) in zip(reading.parts, periods).dropFirst() {
            guard let period else { continue }
            changes.append((beat: Int(rt_round(points[part.lowerBound].x)), tempo: 60 / period))
        }
        var breaks: [Double] = []
        for (point, next) in zip(points, points.dropFirst())
        where next.x - point.x > perBeat * Double(division.longest) / Double(division.ticks) {
            breaks.append((point.x + next.x) / 2)
        }
        leaveOutGradual(points, pauses: breaks)
        breaks = (breaks + changes.map(Self.edge)).sorted()
        fit(points, breaks: breaks, reach: Self.reach * perBeat)
        // Once more by the parts of a beat, where notes that are far off their places do not pull.
        fit(starts, breaks: breaks, reach: Self.reach * perBeat)
        findParts(starts)
        doubts = GridDoubts(
            stray: reading.stray(starts),
            ambiguous: doubtful.map { starts[$0.lowerBound]...starts[$0.upperBound] })
    }

    /// Where the notes before a sudden change end.
    private static func edge(of change: (beat: Int, tempo: Double)) -> Double { Double(change.beat) - 0.5 }

    /// Leaves out the sudden changes that a tempo which changes little by little tells as well: a faster and faster player is read
    /// in steps. Those are sudden without which the notes are less likely by more than what a sudden change costs.
    private mutating func leaveOutGradual(_ points: [(x: Double, y: Double)], pauses: [Double]) {
        let reach = Self.reach * meter.perHeardBeat
        func beats(without left: Int?) -> [Double] {
            var grid = self
            let edges = changes.indices.filter { $0 != left }.map { Self.edge(of: changes[$0]) }
            grid.fit(points, breaks: (pauses + edges).sorted(), reach: reach)
            return grid.beats
        }
        var index = 0
        while index < changes.count {
            let place = Self.edge(of: changes[index])
            let near = points.filter { abs($0.x - place) <= reach }
            let (broken, smooth) = (scatter(near, beats(without: nil)), scatter(near, beats(without: index)))
            let odds = Double(near.count) * rt_log(max(smooth, Self.precision) / max(broken, Self.precision))
            if odds < RhythmDecoder.change { changes.remove(at: index) } else { index += 1 }
        }
    }

    /// Seconds: a note is not known to begin more precisely.
    private static let precision = 0.001

    /// Seconds of each beat on the broken line through points, which goes on by so many seconds a beat at either end.
    private static func beats(through points: [(x: Double, y: Double)], before: Double, after: Double) -> [Double] {
        let (first, last) = (points[0], points[points.count - 1])
        var index = 0
        return (0..<(Int(max(0, last.x)) + 2)).map { beat in
            let place = Double(beat)
            if place <= first.x { return first.y + (place - first.x) * before }
            if place >= last.x { return last.y + (place - last.x) * after }
            while points[index + 1].x < place { index += 1 }
            let (from, to) = (points[index], points[index + 1])
            return from.y + (place - from.x) / (to.x - from.x) * (to.y - from.y)
        }
    }
}

/// Where the beats that the notes tell are a guess, in seconds.
struct GridDoubts {
    /// The first stretch in which the notes keep to no beat.
    let stray: ClosedRange<Double>?
    /// The parts that may as well be in another tempo.
    let ambiguous: [ClosedRange<Double>]
}
