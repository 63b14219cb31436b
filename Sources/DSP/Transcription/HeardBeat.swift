package import Rhythm

/// A beat of a melody with a note on it, in seconds, and the time from beat to beat there.
package struct HeardBeat: Sendable {
    package let seconds: Double, period: Double
    /// Whether the tempo is that of the beat before; `false` where another one begins.
    let goesOn: Bool

    package init(seconds: Double, period: Double) { self.init(seconds: seconds, period: period, goesOn: true) }

    init(seconds: Double, period: Double, goesOn: Bool) {
        (self.seconds, self.period, self.goesOn) = (seconds, period, goesOn)
    }

    package static func all(in report: TempoReport) -> [HeardBeat] {
        report.beats.filter { $0.isHeard && $0.tempo.beatsPerMinute > 0 }
            .map { HeardBeat(seconds: report.seconds($0), period: 60 / $0.tempo.beatsPerMinute) }
    }
}
