internal import Foundation
public import Intonation
internal import Music
public import Pitch

/// A reading as an engine would make it, named by a finder.
///
/// - Parameters:
///   - frame: of a stream at 48 kHz.
///   - hertz: the pitch; `nil` for none.
///   - level: in decibels.
///   - error: the standard error in cents.
///   - finder: the rules.
public func reading(
    at frame: Int64, _ hertz: Double?, level: Double = -20, error: Double = 0, finder: NoteFinder = standardFinder
) -> TunedNote {
    TunedNote(
        engineReading(at: frame, hertz, level: level, error: error), clock: SampleClock(nominalRate: 48.kilohertz),
        finder: finder)
}

/// A reading as an engine would make it.
public func engineReading(
    at frame: Int64, _ hertz: Double?, level: Double = -20, error: Double = 0
) -> PitchReading {
    var reading = PitchReading(
        frame: frame, state: hertz == nil ? .unvoiced : .voiced, level: level.decibels, clarity: 0.97)
    if let hertz { (reading.frequency, reading.periodicity) = (hertz.hertz, hertz.hertz) }
    reading.standardError = error.cents
    return reading
}

/// A4 = 440 Hz, equal temperament.
public let standardFinder: NoteFinder = {
    guard let tuning = try? Tuning() else { preconditionFailure("the standard tuning is a tuning") }
    return NoteFinder(tuning: tuning)
}()

/// Forty seconds: five notes of eight seconds each, 6 cents sharp, drifting up by 15 cents a minute, with a vibrato of 2
/// cents.
package func driftingTake(name: String = "scale.wav") -> Take {
    var take = Take(name: name, finder: standardFinder)
    for i in 0..<8_000 {
        let seconds = Double(i) / 200
        let midi = 60 + [0, 2, 4, 5, 7][i / 1_600]
        let cents = 6 + seconds / 4 + 2 * sin(2 * .pi * 5 * seconds)
        let hertz = 440 * exp2((Double(midi) - 69 + cents / 100) / 12)
        take.add(reading(at: Int64(i * 240), i % 1_600 < 80 ? nil : hertz))
    }
    take.finish()
    return take
}
