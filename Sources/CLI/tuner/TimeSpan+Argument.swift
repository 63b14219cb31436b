public import ArgumentParser
public import Timebase

/// `--for` takes times as the metronome does: 10, 90s, 10m, 1h30m or 2:30.
extension TimeSpan: ExpressibleByArgument {
    /// Reads `argument` as the metronome does.
    public init?(argument: String) { try? self.init(parsing: argument) }

    /// The length in seconds.
    var inSeconds: Double { Double(seconds.numerator) / Double(seconds.denominator) }
}
