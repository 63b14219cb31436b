internal import CRealtime
internal import Realtime

// Which strings are in the sound.
extension StrumRefinement {
    /// Whether the string is in the sound.
    ///
    /// - Parameter share: the least share of what speaks for the loudest string; without it a fainter one will do that is clear.
    @_noLocks mutating func isHeard(_ string: Int, least share: Double? = nil) -> Bool {
        let lead = lead(string)
        return fit.isActive.unsafeElements[lead] && isPresent(lead, least: share)
            && abs(fit.laws.unsafeElements[lead].cents) < farthest && standardError(lead) < largestError
            && !isGhost(lead)
    }

    /// The string whose numbers stand for this one: itself, or its partner before the two of a course are told apart.
    @_noLocks mutating func lead(_ string: Int) -> Int { isSplit || !isFollower(string) ? string : string - 1 }

    /// The standard error of the first partial of a string, in cents.
    @_noLocks mutating func standardError(_ string: Int) -> Double {
        let error = step.standardError(lead(string))
        return rt_sqrt(error * error + strings.doubts.unsafeElements[lead(string)])
    }

    /// Takes strings that are not in the sound out of the model, the weakest first: a silent string takes what the laws of
    /// the others leave, and makes them uncertain.
    ///
    /// - Returns: whether the fit has to go on.
    @_noLocks mutating func dismiss() -> Bool {
        var (hasDismissed, hasTried) = (false, false)
        while true {
            weigh()
            // In a short window nobody can tell, and a string that is left out makes others leave their laws.
            guard 2 * fit.halfLength > undecidedLength else { break }
            var (weakest, power) = (-1, Double.infinity)
            for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] && !isPresent(s) {
                let own = amplitudePower(s)
                if !(own >= power) { (weakest, power) = (s, own) }
            }
            guard weakest >= 0 else { break }
            let own = search.evidence(fit, weakest, partner: partner(weakest), areMovable: false)
            if own.isEnough(beside: strings.largestGain) {
                hasTried = true
                strings.isNeeded.unsafeElements[weakest] = othersNeed(weakest)
                if strings.isNeeded.unsafeElements[weakest] { continue }
            }
            strings.isSilent.unsafeElements[weakest] = true
            fit.isActive.unsafeElements[weakest] = false
            hasDismissed = true
        }
        if hasDismissed { (step.detuningScatter, step.dampingScatter) = (0.1, 0.2) }
        return hasDismissed || hasTried
    }

    /// Whether the others cannot explain the sound without a string that shares all its partials.
    ///
    /// They are fitted again without it. Then either it adds what they cannot explain, or they have had to leave their laws.
    @_noLocks private mutating func othersNeed(_ string: Int) -> Bool {
        guard fit.laws.unsafeElements[string].logDecay < fastestLogDecay else { return false }
        snapshot.take(fit)
        let cost = step.deviationCost(fit)
        fit.isActive.unsafeElements[string] = false
        for _ in 0..<trialRounds {
            fit.place()
            fit.linearize()
            _ = step.move(&fit, prior: prior)
        }
        fit.place()
        fit.measure(string)
        let left = search.evidence(fit, string, partner: partner(string), areMovable: false)
        let isNeeded = left.isEnough(beside: strings.largestGain) || step.deviationCost(fit) - cost > leastCost
        snapshot.restore(&fit)
        fit.isActive.unsafeElements[string] = true
        fit.place()
        return isNeeded
    }

    /// Puts silent strings back into the model that a longer window speaks for, where the partials of the others obey their
    /// laws: they may have left them to stand for the string.
    @_noLocks mutating func recall() {
        var (hasSilent, hasRecalled) = (false, false)
        for s in 0..<fit.layout.stringCount where strings.isSilent.unsafeElements[s] {
            if !hasSilent {
                snapshot.take(fit)
                for other in 0..<fit.layout.stringCount { fit.clear(other) }
                fit.place()
            }
            hasSilent = true
            fit.laws.unsafeElements[s] = StringLaw(prior)
            search.climb(&fit, s)
            let evidence = search.evidence(fit, s, partner: partner(s), areMovable: false)
            guard evidence.isEnough(beside: strings.largestGain) || isSettled && isClear(s) else { continue }
            hasRecalled = true
            strings.isSilent.unsafeElements[s] = false
            fit.isActive.unsafeElements[s] = true
            fit.place()
        }
        if hasRecalled {
            (step.detuningScatter, step.dampingScatter) = (0.1, 0.2)
        } else if hasSilent {
            snapshot.restore(&fit)
        }
    }

    /// Whether a string that is not in the model stands clear of the noise where it has been placed.
    ///
    /// It is fitted first: between two places of the search its lines would leave more than noise beside them.
    @_noLocks private mutating func isClear(_ string: Int) -> Bool {
        fit.isActive.unsafeElements[string] = true
        for _ in 0..<trialRounds {
            fit.place()
            fit.measureNoise(beside: string)
            fit.linearize()
            _ = step.move(&fit, prior: prior)
        }
        fit.place()
        fit.measureNoise(beside: string)
        let evidence = search.evidence(fit, string, partner: partner(string), areMovable: false)
        fit.isActive.unsafeElements[string] = false
        fit.place()
        return evidence.isClear(beside: strings.largestGain)
    }

    /// Whether a string of the model is in the sound: the others cannot explain what it adds, even if they move, and it lasts.
    @_noLocks private mutating func isPresent(_ string: Int, least share: Double? = nil) -> Bool {
        let own = strings.evidence.unsafeElements[string]
        let (loudest, logDecay) = (strings.largestGain, fit.laws.unsafeElements[string].logDecay)
        if strings.isNeeded.unsafeElements[string] { return true }
        if own.isEnough(beside: loudest, least: share ?? leastGain) {
            return own.gain > loudGain * loudest || logDecay < fastestLogDecay
        }
        return isSettled && share == nil && logDecay < faintLogDecay && own.isClear(beside: loudest)
    }

    /// Remembers the most that has spoken for each string: of a short sound most is heard in the first windows. A window in which
    /// silent strings are not told yet counts for itself alone.
    @_noLocks mutating func remember() {
        for s in 0..<fit.layout.stringCount {
            let (own, isHeard) = (strings.evidence.unsafeElements[s], isHeard(s))
            let first = isHeard ? own.first / strings.largestGain : 0
            let clearance = isHeard ? own.clearance : 0
            let even = isHeard ? own.typical * own.typical / (own.gain * strings.largestGain) : 0
            strings.evens.unsafeElements[s] = isCoarse ? even : max(strings.evens.unsafeElements[s], even)
            strings.firsts.unsafeElements[s] = isCoarse ? first : max(strings.firsts.unsafeElements[s], first)
            strings.clearances.unsafeElements[s] =
                isCoarse ? clearance : max(strings.clearances.unsafeElements[s], clearance)
        }
    }

    /// The power of a string's partials in the model.
    @_noLocks private mutating func amplitudePower(_ string: Int) -> Double {
        var sum = 0.0
        for j in 0..<fit.layout.count(string) {
            sum += fit.amplitudes.unsafeElements[fit.layout.partial(string, j)].power
        }
        return sum
    }

    /// The other string of a course, or -1.
    @_noLocks mutating func partner(_ string: Int) -> Int {
        if isFollower(string) { return string - 1 }
        return string + 1 < fit.layout.stringCount && isFollower(string + 1) ? string + 1 : -1
    }

    @_noLocks mutating func weigh() {
        strings.largestGain = 0
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            strings.evidence.unsafeElements[s] = search.evidence(fit, s, partner: partner(s), areMovable: true)
            strings.largestGain = max(strings.largestGain, strings.evidence.unsafeElements[s].gain)
        }
    }
}

/// -33 dB. With every string in the model, 248 of 250 silent strings of generated strums stayed below it in 1 s, and 650
/// sounding ones exceeded it by 9 dB.
var leastGain: Double { @_noLocks get { 5e-4 } }
/// -15 dB: more than a muted string has left.
private var loudGain: Double { @_noLocks get { 0.03 } }
/// Seconds.
var undecidedLength: Double { @_noLocks get { 0.4 } }
/// Steps in which the others try to explain a string.
private var trialRounds: Int { @_noLocks get { 3 } }
/// Natural logarithm of a likelihood ratio, 10^13. With 24 the same strings of 150 generated strums with muted or unstruck ones,
/// and of the real composites, are said to be heard.
private var leastCost: Double { @_noLocks get { 30.0 } }
/// 60 dB in a third of a second: a muted string.
var fastestLogDecay: Double { @_noLocks get { 3.0 } }
/// 60 dB in 0.7 s: what others leave where a faint string would be decays faster, mostly in a third of a second.
private var faintLogDecay: Double { @_noLocks get { 2.3 } }
/// Cents: as far as a string of the tuning is promised to be found. The search goes 2 cents beyond, so that a string at the limit
/// is between places; what it finds there, as where a chord is fretted, is another string.
var farthest: Double { @_noLocks get { 60.0 } }
/// Cents: an error that is larger tells nothing.
var largestError: Double { @_noLocks get { 5.0 } }
