internal import CRealtime
internal import Realtime
internal import Spectral

/// Sounds of a room that have a pitch and are no notes: mains hum and rumble.
enum Background {
    /// Seconds after an attack within which a note that is found belongs to it.
    static var announcement: Double { @_noLocks get { 0.25 } }
    /// Louder than this, as a power of one hop (-25 dB of full scale), it is no hum that anybody would play over.
    static var loudestHum: Double { @_noLocks get { 3e-3 } }
    /// How many times louder than all of the last 43 ms, two periods of hum, a hop must be to announce a note.
    static var leastRise: Double { @_noLocks get { 2 } }

    /// Whether a pitch in hertz is that of mains hum or of its rectified half: 50, 60, 100 or 120 Hz.
    ///
    /// Grids keep within 0.4 % (EN 50160: 49.5 to 50.5 Hz for 99.5 % of a year; in normal operation ± 0.2 Hz). The nearest
    /// notes, G1 and B1, lie 2 and 2.9 % away.
    @_noLocks static func isMains(_ frequency: Double) -> Bool {
        let turns = frequency < 80 ? frequency : frequency / 2
        return abs(turns / 50 - 1) < 0.004 || abs(turns / 60 - 1) < 0.004
    }
}

extension HarmonicFit {
    /// The share of the partials' power that lies above a frequency in radians per sample.
    @_noLocks func share(above frequency: Double) -> Double {
        var (all, above) = (1e-30, 0.0)
        for k in 1...gram.partialCount {
            let power = weight.base[k] * power(of: k)
            all += power
            if gram.frequency.base[k] > frequency { above += power }
        }
        return above / all
    }
}

extension HarmonicDetector {
    /// Whether what a fit found is the room: rumble, or hum that no attack announced.
    ///
    /// Rumble is a band of noise, of which two periods look like a tone, and has no partials above itself: the strings
    /// and pipes below 45 Hz have. A fiftieth of the power is asked for.
    @_noLocks func isBackground(_ found: Found, power: Double) -> Bool {
        let scale = 2 * Double.pi * Double(1 << found.level) / sizes.rate
        if found.frequency < 45 && fits.short.pointee.share(above: 55 * scale) < 0.02 { return true }
        let isAnnounced = Double(bank.count(0) - attack) < Background.announcement * sizes.rate
        return !isAnnounced && power < Background.loudestHum && Background.isMains(found.frequency)
    }
}
