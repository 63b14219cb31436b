internal import CRealtime
internal import Realtime

// Strings that sit on the partials of others.
extension StrumSearch {
    /// Tries a string at all places again, by its lowest partials, and then its stiffness; also with a string of a multiple
    /// of its pitch on its place, which it may have taken.
    ///
    /// - Returns: whether it has moved.
    @_noLocks mutating func rescue(_ fit: inout StrumFit, _ string: Int) -> Bool {
        let law = fit.laws.unsafeElements[string]
        kept.take(fit, string)
        fit.clear(string)
        fit.measure(string)
        var height = gain(&fit, string)
        var hasMoved = false
        climb(&fit, string)
        if gain(&fit, string) > 1.02 * height {
            hasMoved = true
        } else {
            fit.laws.unsafeElements[string] = law
            fit.measure(string)
        }
        // The string sits where it is not, because another has its place.
        for other in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[other] && other != string {
            guard areRelated(fit, string, other) else { continue }
            let (own, theirs) = (fit.laws.unsafeElements[string], fit.laws.unsafeElements[other])
            guard abs(own.cents - theirs.cents) > 0.5 else { continue }
            height = gain(&fit, string, without: other) + gain(&fit, other)
            fit.laws.unsafeElements[string] = theirs
            fit.measure(string)
            climb(&fit, other)
            if gain(&fit, string, without: other) + gain(&fit, other) > 1.02 * height {
                hasMoved = true
                fit.clear(other)
                fit.measure(other)
            } else {
                fit.laws.unsafeElements[string] = own
                fit.laws.unsafeElements[other] = theirs
                fit.measure(string)
                fit.measure(other)
            }
        }
        if !hasMoved {
            kept.restore(fit, string)
            fit.measure(string)
        }
        return hasMoved
    }

    /// Whether one pitch is a multiple of the other.
    @_noLocks private func areRelated(_ fit: borrowing StrumFit, _ a: Int, _ b: Int) -> Bool {
        let (first, second) = (fit.fundamentals.unsafeElements[a], fit.fundamentals.unsafeElements[b])
        let ratio = max(first, second) / min(first, second)
        return ratio > 1.5 && ratio < 4.5 && abs(ratio - rt_round(ratio)) < 0.01 * ratio
    }

    /// Exchanges the detunings of two strings whose partials coincide, such as an octave course, where the model then
    /// explains more.
    ///
    /// - Returns: whether some have been exchanged.
    @_noLocks mutating func exchange(_ fit: inout StrumFit, prior: StrumPrior) -> Bool {
        var hasMoved = false
        for low in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[low] {
            for high in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[high] {
                let (a, b) = (fit.laws.unsafeElements[low], fit.laws.unsafeElements[high])
                guard areRelated(fit, low, high), abs(a.cents - b.cents) > 3,
                    fit.fundamentals.unsafeElements[low] < fit.fundamentals.unsafeElements[high]
                else { continue }
                let now = gain(&fit, low, without: high) + gain(&fit, high)
                kept.take(fit, low)
                keptSecond.take(fit, high)
                // What stands for the other's partials tells nothing of stiffness or decay.
                fit.laws.unsafeElements[low] = StringLaw(prior)
                fit.laws.unsafeElements[high] = StringLaw(prior)
                fit.laws.unsafeElements[low].cents = b.cents
                fit.laws.unsafeElements[high].cents = a.cents
                fit.clear(low)
                fit.clear(high)
                fit.measure(low)
                fit.measure(high)
                if gain(&fit, low, without: high) + gain(&fit, high) > now {
                    hasMoved = true
                } else {
                    fit.laws.unsafeElements[low] = a
                    fit.laws.unsafeElements[high] = b
                    kept.restore(fit, low)
                    keptSecond.restore(fit, high)
                    fit.measure(low)
                    fit.measure(high)
                }
            }
        }
        return hasMoved
    }
}
