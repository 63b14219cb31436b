internal import CRealtime
internal import Realtime

// Strings that have taken each other's places.
extension StrumRefinement {
    /// Places strings anew whose partials have left their laws, from the lowest one of a group up.
    ///
    /// Where E2 stands for E3, E3 for E4, B3 for the third partial of E2 and the deviations of single partials for what is left,
    /// each string alone is at the best of its places. So the string is placed by the partials that it shares with no octave
    /// or twelfth, without those; then each of them is, from the lowest.
    ///
    /// - Returns: whether strings have moved.
    @_noLocks mutating func regroup() -> Bool {
        guard 2 * fit.halfLength > regroupedLength else { return false }
        var hasMoved = false
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] && !isFollower(s) {
            guard trialCount < mostTrials, isDoubtful(s) || hasDoubtfulMultiple(s), hasMultiple(s) else { continue }
            trialCount += 1
            if tryAnew(s) { hasMoved = true }
        }
        return hasMoved
    }

    /// Fits a string, its octaves and its twelfths again, from places that are found without the others of them.
    ///
    /// - Returns: whether that is likelier; otherwise everything is as before.
    @_noLocks private mutating func tryAnew(_ string: Int) -> Bool {
        snapshot.take(fit)
        let scatters = (step.detuningScatter, step.dampingScatter)
        (step.detuningScatter, step.dampingScatter) = (0.1, 0.2)
        fit.measureNoise()
        let (cost, residual) = (cost, fit.residual)
        for t in 0..<fit.layout.stringCount where isMultiple(t, of: string) {
            strings.isSetAside.unsafeElements[t] = fit.isActive.unsafeElements[t]
            fit.isActive.unsafeElements[t] = false
        }
        place(string)
        while let next = lowestSetAside() {
            let hasPartner =
                next + 1 < fit.layout.stringCount && isFollower(next + 1) && strings.isSetAside.unsafeElements[next + 1]
            fit.isActive.unsafeElements[next] = true
            strings.isSetAside.unsafeElements[next] = false
            if hasPartner { strings.isSetAside.unsafeElements[next + 1] = false }
            place(next)
            if hasPartner {
                fit.isActive.unsafeElements[next + 1] = true
                search.split(&fit, next, next + 1, around: fit.laws.unsafeElements[next])
            }
        }
        approach(giveUpAbove: hopelessRatio * residual)
        fit.measureNoise()
        if self.cost > cost - leastAdvantage && fit.residual < hopelessRatio * residual {
            // From places on a grid the steps may not be there yet.
            approach(giveUpAbove: hopelessRatio * residual)
            fit.measureNoise()
        }
        if self.cost < cost - leastAdvantage { return true }
        snapshot.restore(&fit)
        (step.detuningScatter, step.dampingScatter) = scatters
        fit.place()
        fit.measureNoise()
        fit.expectAmplitudes()
        return false
    }

    /// Steps from other places to where the model explains most.
    @_noLocks mutating func approach(giveUpAbove limit: Double) {
        var (least, part) = (Double.infinity, 1.0)
        for round in 0..<regroupingRounds {
            fit.place()
            if fit.residual > 1.2 * least && part > 0.1 {
                part *= 0.4
                step.shorten(&fit, to: part)
                continue
            }
            (part, least) = (1, min(least, fit.residual))
            if round > 4 && least > limit { return }
            if round == 0 || round == 5 {
                fit.measureNoise()
                fit.expectAmplitudes()
            }
            fit.linearize()
            _ = step.move(&fit, prior: prior)
        }
        fit.place()
    }

    /// Places a string by the partials that no string shares which is set aside.
    @_noLocks mutating func place(_ string: Int) {
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            var isShared = false
            for t in 0..<fit.layout.stringCount where strings.isSetAside.unsafeElements[t] {
                let ratio = fit.fundamentals.unsafeElements[t] / fit.fundamentals.unsafeElements[string]
                let multiple = fit.layout.number(p) / ratio
                // Within 17 cents: a third, two octaves up, is 14 cents off its fifth partial in equal temperament.
                if multiple > 0.5 && abs(multiple - rt_round(multiple)) < 0.01 * multiple { isShared = true }
            }
            search.isIgnored.unsafeElements[p] = isShared
        }
        fit.clear(string)
        fit.laws.unsafeElements[string] = StringLaw(prior)
        search.climb(&fit, string)
        for j in 0..<fit.layout.count(string) {
            search.isIgnored.unsafeElements[fit.layout.partial(string, j)] = false
        }
    }

    @_noLocks private mutating func lowestSetAside() -> Int? {
        var lowest: Int?
        for t in 0..<fit.layout.stringCount where strings.isSetAside.unsafeElements[t] {
            guard let other = lowest else {
                lowest = t
                continue
            }
            if fit.fundamentals.unsafeElements[t] < 0.99 * fit.fundamentals.unsafeElements[other] { lowest = t }
        }
        return lowest
    }

    /// Minus the logarithm of the likelihood, up to a constant; after `measureNoise`.
    private var cost: Double { @_noLocks mutating get { binsBesidePartial * Double(fit.layout.count) * costPerBin } }

    /// Whether a string's partials have left its law, little is known of it, or it has an octave's partials only.
    @_noLocks private mutating func isDoubtful(_ string: Int) -> Bool {
        step.standardError(string) > largestError || step.deviationCost(fit, of: string, scatter: 0.1) > leastAdvantage
            || hasGaps(string)
    }

    /// Whether the odd partials from the third on are missing. No place at which a string is plucked silences them all.
    @_noLocks private mutating func hasGaps(_ string: Int) -> Bool {
        var (odd, even) = (0.0, 0.0)
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            let number = fit.layout.number(p)
            let power = fit.amplitudes.unsafeElements[p].power
            if number == 2 * rt_round(0.5 * number) { even += power } else if number > 2 { odd += power }
        }
        return odd < gapShare * even
    }

    /// Whether a string is an octave, a twelfth or two octaves above another.
    @_noLocks private mutating func isMultiple(_ string: Int, of other: Int) -> Bool {
        let ratio = fit.fundamentals.unsafeElements[string] / fit.fundamentals.unsafeElements[other]
        return fit.isActive.unsafeElements[string] && ratio > 1.5 && ratio < 4.5
            && abs(ratio - rt_round(ratio)) < 0.01 * ratio
    }

    @_noLocks private mutating func hasMultiple(_ string: Int) -> Bool {
        for t in 0..<fit.layout.stringCount where isMultiple(t, of: string) { return true }
        return false
    }

    @_noLocks private mutating func hasDoubtfulMultiple(_ string: Int) -> Bool {
        for t in 0..<fit.layout.stringCount where isMultiple(t, of: string) && isDoubtful(t) { return true }
        return false
    }
}

/// Groups that are tried in one strum: each costs as much as the fit of a window.
private var mostTrials: Int { @_noLocks get { 3 } }
/// Seconds: in a shorter window the lines of a group are within a bin or two of each other.
private var regroupedLength: Double { @_noLocks get { 0.6 } }
/// Steps of the trial: from places on a grid that is half a bin wide.
private var regroupingRounds: Int { @_noLocks get { 10 } }
/// Times what was left before: from there five steps lead no further.
var hopelessRatio: Double { @_noLocks get { 2.0 } }
/// Natural logarithm of a likelihood ratio: twenty thousand to one.
var leastAdvantage: Double { @_noLocks get { 10.0 } }
/// Of the power of the even partials: -13 dB, where strings that are plucked have -3 dB or more.
private var gapShare: Double { @_noLocks get { 0.05 } }
