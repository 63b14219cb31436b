internal import CRealtime
internal import Realtime

extension MelodyGrid {
    /// The grid of one tempo that the notes keep to best, where the sound has no beat that can be heard: of bows and voices, whose
    /// attacks do not stand out. `nil` where they keep to none. It begins with the first note.
    ///
    /// - Parameters:
    ///   - starts: the beginnings of the notes in the order of time, in seconds.
    ///   - around: a tempo within a quarter of which it is, if that is known.
    package init?(starts: [Double], around: Double? = nil, meter: Meter) {
        guard let first = starts.first, let last = starts.last, starts.count >= Self.fewestNotes else { return nil }
        let opening = Array(starts.prefix { $0 <= first + Self.opening })
        var best: (likelihood: Double, line: Line)?
        for tempo in Self.candidates(opening, around) {
            guard let line = Line(opening, tempo: tempo) else { continue }
            let likelihood = line.likelihood(of: opening)
            if likelihood > best?.likelihood ?? -.infinity { best = (likelihood, line) }
        }
        guard var line = best?.line else { return nil }
        // The line goes on: each time so far that the next beats cannot be counted wrong.
        var end = first + Self.opening
        while end < last {
            end += end - first
            guard let longer = line.fitted(to: starts.filter { $0 <= end }) else { return nil }
            line = longer
        }
        let perHeard = meter.perHeardBeat
        let origin = rt_round(line.position(of: first))
        let count = Int(max(0, line.position(of: last) - origin) * perHeard) + 2
        self.init(
            beats: (0..<count).map { line.seconds(of: origin + Double($0) / perHeard) }, meter: meter,
            tempo: 60 / line.period)
        findParts(starts)
        guard isKept(by: starts, choices: Self.mostCandidates) else { return nil }
    }

    /// Fewer notes keep to any tempo.
    private static let fewestNotes = 12
    /// Seconds in which the tempo is looked for.
    private static let opening = 30.0
    /// The tempi that are compared closely.
    private static let mostCandidates = 60
    /// Beats per minute.
    private static let slowest = 40.0, fastest = 208.0
    /// The step of the tempi: so many beats over the opening, within which notes on the beat stay together.
    private static let step = 0.1

    /// The tempi at which most notes lie at one place of the beat, of its half, its third or its quarter.
    private static func candidates(_ starts: [Double], _ around: Double?) -> [Double] {
        let length = max(1, starts[starts.count - 1] - starts[0])
        let increment = 60 * step / length
        var tempi: [(tempo: Double, height: Double)] = []
        let range = around.map { $0 / 1.25...$0 * 1.25 } ?? slowest...fastest
        var tempo = range.lowerBound
        while tempo <= range.upperBound {
            let height = [1.0, 2, 3, 4].map { together(starts, tempo * $0 / 60) }.max() ?? 0
            tempi.append((tempo, height))
            tempo += increment
        }
        let peaks = tempi.indices.filter { n in
            (n == 0 || tempi[n].height >= tempi[n - 1].height)
                && (n == tempi.count - 1 || tempi[n].height >= tempi[n + 1].height)
        }
        return peaks.sorted { tempi[$0].height > tempi[$1].height }.prefix(mostCandidates).map { tempi[$0].tempo }
    }

    /// The length of the sum of the notes as phases of a frequency, 0 to 1.
    private static func together(_ starts: [Double], _ frequency: Double) -> Double {
        var (x, y) = (0.0, 0.0)
        for start in starts {
            let angle = 2 * Double.pi * frequency * start
            (x, y) = (x + rt_cos(angle), y + rt_sin(angle))
        }
        return rt_sqrt(x * x + y * y) / Double(starts.count)
    }
}

/// Beats at equal times.
private struct Line {
    /// Seconds from beat to beat, and of beat 0.
    private(set) var period: Double, origin: Double
    private var parts = BeatParts([])

    /// Beats at a tempo near this one, the first of them near the first note, that lie where the notes are closest to them.
    init?(_ starts: [Double], tempo: Double) {
        (period, origin) = (60 / tempo, starts[0])
        guard let line = fitted(to: starts) else { return nil }
        self = line
    }

    func position(of seconds: Double) -> Double { (seconds - origin) / period }
    func seconds(of position: Double) -> Double { origin + period * position }

    /// The line through the notes at their places.
    func fitted(to starts: [Double]) -> Line? {
        var line = self
        for _ in 0..<Self.rounds {
            line.parts = BeatParts(starts.map(line.position))
            var fit = LineFit()
            for start in starts { fit.add(x: line.parts.place(of: line.position(of: start)).position, y: start) }
            guard fit.spread > 0, fit.slope > 0 else { return nil }
            (line.period, line.origin) = (fit.slope, fit.value(at: 0))
        }
        return line
    }

    /// The logarithm of the likelihood of the notes and of the tempo, up to a constant.
    func likelihood(of starts: [Double]) -> Double {
        let octaves = rt_log2(60 / period / Self.usual) / Self.width
        return Double(starts.count) * parts.evidence(of: starts.map(position)) - octaves * octaves / 2
    }

    private static let rounds = 3
    /// Beats per minute, and octaves: the tempi of music. The notes alone prefer the slower of two levels, on which fewer of them
    /// are on the beat; with 0.5 octaves, tempi from 124 on were halved.
    private static let usual = 110.0, width = 0.3
}
