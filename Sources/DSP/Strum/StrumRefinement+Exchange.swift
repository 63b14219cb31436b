internal import CRealtime
internal import Realtime

// Strings that have each other's places in an open tuning.
extension StrumRefinement {
    /// Fits doubtful strings again from exchanged places, each with the strings whose partials it shares.
    ///
    /// All partials of D4 lie on those of D3. Where the two have each other's places no small step leads back, and what either
    /// adds alone tells nothing: only both fits, side by side, do. Where they do not either, the standard errors hold both.
    ///
    /// - Returns: whether strings have moved.
    @_noLocks mutating func tryExchanges() -> Bool {
        guard step.detuningScatter < lawfulScatter else { return false }
        // A trial changes what is known of the strings, so they are judged before.
        let (usual, count) = (usualError(), fit.layout.stringCount)
        for s in 0..<count {
            strings.isDoubted.unsafeElements[s] = fit.isActive.unsafeElements[s] && isSuspect(s, usual)
        }
        var (hasMoved, tried) = (false, 0)
        // First the pairs of which both are doubtful.
        for sweep in 0..<2 {
            for low in 0..<count where fit.isActive.unsafeElements[low] {
                for high in 0..<count where fit.isActive.unsafeElements[high] && areInterlaced(low, high) {
                    let (first, second) = (
                        strings.isDoubted.unsafeElements[low], strings.isDoubted.unsafeElements[high]
                    )
                    guard sweep == 0 ? first && second : first != second, tried < mostExchanges else { continue }
                    tried += 1
                    if tryExchanged(low, high) { hasMoved = true }
                }
            }
        }
        trialCount += tried
        return hasMoved
    }

    /// Whether all partials of the higher of two strings, or every second one, lie on those of the lower one.
    @_noLocks private mutating func areInterlaced(_ low: Int, _ high: Int) -> Bool {
        let ratio = 2 * fit.fundamentals.unsafeElements[high] / fit.fundamentals.unsafeElements[low]
        return ratio > 2.5 && ratio < 10.5 && abs(ratio - rt_round(ratio)) < 0.01 * ratio
    }

    /// Whether far less is known of a string than of most others, or its partials have left its law.
    @_noLocks private mutating func isSuspect(_ string: Int, _ usual: Double) -> Bool {
        let error = step.standardError(string)
        // Under a t distribution a partial costs 0.9 by chance.
        return error > suspectRatio * usual || error > largestError
            || step.deviationCost(fit, of: string, scatter: max(leastSuspect, step.detuningScatter))
                > leastAdvantage + Double(fit.layout.count(string))
    }

    /// Fits two strings from exchanged places, and keeps that fit if it is far likelier; in a short window, where the strings
    /// of wooden bodies do not show yet that they stray, it only adds to the standard errors.
    ///
    /// - Returns: whether it is.
    @_noLocks private mutating func tryExchanged(_ low: Int, _ high: Int) -> Bool {
        fit.place()
        snapshot.take(fit)
        fit.measureNoise()
        let (cost, residual) = (costPerBin, fit.residual)
        exchange(low, high)
        approach(giveUpAbove: hopelessRatio * residual)
        fit.measureNoise()
        let advantage = cost - costPerBin
        let isBetter = !isCoarse && advantage > leastAdvantagePerBin
        // The mean square distance from the fit that stays, by the odds of the other.
        let share = 1 / (1 + rt_exp((isBetter ? advantage : -advantage) * independentBins))
        for s in 0..<fit.layout.stringCount {
            let distance = fit.laws.unsafeElements[s].cents - snapshot.cents(s)
            strings.doubts.unsafeElements[s] = max(strings.doubts.unsafeElements[s], share * distance * distance)
        }
        if isBetter { return true }
        snapshot.restore(&fit)
        fit.place()
        return false
    }

    /// Puts each of two strings where the other is, or where the model explains most without the other.
    @_noLocks private mutating func exchange(_ low: Int, _ high: Int) {
        let (a, b) = (fit.laws.unsafeElements[low].cents, fit.laws.unsafeElements[high].cents)
        fit.clear(low)
        fit.clear(high)
        if abs(a - b) < nearby {
            fit.laws.unsafeElements[low].cents = b
            fit.laws.unsafeElements[high].cents = a
            return
        }
        // What has stood for the other's partials tells nothing of stiffness or decay.
        fit.isActive.unsafeElements[high] = false
        strings.isSetAside.unsafeElements[high] = true
        fit.place()
        place(low)
        fit.isActive.unsafeElements[high] = true
        strings.isSetAside.unsafeElements[high] = false
        place(high)
    }

    /// Minus the logarithm of the likelihood, up to a constant: what is left beside each partial, under noise of unknown power
    /// there, and what the deviations cost. Over the bins that it counts.
    ///
    /// What is left in all would not do: most of it are partials above the limit, and a string whose highest partials are bent
    /// towards them leaves less.
    var costPerBin: Double {
        @_noLocks mutating get {
            var sum = 0.0
            for p in 0..<fit.layout.count where fit.isActive.unsafeElements[fit.layout.string(p)] {
                if !fit.layout.isAtEdge(p) { sum += rt_log(fit.noise.unsafeElements[p]) }
            }
            return (sum + step.deviationCost(fit) / binsBesidePartial) / Double(fit.layout.count)
        }
    }
}

/// Cents: partials that stray further, as those of wooden bodies do from 0.9 cents on, look likelier in a wrong place by chance.
/// Those of generated strums stay below 0.02 in windows from 0.7 s on.
private var lawfulScatter: Double { @_noLocks get { 0.3 } }
/// Cents that partials are off by before a string is suspect, at least: in a wrong place they are off by several.
private var leastSuspect: Double { @_noLocks get { 0.1 } }
/// Pairs that are tried in one window: each costs as much as the fit of it.
private var mostExchanges: Int { @_noLocks get { 4 } }
/// Cents: one bin of 0.7 s at 0.8 kHz. From there the stiffness that a string has is near enough for the steps.
private var nearby: Double { @_noLocks get { 3.0 } }
/// Of the four places at which the noise beside a partial is measured, those that are independent under a Hann window.
var binsBesidePartial: Double { @_noLocks get { 2.0 } }
/// Natural logarithm of a likelihood ratio per bin: 4 dB less noise beside the partials. Exchanging strings back left 6 to 17 dB
/// less in generated strums. With any advantage as enough, and `lawfulScatter` without end, 96.7 instead of 99.3 % of recorded
/// strings were heard within 5 cents in 2 s.
private var leastAdvantagePerBin: Double { @_noLocks get { 1.0 } }
/// Bins that count where the odds of two fits are told: what one partial leaves lies beside others too, and is no noise.
private var independentBins: Double { @_noLocks get { 8.0 } }
