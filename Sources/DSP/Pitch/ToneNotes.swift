// Whether a tone is that of several notes at once.
extension FittedTone {
    /// Whether the tone is several notes, of whose frequencies the fundamental is no more than the common measure.
    ///
    /// The strings of a chord repeat together at a rate that none of them has: those of a major triad are the partials 4, 5
    /// and 6 of a note two octaves below the root, and a fifth is 2 and 3. All power is then in the multiples of a few
    /// partials, and of those above the lowest of them three in ten and more are empty: of the multiples of 2 and 3 one
    /// third is, and of 4, 5 and 6 one half. A single note has power in between.
    @_noLocks func isSeveralNotes() -> Bool {
        var isTaken = InlineArray<73, Bool>(repeating: false)
        var all = 0.0
        for k in 0..<count { all += powers[k + 1] }
        var (rest, notes, lowest) = (all, 0, count + 1)
        while rest >= (lowest > 2 ? Self.mostBetween : Self.mostBetweenFifths) * all {
            var note = 0
            for k in 0..<count where !isTaken[k + 1] && (note == 0 || powers[k + 1] > powers[note]) { note = k + 1 }
            guard note > 1, notes < Self.mostNotes else { return false }
            (notes, lowest) = (notes + 1, min(lowest, note))
            var k = note
            while k <= count {
                if !isTaken[k] { rest -= powers[k] }
                isTaken[k] = true
                k += note
            }
        }
        guard notes > 1, highestPresent > lowest else { return false }
        var empty = 0
        for k in lowest..<highestPresent where !isTaken[k + 1] { empty += 1 }
        return empty >= 3 && 10 * empty >= 3 * (highestPresent - lowest)
    }

    /// The share of the power that may lie between the notes of a chord: 23 dB below them. The next of 96 recorded single
    /// notes, a bassoon, has 18 dB, and recorded chords 30 after 0.2 s.
    private static var mostBetween: Double { @_noLocks get { 0.005 } }

    /// The same between the multiples of 2 and 3: 30 dB below them. Violins had 28 dB there.
    private static var mostBetweenFifths: Double { @_noLocks get { 0.001 } }

    /// The strings of a guitar.
    private static var mostNotes: Int { @_noLocks get { 6 } }
}
