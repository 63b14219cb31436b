internal import CRealtime
internal import Music

/// For how long a pitch has been found in one place: what speaks for a note where a single window is not clear.
struct NoteBelief: BitwiseCopyable {
    /// The frequency around which readings have stayed, and for how many seconds.
    private var anchor = 0.0
    private(set) var steadiness = 0.0
    /// What the window before found, and the sample since which windows agree.
    private var agreedPitch = 0.0
    private var agreedSince = 0
    /// Whether the note began while another one was less than 30 dB below.
    var isOverAnother: Bool
    /// The frequency of that note in hertz, 0 where it is not known.
    var ringing: Double

    @_noLocks init(isOverAnother: Bool = false, ringing: Double = 0) {
        (self.isOverAnother, self.ringing) = (isOverAnother, ringing)
    }

    /// What is left once everything but how the note began is forgotten.
    @_noLocks func afresh() -> NoteBelief { NoteBelief(isOverAnother: isOverAnother, ringing: ringing) }

    @_noLocks mutating func forget() { self = afresh() }

    /// Notes what a window that ends at sample `end` found; returns for how many samples windows have agreed.
    @discardableResult
    @_noLocks mutating func agree(on pitch: Double, at end: Int) -> Int {
        if agreedPitch <= 0 || abs(pitch / agreedPitch - 1) > NoteEvidence.agreement { agreedSince = end }
        agreedPitch = pitch
        return end - agreedSince
    }

    /// Counts for how long the frequency has stayed where it was, within what its standard error allows.
    ///
    /// Noise that happens to look periodic wanders by more than that. 8 cents are always allowed, 35 at most. A reading
    /// that falls out takes three steps off: the sum forgives one in four, and noise never gets far.
    ///
    /// - Parameters:
    ///   - standardError: cents.
    ///   - step: seconds since the last reading.
    ///   - most: seconds at which counting ends.
    /// - Returns: whether it has stayed.
    @discardableResult
    @_noLocks mutating func count(_ frequency: Double, standardError: Double, step: Double, most: Double) -> Bool {
        let tolerance = min(35, max(8, 4 * standardError)) / Cents.perNeper
        if anchor > 0, standardError < 10, abs(frequency / anchor - 1) < tolerance {
            steadiness = min(most, steadiness + step)
            anchor += 0.1 * (frequency - anchor)
            return true
        }
        steadiness -= 3 * step
        if steadiness <= 0 { (anchor, steadiness) = (frequency, step) }
        return false
    }

    /// Whether the pitch has stayed for long enough, and carries enough of the power, to be believed without clarity.
    ///
    /// A tone as strong as white noise is F / (F + 1) of the power of a copy of factor F, which keeps 1/F of the noise.
    /// 3 dB less is allowed. A machine's hum within its own rumble is less than that.
    @_noLocks func isSteady(for time: Double, strength: Double, level: Int) -> Bool {
        let factor = Double(1 << level)
        return steadiness >= time - 1e-9 && strength > factor / (factor + 2)
    }
}
