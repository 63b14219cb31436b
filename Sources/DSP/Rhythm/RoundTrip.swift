package import Music

/// The latency from an output to an input, measured by clicks that are played and heard again.
package struct RoundTrip: Sendable, Hashable {
    /// Clicks that were played.
    package var played = 0
    /// Clicks that were heard.
    package private(set) var heard = 0
    /// The mean amplitude of the clicks relative to what was played.
    package private(set) var gain = 0.0
    /// Xruns and other breaks of both streams.
    package var breaks = 0
    /// Clicks around the breaks, which are left out.
    package var dropped = 0
    /// In seconds: two running means, and the sum of squared deviations from the first.
    private var hiddenMean = 0.0, wholeMean = 0.0, squares = 0.0

    package init() {}

    /// The mean latency that the devices do not report, such as that of air and converters.
    package var hidden: Duration { .seconds(hiddenMean) }
    /// The standard deviation of single clicks about that.
    package var deviation: Duration { .seconds(heard > 1 ? (squares / Double(heard - 1)).squareRoot() : 0) }
    /// The mean time from the program out and back in.
    package var whole: Duration { .seconds(wholeMean) }

    /// Adds a click: running means and a standard deviation.
    ///
    /// - SeeAlso: Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4(3),
    ///   1962.
    package mutating func add(hidden: Duration, whole: Duration, gain: Double) {
        heard += 1
        let (count, hidden) = (Double(heard), hidden.inSeconds)
        let before = hidden - hiddenMean
        hiddenMean += before / count
        squares += before * (hidden - hiddenMean)
        wholeMean += (whole.inSeconds - wholeMean) / count
        self.gain += (gain - self.gain) / count
    }
}

/// The clicks that measure a round trip: two per second, after a second in which both streams settle.
package struct ClickTrain: Sendable {
    /// The samples of a click.
    package let click: [Float]
    private let rate: Int64
    /// Frames from one click to the next.
    private let interval: Int64

    /// A train at a rate of whole frames per second.
    package init(sampleRate: Hertz) {
        click = ClickFinder.sweep(sampleRate: sampleRate)
        rate = Int64(sampleRate.value)
        interval = rate / 2
    }

    /// A finder of these clicks in what is recorded at the same rate.
    package var finder: ClickFinder { ClickFinder(click: click, spacing: Int(interval / 2)) }

    /// The first frame of a click, counted from 0.
    package func frame(ofClick number: Int) -> Int64 { rate + Int64(number) * interval }

    /// The click of which a frame is a part, and its sample there; `nil` before the first click.
    package func place(ofFrame frame: Int64) -> (number: Int, sample: Int)? {
        frame < rate ? nil : (Int((frame - rate) / interval), Int((frame - rate) % interval))
    }

    /// The click that begins about a frame: up to 0.4 s late, or 0.1 s early if a device reports too much latency. `nil`
    /// before the first click.
    package func click(heardAt frame: Int64) -> Int? { place(ofFrame: frame + rate / 10)?.number }
}
