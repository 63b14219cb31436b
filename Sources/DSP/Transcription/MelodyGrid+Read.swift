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
                of: starts, in: meter.isCompound ? .threeEighths : .quarter, around: around),
            reading.evidence(of: starts) >= max(Self.leastTotal, Self.leastEvidence * Double(starts.count))
        else { return nil }
        let lines = reading.parts.map { reading.line(through: $0, starts: starts) }
        guard let first = lines[0], let last = lines[lines.count - 1] else { return nil }
        // Beat 0 is the one near the first note; an upbeat is shorter than half a beat.
        let origin = rt_round((starts[0] - first.value(at: 0)) / first.slope)
        let (perBeat, division) = (meter.perHeardBeat, reading.division)
        let points = reading.notes.map {
            (x: perBeat * (Double($0.place) / Double(division.ticks) - origin), y: starts[$0.index])
        }
        self.init(
            beats: Self.beats(through: points, before: first.slope / perBeat, after: last.slope / perBeat),
            meter: meter,
            tempo: 60 / first.slope)
        var breaks: [Double] = []
        for (part, line) in zip(reading.parts, lines).dropFirst() {
            guard let line else { continue }
            let place = points[part.lowerBound].x
            changes.append((beat: Int(rt_round(place)), tempo: 60 / line.slope))
            breaks.append(place - 0.5)
        }
        for (point, next) in zip(points, points.dropFirst())
        where next.x - point.x > perBeat * Double(division.longest) / Double(division.ticks) {
            breaks.append((point.x + next.x) / 2)
        }
        breaks.sort()
        fit(points, breaks: breaks, reach: Self.reach * perBeat)
        // Once more by the parts of a beat, where notes that are far off their places do not pull.
        fit(starts, breaks: breaks, reach: Self.reach * perBeat)
        findParts(starts)
        doubts = GridDoubts(
            stray: reading.stray(starts),
            ambiguous: doubtful.map { starts[$0.lowerBound]...starts[$0.upperBound] })
    }

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
