internal import CRealtime
internal import Realtime

/// What speaks for a string.
struct StringEvidence: BitwiseCopyable, Sendable {
    /// What its partials add to the others.
    var gain = 0.0
    /// What one of its lowest partials adds: their geometric mean, the weakest quarter left out.
    var typical = 0.0

    @_noLocks init() {}
    @_noLocks init(gain: Double, typical: Double) { (self.gain, self.typical) = (gain, typical) }

    /// Whether it is enough beside what speaks for the loudest string.
    @_noLocks func isEnough(beside loudest: Double, least share: Double = leastGain) -> Bool {
        gain > share * loudest && typical > leastTypical * loudest
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
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            if fit.layout.isAtEdge(p) { continue }
            let gain = neighbourhood.ownGain(fit, of: p, partner: partner, areMovable: areMovable, ur, ui)
            // A silent string may lie where nothing determines it.
            guard gain.isFinite else { continue }
            sum += gain
            largest = max(largest, gain)
            guard count < countedPartials else { continue }
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
            gain: min(sum, loneShare * (sum - largest)), typical: rt_exp(logarithms / Double(kept)))
    }
}

/// 10 dB: a nylon string's second partial is hardly ever further below its first one.
private var loneShare: Double { @_noLocks get { 10.0 } }
/// The lowest partials of a string, by which it is told from what others leave. With ten of them more is told of strings that
/// were not struck, 80 instead of 68 % of strums mixed from recorded strings, but of a string that rings since 1.5 s before, whose
/// high partials are gone, one in six is not heard instead of one in forty.
var countedPartials: Int { @_noLocks get { 4 } }
/// -40 dB of the loudest string's gain. Of 400 strums mixed from recorded strings, one of them left out of three in four, 60 % of
/// what stood for the missing string lay below it, and 0.4 % of the others. Without this limit it is told in 38 instead of 68 %.
private var leastTypical: Double { @_noLocks get { 1e-4 } }
