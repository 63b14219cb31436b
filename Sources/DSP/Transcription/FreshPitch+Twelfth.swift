internal import Music
internal import Realtime
internal import Rhythm

/// A tone beside which the body of the instrument rings, taken for the harmonic of a lower one.
///
/// The body of a cello that is plucked rings at 95 and at 168 Hz, for 0.2 s as loud as the 262 Hz of its C4. Those are nearly
/// 1, 2 and 3 times 87 Hz, which is F2. But a body rings low: above, only the harmonics of the tone are there, every third of F2.
extension FreshPitch {
    /// The share of the salience of the key that the twelfth above has to have, and how high the other harmonics are at most beside
    /// every third, where they are none. Of 2,248 notes of recordings and of FluidR3 that were found at their own key one is within
    /// both limits, of 22 plucked cello notes found a twelfth below 20; with 0.5 for `absent` F of plucked notes is lower by 0.007.
    private static var rival: Double { @_noLocks get { 0.65 } }
    private static var absent: Double { @_noLocks get { 0.62 } }
    /// Keys.
    private static var twelfth: Double { @_noLocks get { 19.02 } }

    /// The twelfth above a key, where that is the tone: of the harmonics above the third, only every third is there.
    ///
    /// - Parameter most: the salience of the key.
    @_noLocks func twelfth(above key: Double, salience most: Double) -> Double? {
        let first = KeyScale.frequency(key)
        guard salience(3 * first) > Self.rival * most else { return nil }
        // Of each kind the sum and the count.
        var (own, owns, other, others) = (0.0, 0.0, 0.0, 0.0)
        for harmonic in 4...Self.harmonics {
            let place = first * Double(harmonic)
            guard place < Self.highest else { break }
            if harmonic % 3 == 0 {
                (own, owns) = (own + peak(near: place), owns + 1)
            } else {
                (other, others) = (other + peak(near: place), others + 1)
            }
        }
        return other * owns < Self.absent * own * others ? KeyScale.key(3 * first) : nil
    }

    /// Whether a key is the one that only seemed likelier than the one that was found.
    @_noLocks static func isBelow(_ key: Double, _ found: Result) -> Bool {
        found.isTwelfth && abs(found.key - key - twelfth) < 0.6
    }
}
