internal import CRealtime
internal import Realtime

// Which strings are in the sound.
extension StrumRefinement {
    /// Whether the string is in the sound.
    @_noLocks func isHeard(_ string: Int, least share: Double = leastGain) -> Bool {
        let lead = lead(string)
        return !isSilent.unsafeElements[lead] && !isDoubtful.unsafeElements[lead]
            && (gains.unsafeElements[lead] > share * largestGain || isVouched.unsafeElements[lead])
            && abs(fit.laws.unsafeElements[lead].cents) < farthest && step.standardError(lead) < largestError
    }

    /// The string whose numbers stand for this one: itself, or its partner before the two of a course are told apart.
    @_noLocks func lead(_ string: Int) -> Int { isSplit || !isFollower(string) ? string : string - 1 }

    /// The standard error of the first partial of a string, in cents.
    @_noLocks func standardError(_ string: Int) -> Double { step.standardError(lead(string)) }

    /// Takes strings that are not in the sound out of the model, the weakest first: a silent string takes what the laws of
    /// the others leave, and makes them uncertain.
    ///
    /// - Returns: whether the fit has to go on.
    @_noLocks mutating func dismiss() -> Bool {
        var (hasDismissed, hasTried) = (false, false)
        fit.measureNoise()
        while true {
            weigh()
            var (weakest, power) = (-1, Double.infinity)
            for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] && !isSettled(s) {
                let own = amplitudePower(s)
                if !(own >= power) { (weakest, power) = (s, own) }
            }
            guard weakest >= 0 else { break }
            let plain = search.evidence(fit, weakest, partner: partner(weakest), areMovable: false)
            let isPossible =
                isMuch(plain.gain, over: plain.noise)
                && fit.laws.unsafeElements[weakest].logDecay < fastestLogDecay
            if isPossible {
                hasTried = true
                isVouched.unsafeElements[weakest] = isNeeded(weakest, plain.noise)
                isDoubtful.unsafeElements[weakest] = !isVouched.unsafeElements[weakest]
            }
            // In a short window nobody can tell, and a string that is left out makes others leave their laws.
            guard !isPossible || isDoubtful.unsafeElements[weakest] && windowCount >= undecidedWindows else { continue }
            isDoubtful.unsafeElements[weakest] = false
            silence(weakest)
            hasDismissed = true
        }
        if hasDismissed { (step.detuningScatter, step.dampingScatter) = (0.1, 0.2) }
        return hasDismissed || hasTried
    }

    /// Whether the others cannot explain the sound without a string.
    ///
    /// They are fitted again without it. Then either it adds to them what they cannot explain, or they have had to leave
    /// their laws to explain it.
    @_noLocks private mutating func isNeeded(_ string: Int, _ noise: Double) -> Bool {
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
        let isNeeded = isMuch(left.gain, over: noise) || step.deviationCost(fit) - cost > leastCost
        snapshot.restore(&fit)
        fit.isActive.unsafeElements[string] = true
        fit.place()
        return isNeeded
    }

    /// Whether a gain is more than a thousandth of that of the loudest string, and more than noise.
    @_noLocks private func isMuch(_ gain: Double, over noise: Double) -> Bool {
        gain > leastGain * largestGain && gain > (gain > loudGain * largestGain ? leastLoudRatio : leastRatio) * noise
    }

    /// Puts silent strings back into the model that a longer window speaks for.
    @_noLocks mutating func recall() {
        var hasPlaced = false
        for s in 0..<fit.layout.stringCount where isSilent.unsafeElements[s] {
            if !hasPlaced { fit.place() }
            hasPlaced = true
            fit.laws.unsafeElements[s] = StringLaw(prior)
            search.clear(&fit, s)
            search.climb(&fit, s)
            let evidence = search.evidence(fit, s, partner: partner(s), areMovable: false)
            guard isMuch(evidence.gain / recalledRatio, over: evidence.noise) else { continue }
            isSilent.unsafeElements[s] = false
            fit.isActive.unsafeElements[s] = true
            fit.place()
        }
    }

    @_noLocks private mutating func silence(_ string: Int) {
        isSilent.unsafeElements[string] = true
        fit.isActive.unsafeElements[string] = false
        gains.unsafeElements[string] = 0
    }

    /// Whether it is decided that a string of the model stays there: what speaks for it is enough, and it lasts.
    @_noLocks private func isSettled(_ string: Int) -> Bool {
        isVouched.unsafeElements[string] || isDoubtful.unsafeElements[string]
            || isMuch(gains.unsafeElements[string], over: noises.unsafeElements[string])
                && fit.laws.unsafeElements[string].logDecay < fastestLogDecay
    }

    /// The power of a string's partials in the model.
    @_noLocks private func amplitudePower(_ string: Int) -> Double {
        var sum = 0.0
        for j in 0..<fit.layout.count(string) {
            sum += fit.amplitudes.unsafeElements[fit.layout.partial(string, j)].power
        }
        return sum
    }

    /// The other string of a course, or -1.
    @_noLocks private func partner(_ string: Int) -> Int {
        if isFollower(string) { return string - 1 }
        return string + 1 < fit.layout.stringCount && isFollower(string + 1) ? string + 1 : -1
    }

    @_noLocks mutating func weigh() {
        largestGain = 0
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let evidence = search.evidence(fit, s, partner: partner(s), areMovable: true)
            gains.unsafeElements[s] = evidence.gain
            noises.unsafeElements[s] = evidence.noise
            largestGain = max(largestGain, gains.unsafeElements[s])
        }
    }
}

/// -33 dB. Muted strings of generated strums stay below it, those of real ones that are heard above 1.5e-3.
let leastGain = 5e-4
/// A string that was silent in a shorter window has to stand out more.
private let recalledRatio = 2.0
/// Over the gain by noise: F(8, 32) of a string of four partials, whose noise is measured at four places each, is above it
/// once in ten thousand times.
private let leastRatio = 6.0
/// -15 dB: beside so loud a line what is left is no noise but the line's own misfit.
private let loudGain = 0.03
private let leastLoudRatio = 1.0
/// Windows of less than half a second.
private let undecidedWindows = 2
/// Steps in which the others try to explain a string.
private let trialRounds = 3
/// Natural logarithm of a likelihood ratio: deviations that are twenty thousand times less likely.
private let leastCost = 10.0
/// 60 dB in a third of a second: a muted string.
private let fastestLogDecay = 3.0
/// Cents: beyond it, a string is not the one of the tuning.
private let farthest = 62.0
/// Cents: an error that is larger tells nothing.
let largestError = 5.0
