internal import Realtime

/// Where the clicks of a recording were found, and the line of their lags over time.
///
/// Under a note a click may be found anywhere about its place; most are found within some samples of it. The line is that of
/// those, and the clearest tell it: the error of a place falls with the noise beside the click.
internal struct ClickPlaces: Sendable {
    /// A click, in seconds of the plan: by how much later it was heard than its frame, and how far after that frame its exact
    /// instant lies.
    internal struct Place: Sendable {
        let stroke: Int
        let time: Double, lag: Double, fraction: Double, likeness: Double

        /// The power of the click over that of what is beside it.
        var weight: Double { likeness * likeness / (1 + ClickPlaces.leastNoise - likeness * likeness) }
    }

    /// 40 dB below a click that is all that is heard: its place is told by a parabola.
    private static let leastNoise = 1e-4
    /// The lags of the clicks under one line: half of those of a player's notes are farther apart.
    private static let width = 0.000_2
    /// A click like this is one by itself.
    private static let clear = 0.5

    internal var all: [Place] = []
    /// The mean power of what is heard at each stroke, whether a click was found there or not.
    internal var powers: [Double] = []

    /// Those that lie on one line: the densest about the line of all.
    private var inLine: [Place] {
        var kept = all
        for _ in 0..<3 {
            var line = LineFit(priorSlopeWeight: 1)
            for place in kept { line.add(x: place.time, y: place.lag, weight: min(1, place.weight)) }
            let distances = all.map { $0.lag - line.value(at: $0.time) }
            let middle = Self.densest(distances, width: Self.width)
            kept = zip(all, distances).filter { abs($1 - middle) < Self.width }.map(\.0)
        }
        return kept
    }

    /// The lags behind the clicks' frames, or behind their exact instants: whichever leaves less scatter.
    ///
    /// - Parameter other: the line where no click was found.
    internal func lines(from other: LineFit) -> (best: LineFit, isExact: Bool) {
        guard !all.isEmpty else { return (other, false) }
        var whole = LineFit(priorSlopeWeight: 1), exact = LineFit(priorSlopeWeight: 1)
        for place in inLine {
            whole.add(x: place.time, y: place.lag, weight: place.weight)
            exact.add(x: place.time, y: place.lag - place.fraction, weight: place.weight)
        }
        let isExact = exact.residual < whole.residual
        return (isExact ? exact : whole, isExact)
    }

    /// The last stroke that may be heard: it is clear, or on the line after one that is, as a note may be there by chance; or
    /// louder ones hide it after such a stroke.
    internal var last: Int? {
        let places = inLine
        let found = places.indices.last { index in
            places[index].likeness > Self.clear || index > 0 && places[index - 1].stroke == places[index].stroke - 1
        }
        guard let found else { return nil }
        let clicks = places.map { $0.likeness * $0.likeness * powers[$0.stroke - 1] }.sorted()
        let usual = clicks[clicks.count / 2]
        let first = places[found].stroke
        return powers[first...].prefix(Self.hidden).firstIndex { $0 < usual } ?? min(powers.count, first + Self.hidden)
    }

    /// Clicks in a row that notes may hide: of 56 in a room, under plucks as loud as they are, 26 were found, and so many in a row
    /// are hidden once in 160.
    private static let hidden = 8

    /// Whether the first clicks are heard alone: half of eight are nearly as like their sounds as the likest of all is.
    internal var beginAlone: Bool {
        let likest = all.reduce(0) { max($0, $1.likeness) }
        let alone = all.prefix { $0.stroke <= Self.first }.count { $0.likeness > Self.undisturbed * likest }
        return 2 * alone >= Self.first
    }

    private static let first = 8
    /// The share of the likest click's likeness that one has alone, at least: eight in a room differ by 0.001, and under notes
    /// that are as loud one of 45 had more than 0.7.
    private static let undisturbed = 0.9

    /// The middle of the window that holds most of the values.
    internal static func densest(_ values: [Double], width: Double) -> Double {
        let sorted = values.sorted()
        var (first, middle, most) = (0, sorted.first ?? 0, 1)
        for last in sorted.indices {
            while sorted[last] - sorted[first] > width { first += 1 }
            if last - first + 1 > most { (middle, most) = ((sorted[first] + sorted[last]) / 2, last - first + 1) }
        }
        return middle
    }
}
