internal import CRealtime

// Whether what a tone has besides every n-th partial is a note's own.
extension FittedTone {
    /// Whether what the tone has besides every `multiple`-th partial is no more than a resonance.
    ///
    /// A body mode or a string that sounds in sympathy puts one or two spectral lines under a note, and a low enough
    /// fundamental has a partial near any line. The tone of a true lower note has many partials in between: their
    /// effective number is (Σ P)² / Σ P² over their powers P. Three things give a resonance away: it carries little power
    /// beside a note that is running already, a pick or a hammer has only just struck the body, or it lies beside the place
    /// where the partial would be.
    ///
    /// - Parameters:
    ///   - isEarly: whether the tone is that of the first periods, which do not tell yet where a partial lies.
    ///   - noise: the power of what the fit left.
    @_noLocks func isResonance(besides multiple: Int, isRunning: Bool, isEarly: Bool, noise: Double) -> Bool {
        var (all, between, squares, highest, strongest) = (0.0, 0.0, 0.0, 0.0, 0)
        for k in 0..<count {
            let power = powers[k + 1]
            all += power
            if (k + 1) % multiple != 0 {
                between += power
                squares += power * power
                if power > highest { (highest, strongest) = (power, k + 1) }
            }
        }
        guard strongest > 0 else { return true }
        let number = between * between / squares
        // Beside a note that has sounded for a while a lower one would have come with an attack.
        if isRunning && between < 0.3 * all && number < 3 { return true }
        guard between < 0.5 * all else { return false }
        if standsAlone(every: multiple, between: between / all) { return true }
        // One line, 10 dB below: a lower note would have a second one.
        if isEarly && between < 0.1 * all && number < 1.5 { return true }
        // One or two lines.
        guard number < 2.2 else { return false }
        let (cents, error) = detuning(of: strongest, noise: noise)
        // 12 cents: partials of a note lie that far off by themselves, as coupled strings and bodies pull them.
        return abs(cents) > max(12, 5 * error)
    }

    /// Whether the tone is that of a higher note over ringing strings.
    ///
    /// - Parameter ratio: the frequency of a note that is known to ring over the fundamental, or 0.
    @_noLocks func isUnderAnother(ringing ratio: Double) -> Bool {
        if seriesBeside(ratio) != nil { return true }
        let strongest = strongest
        guard inharmonicity == 0, strongest > 1 else { return false }
        var (all, between) = (0.0, 0.0)
        for k in 0..<count {
            all += powers[k + 1]
            if (k + 1) % strongest != 0 { between += powers[k + 1] }
        }
        return between < 0.5 * all && standsAlone(every: strongest, between: between / all)
    }

    /// The partial whose multiples are a new note beside one that rings, if the tone is no more than these two series.
    ///
    /// Two notes in the ratio of small whole numbers repeat together at a rate that neither has: 3 and 4 times that in a
    /// fourth. Of the tone at that rate only multiples of two partials are there, one of which is the note that rings, and
    /// the other is not the first. A single note has others as well: a hundredth of the power is enough.
    ///
    /// - Parameter ratio: the frequency of the note that rings over the fundamental; 0 where none does.
    @_noLocks func seriesBeside(_ ratio: Double) -> Int? {
        guard ratio > 1.5, ratio < Double(count) else { return nil }
        let old = Int(rt_round(ratio))
        guard isSameNote(ratio, Double(old)) else { return nil }
        var (all, new) = (0.0, 0)
        for k in 0..<count {
            all += powers[k + 1]
            if (k + 1) % old != 0, new == 0 || powers[k + 1] > powers[new] { new = k + 1 }
        }
        guard new > 1 else { return nil }
        var rest = 0.0
        for k in 0..<count where (k + 1) % old != 0 && (k + 1) % new != 0 { rest += powers[k + 1] }
        return rest < 0.01 * all ? new : nil
    }

    /// Whether above its first partial the series of every `multiple`-th partial stands alone: at least two of the
    /// series are present, and three quarters of their neighbours are a tenth as strong or weaker.
    ///
    /// Several strings that sound in sympathy with a note share a low fundamental with it, of which they are partials
    /// two, three, five …; but their own upper partials are few. The partials of a true lower note go on past the note.
    /// Every third and rarer is not strong by nature. Every second one may be: there all neighbours of three must be
    /// weak, and so must be the lower fundamental.
    ///
    /// - Parameter between: the share of all power that is not in the series.
    @_noLocks private func standsAlone(every multiple: Int, between: Double) -> Bool {
        guard multiple > 2 || between < 0.1 else { return false }
        let reach = multiple / 2
        var (heard, neighbours, strong) = (0, 0, 0)
        var centre = 2 * multiple
        while centre <= count {
            // 20: a neighbour a tenth as strong is still twice what an empty partial has.
            if powers[centre] > 20 * chance {
                heard += 1
                for k in (centre - reach)...min(centre + reach, count) where k != centre {
                    neighbours += 1
                    if powers[k] > 0.1 * powers[centre] { strong += 1 }
                }
            }
            centre += multiple
        }
        return multiple > 2 ? heard >= 2 && 4 * strong <= neighbours : heard >= 3 && strong == 0
    }
}
