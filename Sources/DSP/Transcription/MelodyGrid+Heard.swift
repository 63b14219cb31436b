internal import CRealtime
internal import Music
internal import Realtime

extension MelodyGrid {
    /// The grid that the notes are played on, found by the beats that were heard; `nil` where there is none with confidence:
    /// fewer than eight beats were heard, or the notes do not keep to them.
    ///
    /// - Parameter heard: the beats with a note, in the order of time.
    package init?(_ tones: [MelodyTone], heard: [HeardBeat], meter: Meter) {
        self.init(starts: tones.map(\.start.inSeconds), heard: heard, meter: meter)
    }

    /// The same by the beginnings of the notes, in seconds.
    package init?(starts: [Double], heard: [HeardBeat], meter: Meter) {
        guard let first = starts.first, let last = starts.last,
            let counted = CountedBeats(HeardBeat.withChanges(heard, starts: starts), from: first)
        else { return nil }
        let perHeard = meter.perHeardBeat
        let end = counted.number(at: last) * perHeard
        self.init(
            beats: (0..<(Int(max(0, end)) + 2)).map { counted.seconds(of: Double($0) / perHeard) }, meter: meter,
            tempo: 60 / counted.period)
        changes = counted.changes.map { (beat: Int(rt_round($0.number * perHeard)), tempo: $0.tempo) }
        let breaks = counted.breaks.map { $0 * perHeard }
        // Twice, as the first fit may change the places of notes.
        for _ in 0..<2 {
            fit(starts, breaks: breaks, reach: Self.reach * perHeard)
        }
        findParts(starts)
        guard isKept(by: starts) else { return nil }
    }

    /// Notes within so many beats that are heard, to either side, tell where a beat is.
    static let reach = 12.0
    /// A line through the whole take may scatter by so much more than the lines through its parts: by 1 ms, the measurement's.
    private static let steadiness = (share: 1.15, seconds: 0.001)
    /// The least share of a period in which beats follow each other.
    private static let closest = 0.25

    /// Puts the beats on curves through the notes at their likeliest places.
    mutating func fit(_ starts: [Double], breaks: [Double], reach: Double) {
        findParts(starts)
        fit(
            starts.map { (x: parts.place(of: position(of: $0)).position, y: $0) }.sorted { $0.x < $1.x },
            breaks: breaks, reach: reach)
    }

    /// Puts the beats on curves through notes, which do not cross a break.
    ///
    /// - Parameter points: the beats that the notes belong to, rising, and seconds.
    mutating func fit(_ points: [(x: Double, y: Double)], breaks: [Double], reach: Double) {
        var whole = LineFit()
        for point in points { whole.add(x: point.x, y: point.y) }
        var fitted = beats
        var begin = 0
        for index in beats.indices {
            let place = Double(index)
            while begin < points.count, points[begin].x < place - reach { begin += 1 }
            let (from, to) = (breaks.last { $0 <= place } ?? -.infinity, breaks.first { $0 > place } ?? .infinity)
            var curve = LocalCurve()
            for point in points[begin...].prefix(while: { $0.x <= place + reach }) where from < point.x && point.x < to
            {
                let distance = abs(point.x - place) / reach
                let rest = 1 - distance * distance * distance
                curve.add(point.x - place, point.y - beats[index], weight: rest * rest * rest)
            }
            if let late = curve.value { fitted[index] += late }
        }
        var isSteady = breaks.isEmpty && whole.spread > 0 && whole.slope > 0
        if isSteady {
            let straight = fitted.indices.map { whole.value(at: Double($0)) }
            let limit = Self.steadiness.share * scatter(points, fitted) + Self.steadiness.seconds
            isSteady = scatter(points, straight) <= limit
            if isSteady { fitted = straight }
        }
        for index in fitted.indices.dropFirst() {
            fitted[index] = max(fitted[index], fitted[index - 1] + Self.closest * (beats[index] - beats[index - 1]))
        }
        beats = fitted
    }

    /// The root mean square distance of notes from beats, in seconds.
    func scatter(_ points: [(x: Double, y: Double)], _ beats: [Double]) -> Double {
        var grid = self
        grid.beats = beats
        let squares = points.reduce(0.0) { sum, point in
            let late = point.y - grid.time(of: point.x)
            return sum + late * late
        }
        return (squares / Double(max(1, points.count))).squareRoot()
    }
}

/// Beats that were heard, counted through those without a note.
private struct CountedBeats {
    private(set) var numbers: [Double] = []
    private let seconds: [Double]
    /// Numbers in the middle of pauses that no counting bridges.
    private(set) var breaks: [Double] = []
    /// The mean time from beat to beat up to the first sudden change of the tempo, pauses left out.
    private(set) var period = 0.0
    /// The beats at which another tempo begins suddenly, and that, in beats per minute.
    private(set) var changes: [(number: Double, tempo: Double)] = []
    /// The time of a beat at the beginning and at the end.
    private var first = 0.0, last = 0.0

    private static let fewest = 8
    /// A gap of more beats is a pause, and so is one that is no whole number of them, by more than a quarter.
    private static let longestGap = 4.0, tolerance = 0.25
    /// A tempo that changes by so much from one beat to the next is another one.
    private static let jump = 0.15
    /// Who pauses or jumps more often than at each tenth beat keeps no tempo.
    private static let mostBreaks = 0.1

    /// - Parameter start: when the music begins: beat 0 is near.
    init?(_ beats: [HeardBeat], from start: Double) {
        let heard = beats.map(\.seconds)
        seconds = heard
        guard heard.count >= Self.fewest, zip(heard, heard.dropFirst()).allSatisfy(<),
            beats.allSatisfy({ $0.period > 0 })
        else { return nil }
        let intervals = zip(heard, heard.dropFirst()).map { $1 - $0 }
        var (number, time, count) = (0.0, 0.0, 0.0)
        numbers = [0]
        for (index, interval) in intervals.enumerated() {
            let usual = beats[index + 1].period
            let passed = max(1, (interval / usual).rounded())
            let hasJumped = abs(beats[index].period / usual - 1) > Self.jump
            if !beats[index + 1].goesOn || passed > Self.longestGap || abs(interval / usual - passed) > Self.tolerance
                || hasJumped
            {
                breaks.append(number + passed / 2)
            } else if changes.isEmpty {
                (time, count) = (time + interval, count + passed)
            }
            if !beats[index + 1].goesOn { changes.append((number, 60 / usual)) }
            number += passed
            numbers.append(number)
            if index == 7 || index == intervals.count - 1, first == 0 { first = (heard[index + 1] - heard[0]) / number }
        }
        guard count > 0, Double(breaks.count) <= Self.mostBreaks * Double(heard.count) else { return nil }
        let tail = max(0, numbers.count - 9)
        last = (heard[heard.count - 1] - heard[tail]) / (number - numbers[tail])
        period = time / count
        let missing = max(0, ((heard[0] - start) / first).rounded())
        numbers = numbers.map { $0 + missing }
        breaks = breaks.map { $0 + missing }
        changes = changes.map { ($0.number + missing, $0.tempo) }
    }

    func seconds(of number: Double) -> Double {
        Self.value(at: number, numbers, seconds, before: first, after: last)
    }

    func number(at time: Double) -> Double {
        Self.value(at: time, seconds, numbers, before: 1 / first, after: 1 / last)
    }

    /// The broken line through points, which goes on with a slope at either end.
    private static func value(
        at x: Double, _ xs: [Double], _ ys: [Double], before: Double, after: Double
    ) -> Double {
        let end = xs.count - 1
        if x <= xs[0] { return ys[0] + (x - xs[0]) * before }
        if x >= xs[end] { return ys[end] + (x - xs[end]) * after }
        var (low, high) = (0, end)
        while high - low > 1 {
            let middle = (low + high) / 2
            if xs[middle] <= x { low = middle } else { high = middle }
        }
        return ys[low] + (x - xs[low]) / (xs[high] - xs[low]) * (ys[high] - ys[low])
    }
}
