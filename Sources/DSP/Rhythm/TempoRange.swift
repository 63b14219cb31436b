internal import CRealtime
internal import Music
internal import Timebase

/// The periods of the beat that a tracker looks for, in frames.
internal struct TempoRange {
    let periods: ClosedRange<Int>
    /// Those that the music may begin with, and the likeliest.
    let beginning: ClosedRange<Double>
    let preferred: Double

    /// - Parameters:
    ///   - framesPerMinute: frames of the tracker.
    ///   - around: the tempo that is known beforehand.
    init(framesPerMinute: Double, around: Tempo?, constants: TempoConstants) {
        var (slowest, fastest, preferred) = (39.0, 246.0, Double(constants.preferred))
        var beginning = framesPerMinute / fastest...framesPerMinute / slowest
        if let around {
            let hints = TempoTracker.hints
            preferred = min(hints.upperBound, max(hints.lowerBound, around.beatsPerMinute.value))
            (slowest, fastest) = (preferred * 0.5, preferred * 2)
            beginning = framesPerMinute / (preferred * 1.25)...framesPerMinute / (preferred * 0.75)
        }
        periods = Int(framesPerMinute / fastest)...Int(rt_ceil(framesPerMinute / slowest))
        (self.beginning, self.preferred) = (beginning, framesPerMinute / preferred)
    }
}

extension TempoTracker {
    /// The tempi that may be named beforehand, in beats per minute.
    package static let hints = 30.0...320
}
