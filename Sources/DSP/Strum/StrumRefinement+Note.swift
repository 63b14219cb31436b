internal import CRealtime
internal import Realtime

// Whether a single note explains a sound as well as several strings do.
extension StrumRefinement {
    /// Whether the best single note leaves far more of the sound than the strings.
    ///
    /// Strings that repeat together after a period, such as C2 G3 C5, look like one note to an autocorrelation. But a note's
    /// partials lie on its law, on which the strings that stand for them lie too then; strings of their own are some cents
    /// beside it, as no tuning has just intervals. What is beside it no note explains.
    ///
    /// Notes are looked for on the heard strings and below them, as the pitch of E2 is that of partials 2 and 3 of E1. In the
    /// windows that hold the picks the strings' own lines tell too little.
    var isBeyondNote: Bool {
        @_noLocks mutating get {
            guard 2 * fit.halfLength > pickLength else { return false }
            // By powers: what the strings leave, and a note beside it.
            return beyondNote > (leastRatio - 1) * (1 / explainedShare - 1)
        }
    }

    /// The least share of the strings' power that lies on no partial of a note.
    private var beyondNote: Double {
        @_noLocks mutating get {
            let count = fit.layout.stringCount
            var (least, lowest) = (1.0, Double.infinity)
            for s in 0..<count { lowest = min(lowest, fit.fundamentals.unsafeElements[s]) }
            for s in 0..<count where strings.isCounted.unsafeElements[s] {
                for divisor in 1...mostDivisor {
                    let note = frequency(s) / Double(divisor)
                    if note * lowestPeriods < lowest { break }
                    // Partial k of the string is partial k times the divisor of the note.
                    let stiffness = fit.laws.unsafeElements[lead(s)].inharmonicity / Double(divisor * divisor)
                    least = min(least, share(beyond: note, stiffness))
                }
            }
            return least
        }
    }

    /// The share of the power that lies on no partial of one note. What strings have that are not heard counts as the note's.
    @_noLocks private mutating func share(beyond note: Double, _ stiffness: Double) -> Double {
        var (all, beyond) = (0.0, 0.0)
        for p in 0..<fit.layout.count where fit.isActive.unsafeElements[fit.layout.string(p)] {
            let power = fit.amplitudes.unsafeElements[p].power
            all += power
            guard strings.isCounted.unsafeElements[fit.layout.string(p)] else { continue }
            let place = fit.frequency(p) / note
            let number = max(1, rt_round(place / rt_sqrt(1 + stiffness * place * place)))
            if abs(place / (number * rt_sqrt(1 + stiffness * number * number)) - 1) > noteTolerance { beyond += power }
        }
        return all > 0 ? beyond / all : 0
    }
}

/// The note's lowest partial that a string may stand for.
private var mostDivisor: Int { @_noLocks get { 6 } }
/// 8 cents. Of 400 strums mixed from recorded strings 4 are taken for notes so, and of 400 single strings in the same tunings one
/// for a strum; with 10 cents 6 and none, with 5 cents 2 and 6. Partials of real notes are pulled off their law by some cents.
private var noteTolerance: Double { @_noLocks get { 0.004_5 } }
/// What the best note leaves over what the strings leave, 5 dB. With 2 one of eight recorded chords whose strings are unknown is
/// taken for a strum, with 3 none is, and as few strums are taken for notes.
private var leastRatio: Double { @_noLocks get { 3.0 } }
