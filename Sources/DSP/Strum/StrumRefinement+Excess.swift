internal import CRealtime
internal import Realtime

// What lies on the partials of a string over what other strings have there.
extension StrumRefinement {
    /// Takes in by how much more lies on the lowest partials of each string than others are likely to have there.
    ///
    /// A lower string has no more there than on the partials beside them, which are its alone.
    @_noLocks mutating func measureExcesses() {
        let length = 2 * fit.halfLength
        guard !hasFollowers, length > pickLength, length < longestExcess else { return }
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            for j in 0..<min(countedPartials, fit.layout.count(s)) {
                guard let excess = excess(of: fit.layout.partial(s, j)) else { continue }
                strings.excesses.unsafeElements[s] += excess
                strings.excessCounts.unsafeElements[s] += 1
            }
        }
    }

    /// Whether all strings are heard, and all but one have far more on the partials of others than these have there.
    ///
    /// Strings that all lie on partials of the lowest one are explained by it alone, but so strong no note has just these.
    var isBeyondLowest: Bool {
        @_noLocks mutating get {
            let count = fit.layout.stringCount
            guard count > 2, 2 * fit.halfLength > undecidedLength, heard(least: leastGain) == count else {
                return false
            }
            var strong = 0
            for s in 0..<count where strings.excessCounts.unsafeElements[s] > 0 {
                let mean = strings.excesses.unsafeElements[s] / strings.excessCounts.unsafeElements[s]
                if mean > strongExcess { strong += 1 }
            }
            return strong >= count - 1
        }
    }

    /// What lies at a partial of a string: its power and those of others there, over what the partials beside these lead to
    /// expect, a natural logarithm; `nil` where no other string is near, or all that it has nearby may be the string's too.
    @_noLocks private mutating func excess(of partial: Int) -> Double? {
        let (string, place) = (fit.layout.string(partial), fit.lines.poles.unsafeElements[partial].im)
        var (power, expected, isShared) = (fit.amplitudes.unsafeElements[partial].power, 0.0, false)
        for other in 0..<fit.layout.stringCount where other != string && fit.isActive.unsafeElements[other] {
            let first = fit.lines.poles.unsafeElements[fit.layout.partial(other, 0)].im
            let index = max(1, Int(rt_round(place / first))) - 1
            guard index < fit.layout.count(other) else { continue }
            let p = fit.layout.partial(other, index)
            guard abs(fit.lines.poles.unsafeElements[p].im / place - 1) < besideRatio else { continue }
            let usual = usualPower(other, beside: index, without: string)
            guard usual > 0 else { return nil }
            power += fit.amplitudes.unsafeElements[p].power
            expected += usual
            isShared = true
        }
        guard isShared else { return nil }
        return max(leastExcess, min(mostExcess, rt_log(max(least, power) / max(least, expected))))
    }

    /// The geometric mean of the powers of the partials on either side of one, without those that may be another string's; 0 if
    /// both may.
    @_noLocks private mutating func usualPower(_ string: Int, beside index: Int, without other: Int) -> Double {
        var (logarithms, count) = (0.0, 0.0)
        for side in 0...1 {
            let neighbour = index - 1 + 2 * side
            guard neighbour >= 0, neighbour < fit.layout.count(string) else { continue }
            let p = fit.layout.partial(string, neighbour)
            if isPartial(of: other, near: fit.lines.poles.unsafeElements[p].im) { continue }
            logarithms += rt_log(max(least, fit.amplitudes.unsafeElements[p].power))
            count += 1
        }
        return count > 0 ? rt_exp(logarithms / count) : 0
    }

    /// Whether a string has a partial near a phase over half the window.
    @_noLocks private mutating func isPartial(of string: Int, near place: Double) -> Bool {
        for j in 0..<fit.layout.count(string) {
            let line = fit.lines.poles.unsafeElements[fit.layout.partial(string, j)].im
            if abs(place / line - 1) < besideRatio { return true }
        }
        return false
    }
}

/// Seconds of the longest window that counts: from longer ones short strings have faded.
private var longestExcess: Double { @_noLocks get { 1.2 } }
/// 34 cents: lines of two strings that are nearer are hardly told apart.
private var besideRatio: Double { @_noLocks get { 0.02 } }
/// -9 and 17 dB, as natural logarithms: between them one partial, by a pick's place or a body, does not outweigh three others.
private var leastExcess: Double { @_noLocks get { -2.0 } }
private var mostExcess: Double { @_noLocks get { 4.0 } }
/// 6.5 dB. Of 589 single strings in the tunings of strums mixed from recordings none is taken for a strum so in any window; of
/// 600 strums 8 were taken for notes, and 7 of these no longer are (seeds 8101 and 8102); of 220 fresh ones 3, and 1 still is
/// (seeds 9301 to 9303).
private var strongExcess: Double { @_noLocks get { 1.5 } }
/// -180 dB, for a logarithm: far below any partial.
private var least: Double { @_noLocks get { 1e-18 } }
