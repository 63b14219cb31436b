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

    /// When the last click was heard that is clear, or on the line after one that is: a note may be there by chance.
    internal var end: Double? {
        let places = inLine
        let last = places.indices.last { index in
            places[index].likeness > Self.clear || index > 0 && places[index - 1].stroke == places[index].stroke - 1
        }
        return last.map { places[$0].time }
    }

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
