internal import CRealtime

/// Sounds of a room that have a pitch and are no notes: mains hum and rumble.
enum Background {
    /// Louder than this, as a power of one step (-25 dB of full scale), it is no hum that anybody would play over.
    static var loudestHum: Double { @_noLocks get { 3e-3 } }
    /// How many times louder than all of the level memory, two periods of hum, a step must be to announce a note.
    static var leastRise: Double { @_noLocks get { 2 } }

    /// Whether a pitch in hertz is that of mains hum or of its rectified half: 50, 60, 100 or 120 Hz.
    ///
    /// Grids keep within 0.4 % (EN 50160: 49.5 to 50.5 Hz for 99.5 % of a year; in normal operation ± 0.2 Hz). The nearest
    /// notes, G1 and B1, lie 2 and 2.9 % away.
    @_noLocks static func isMains(_ frequency: Double) -> Bool {
        let turns = frequency < 80 ? frequency : frequency / 2
        return abs(turns / 50 - 1) < 0.004 || abs(turns / 60 - 1) < 0.004
    }

    /// Whether what a fit found is the room: rumble, or hum that no attack announced.
    ///
    /// Rumble is a band of noise, of which two periods look like a tone, and has no partials above itself; the strings and
    /// pipes below 45 Hz have. A fiftieth of the power is asked for.
    ///
    /// - Parameter scale: hertz per radian and sample.
    @_noLocks static func isBackground(
        _ found: FoundNote, scale: Double, power: Double, isAnnounced: Bool
    ) -> Bool {
        if found.frequency < 45 && found.tone.share(above: 55 / scale) < 0.02 { return true }
        return !isAnnounced && power < loudestHum && isMains(found.frequency)
    }
}
