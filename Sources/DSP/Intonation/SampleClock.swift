package import Music
package import Pitch

/// The clock that counts a device's samples: what its label says, and how far it is off.
///
/// A sound card runs up to some hundred ppm faster or slower than its nominal rate, and everything that is measured in
/// samples is wrong by that much: 100 ppm are 0.17 cents, or a third of a second in an hour. This is the one place where
/// that is corrected. Everything derived from a `TunedNote` is in true hertz and true seconds.
///
/// ```swift
/// let clock = SampleClock(nominalRate: 48.kilohertz, error: 100.ppm)
/// let reading = PitchReading(frame: 256, state: .voiced, level: (-20.0).decibels)
/// let note = TunedNote(reading, clock: clock, finder: NoteFinder(tuning: try Tuning()))
/// ```
package struct SampleClock: Sendable, Hashable {
    /// The rate on the label, which the engine was made for.
    package let nominalRate: Hertz
    /// How much faster the clock runs than its label.
    package let error: PartsPerMillion

    /// A clock with this label and this error; 0 ppm for a recording whose device is unknown.
    package init(nominalRate: Hertz, error: PartsPerMillion = 0.ppm) {
        (self.nominalRate, self.error) = (nominalRate, error)
    }

    /// A clock with this label whose true rate was measured.
    init(nominalRate: Hertz, trueRate: Hertz) {
        self.init(nominalRate: nominalRate, error: PartsPerMillion(ratio: trueRate / nominalRate))
    }

    /// The rate at which samples really pass.
    package var trueRate: Hertz { nominalRate * error.ratio }

    package func time(ofFrame frame: Int64) -> Duration { .seconds(Double(frame) / trueRate.value) }

    /// The last frame before or at a time from the start of the stream, clamped to the range of the frame count.
    package func frame(at time: Duration) -> Int64 {
        // A Duration is below 2^64 s, so that the product fits 128 bits at any rate.
        Int64(clamping: Int128((time.inSeconds * trueRate.value).rounded(.down)))
    }

    /// A reading in true hertz, made from one that an engine for `nominalRate` returned. Cents and levels do not depend on
    /// the clock.
    package func corrected(_ reading: PitchReading) -> PitchReading {
        var corrected = reading
        corrected.frequency = reading.frequency * error.ratio
        corrected.periodicity = reading.periodicity * error.ratio
        return corrected
    }
}
