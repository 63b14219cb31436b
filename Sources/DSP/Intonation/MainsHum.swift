internal import Music

/// Frequencies of mains hum.
enum MainsHum {
    /// Hum above this level is not ignored, since somebody may play that note.
    static let loudest = (-40.0).decibels

    private static let frequencies = [50.0, 60, 100, 120]

    /// The mains frequency, or its double, within `reach` of a pitch.
    static func frequency(near pitch: Hertz, within reach: Cents) -> Hertz? {
        frequencies.first { abs(Cents(from: $0.hertz, to: pitch).value) <= reach.value }?.hertz
    }

    /// How far a measured pitch may lie from that of the grid: 0.4 % (EN 50160: 49.5 to 50.5 Hz for 99.5 % of a year; within
    /// ± 0.2 Hz in normal operation).
    static let gridError = 7.cents
}
