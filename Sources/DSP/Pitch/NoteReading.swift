internal import CRealtime
internal import Realtime
internal import Spectral

// What a fit of the followed note is told as: the reading, its standard error, and whether it is believed.
extension HarmonicDetector {
    /// Leaves a reading that rests on `samples` samples of the copy.
    ///
    /// The variance is that of white noise at least, and what the scatter of the partials within the window and the
    /// differences of successive windows tell beyond that.
    @_noLocks mutating func tell(_ w: Double, variance: Double, scatter: Double, samples: Int) {
        let scale = sizes.rate / (2 * .pi * Double(1 << note.level))
        let stretch = rt_sqrt(1 + note.stiffness)
        let isMoving = note.moving > 0 || note.wasMoving
        note.fundamental = w
        note.frequency = w * stretch * scale * (1 + departure(from: w, isMoving: isMoving))
        note.inharmonicity = note.stiffness
        let isStiff = note.stiffness > 0 && note.moving == 0
        note.periodicity = isStiff ? fits.long.pointee.repetition() * scale : note.frequency
        let density = bank.noiseDensity(note.level)
        let chance = max(0, variance * density)
        // Twice: partials wander together as well as apart. Measured on real notes.
        let spread = chance + 2 * scatter * density
        let innovation = note.innovation
        let between = innovation.wander + (isMoving ? 0.003 * innovation.motion : innovation.disagreement)
        let doubt = spread + w * w * between
        note.standardError = 1_731.234 * rt_sqrt(doubt + (note.stiffness > 0 ? 0 : note.looseness)) / w
        note.agree(on: note.frequency, at: bank.count(0))
        note.window = (samples << note.level) * sizes.base
        let error = 1_731.234 * rt_sqrt(chance) / w
        note.count(note.frequency, standardError: error, most: 2 * steadyHops)
        note.smoothness = isSmooth(w, standardError: error) ? note.smoothness + 1 : 0
        let isClear = note.clarity >= 0.85 || (note.clarity > 0.6 && note.explained > 0.9)
        // A tenth of a second: noise of 10 Hz and more has turned by then.
        let isLasting = Double(note.smoothness * sizes.hop) >= 0.1 * sizes.rate
        note.isVoiced = isClear && isLasting || isSteady(level: note.level)
    }

    /// By what share the reading departs from a fit: a long window's lag is made up for, and what a moving pitch's last
    /// reading lay off fades within 15 ms instead of at once.
    @_noLocks private mutating func departure(from w: Double, isMoving: Bool) -> Double {
        guard !isMoving else {
            note.departure = 0
            return 0
        }
        note.departure *= rt_exp(-Double(sizes.hop) / (0.015 * sizes.rate))
        return note.departure + note.innovation.lag
    }

    /// Whether the pitch goes on as it was about to; asked of a lone line only.
    ///
    /// Noise in a narrow band is a line to a short window, but fades and wanders off within the inverse of its bandwidth.
    /// A tone does not fade, and a vibrato and a glide stay on the parabola of the last three fits: within a few cents
    /// even where it is ±100 cents wide at 7 Hz. Partials that hold together are evidence enough.
    @_noLocks private func isSmooth(_ w: Double, standardError: Double) -> Bool {
        if note.heard > 1 { return true }
        guard note.explained > 0.85 else { return false }
        // Two fits make no parabola.
        guard note.moving > 0, note.twoBefore > 0 else { return true }
        return 1_731.234 * note.stray / w < max(8, 4 * standardError)
    }
}
