internal import CRealtime
internal import Realtime

/// What speaks for a string.
struct StringEvidence: BitwiseCopyable, Sendable {
    /// What its partials add to the others.
    var gain = 0.0
    /// What one of its lowest partials adds: their geometric mean, the weakest quarter left out.
    var typical = 0.0
    /// What one of its lowest partials adds over the noise beside it: as above, the weakest left out.
    var clearance = 0.0
    /// What its first partial adds, or one of those up to the first that a small microphone hears, over the share of that line's
    /// power which others cannot have.
    var first = 0.0

    @_noLocks init() {}
    @_noLocks init(gain: Double, typical: Double, clearance: Double, first: Double) {
        (self.gain, self.typical, self.clearance, self.first) = (gain, typical, clearance, first)
    }

    /// Whether it is enough beside what speaks for the loudest string.
    @_noLocks func isEnough(beside loudest: Double, least share: Double = leastGain) -> Bool {
        gain > share * loudest && typical > leastTypical * loudest
    }

    /// Whether it is faint beside the loudest string, but stands so far above what is left beside its lines that nothing else
    /// can be there: a string that rings since long before the strum.
    @_noLocks func isClear(beside loudest: Double) -> Bool {
        clearance > leastClearance && gain > faintGain * loudest && typical > faintTypical * loudest
    }
}

extension StrumSearch {
    /// What speaks for a string where it is.
    ///
    /// One partial alone makes no string: the largest counts up to ten times what the rest adds. What the others leave of
    /// recorded strings adds up to as much as a soft string, but lies on a few of the partials.
    @_noLocks mutating func evidence(
        _ fit: borrowing StrumFit, _ string: Int, partner: Int, areMovable: Bool
    ) -> StringEvidence {
        guard let ur = re.unsafeElements.baseAddress, let ui = im.unsafeElements.baseAddress else {
            return StringEvidence()
        }
        var (sum, largest, count) = (0.0, 0.0, 0)
        var (clearances, least, first) = (0.0, Double.infinity, 0.0)
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            if fit.layout.isAtEdge(p) { continue }
            let gain = neighbourhood.ownGain(fit, of: p, partner: partner, areMovable: areMovable, ur, ui)
            // A silent string may lie where nothing determines it.
            guard gain.isFinite else { continue }
            if Double(j) * fit.fundamentals.unsafeElements[string] < lowestFirst {
                first = max(first, gain / max(leastOwnShare, neighbourhood.ownShare))
            }
            sum += gain
            largest = max(largest, gain)
            guard count < countedPartials else { continue }
            let clearance = rt_log(max(1e-30, gain / fit.noise.unsafeElements[p]))
            clearances += clearance
            least = min(least, clearance)
            var place = count
            while place > 0 && lowest.unsafeElements[place - 1] < gain {
                lowest.unsafeElements[place] = lowest.unsafeElements[place - 1]
                place -= 1
            }
            lowest.unsafeElements[place] = gain
            count += 1
        }
        guard count > 0 else { return StringEvidence() }
        let kept = (3 * count + 3) / 4
        var logarithms = 0.0
        for j in 0..<kept { logarithms += rt_log(max(1e-30, lowest.unsafeElements[j])) }
        return StringEvidence(
            gain: min(sum, loneShare * (sum - largest)), typical: rt_exp(logarithms / Double(kept)),
            clearance: count > 1 ? rt_exp((clearances - least) / Double(count - 1)) : 0, first: first)
    }
}

/// 10 dB: a nylon string's second partial is hardly ever further below its first one.
private var loneShare: Double { @_noLocks get { 10.0 } }
/// A line of which others can have nearly all tells too little to be weighed up.
private var leastOwnShare: Double { @_noLocks get { 0.05 } }
/// The lowest partials of a string, by which it is told from what others leave. With ten of them more is told of strings that
/// were not struck, 80 instead of 68 % of strums mixed from recorded strings, but of a string that rings since 1.5 s before, whose
/// high partials are gone, one in six is not heard instead of one in forty.
var countedPartials: Int { @_noLocks get { 4 } }
/// -40 dB of the loudest string's gain. Of 400 strums mixed from recorded strings, one of them left out of three in four, 60 % of
/// what stood for the missing string lay below it, and 0.4 % of the others. Without this limit it is told in 38 instead of 68 %.
private var leastTypical: Double { @_noLocks get { 1e-4 } }
/// 20 dB. Of 54 strings that were left out of strums mixed from recordings, none exceeded 19 dB: the others' unexplained parts lie
/// beside its places as well as on them. Strings that rang 1.5 s before a generated strum had 25 dB and more.
private var leastClearance: Double { @_noLocks get { 100.0 } }
/// -43 and -50 dB of the loudest string's gain: what 160 muted or unstruck strings of generated strums had lay below -55 dB by
/// its typical partial, where it decayed as slowly as a string does. A string that rings since 1.5 s before has -42 dB.
private var faintGain: Double { @_noLocks get { 5e-5 } }
private var faintTypical: Double { @_noLocks get { 1e-5 } }
