internal import CRealtime
internal import Realtime

// Strings that may lie elsewhere.
extension StrumRefinement {
    /// Tries what may lead to a better fit than steps from here do.
    ///
    /// - Returns: whether strings or partials have moved.
    @_noLocks mutating func tryPlaces(_ schedule: FitSchedule) -> Bool {
        var hasMoved = centre()
        if windowCount > 0 && reclaim() { hasMoved = true }
        if isCoarse {
            let hasExchanged = search.exchange(&fit, prior: prior)
            hasMoved = reconsider(schedule.isFirstTry) || hasExchanged || hasMoved
            if !schedule.isSearch && !hasFollowers && 2 * fit.halfLength > exchangedLength {
                fit.place()
                if tryExchanges() { hasMoved = true }
            }
        } else if windowCount <= lastRescue {
            // Both cost as much as the fit.
            let trialsBefore = trialCount
            let hasRegrouped = hasFollowers ? regroup() : tryExchanges()
            if hasRegrouped || trialCount == trialsBefore && rescue() { hasMoved = true }
        }
        return hasMoved
    }

    /// Tries all strings at other places, or those of which less is known than of most others.
    ///
    /// - Returns: whether one has moved.
    @_noLocks mutating func reconsider(_ isForAll: Bool) -> Bool {
        var hasMoved = false
        let usual = usualError()
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            guard isForAll || step.standardError(s) > doubtfulRatio * usual else { continue }
            if search.reconsider(&fit, s) { hasMoved = true }
        }
        return hasMoved
    }

    /// Puts the laws where most partials are, when these have left them together.
    ///
    /// Under a t distribution many deviations at once are cheap enough to hold a law in a wrong place.
    ///
    /// - Returns: whether a string has moved.
    @_noLocks mutating func centre() -> Bool {
        var hasMoved = false
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let middle = middleDetuning(s)
            guard abs(middle) > max(leastMove, 3 * step.detuningScatter) else { continue }
            hasMoved = true
            fit.laws.unsafeElements[s].cents += middle
            for j in 0..<fit.layout.count(s) { fit.detuning.unsafeElements[fit.layout.partial(s, j)] -= middle }
        }
        return hasMoved
    }

    /// The median of the deviations of a string's partials in cents, each weighted by what it tells of the frequency.
    @_noLocks private mutating func middleDetuning(_ string: Int) -> Double {
        var (best, least) = (0.0, Double.infinity)
        for i in 0..<fit.layout.count(string) {
            let value = fit.detuning.unsafeElements[fit.layout.partial(string, i)]
            var sum = 0.0
            for j in 0..<fit.layout.count(string) {
                let p = fit.layout.partial(string, j)
                let number = fit.layout.number(p)
                let weight = rt_sqrt(fit.amplitudes.unsafeElements[p].power) * number
                sum += weight * abs(fit.detuning.unsafeElements[p] - value)
            }
            if sum < least { (best, least) = (value, sum) }
        }
        return best
    }

    /// Tries strings of which far less is known than of most others at other places in a long window.
    ///
    /// - Returns: whether one has moved.
    @_noLocks mutating func rescue() -> Bool {
        var hasMoved = false
        let (usual, isShort) = (usualError(), !hasFollowers && 2 * fit.halfLength < buriedLength)
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let error = step.standardError(s)
            let isSuspect = error > suspectRatio * usual || error > largestError
            guard isSuspect || isShort && isBuried(s) || isAstray(s) else { continue }
            if search.rescue(&fit, s) { hasMoved = true }
        }
        return hasMoved
    }

    /// Whether steps have led a string to where it is not heard, such as to partials of another that lie beyond its places.
    ///
    /// Two of 1,343 recorded strings were told as silent so, and with one of them its strum as a note.
    @_noLocks private mutating func isAstray(_ string: Int) -> Bool {
        abs(fit.laws.unsafeElements[string].cents) > farthest
    }

    /// Whether more is left beside a string's lowest partials than they have: something strong is near its place, where it is not.
    @_noLocks private mutating func isBuried(_ string: Int) -> Bool {
        var (own, beside) = (0.0, 0.0)
        for j in 0..<min(lowestPartials, fit.layout.count(string)) {
            let p = fit.layout.partial(string, j)
            own += fit.amplitudes.unsafeElements[p].power
            beside += fit.noise.unsafeElements[p]
        }
        return beside > buriedRatio * own
    }

    /// The median of the standard errors, in cents.
    @_noLocks mutating func usualError() -> Double {
        // The number of strings is small: the one that has as many below as above.
        var (best, distance) = (0.0, Int.max)
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let error = step.standardError(s)
            var rank = 0
            for t in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[t] {
                let other = step.standardError(t)
                rank += other < error ? -1 : other > error ? 1 : 0
            }
            if abs(rank) < distance { (best, distance) = (error, abs(rank)) }
        }
        return best
    }
}

/// Seconds from which on exchanged strings are looked for: that is work, and shorter windows pass within 0.15 s.
private var exchangedLength: Double { @_noLocks get { 0.4 } }
/// A standard error so many times the median in a short window, where trying costs little.
private var doubtfulRatio: Double { @_noLocks get { 2.0 } }
/// A standard error so many times the median is suspect: the string sits on partials of others.
var suspectRatio: Double { @_noLocks get { 4.0 } }
/// Cents: less than this the steps do themselves.
private var leastMove: Double { @_noLocks get { 0.5 } }
/// The lowest partials, by which a string is told.
private var lowestPartials: Int { @_noLocks get { 4 } }
/// What is left beside them over what they have, as powers. Of the strings of 600 strums mixed from recorded ones, all of them
/// sounding, 1 % exceed it, and six of ten of these are more than 5 cents off; of those below a tenth of it 1.4 % are.
private var buriedRatio: Double { @_noLocks get { 1.0 } }
/// Seconds of the longest window in which that leads elsewhere. Short strings have faded from longer ones: with 1.4 s among them
/// 97 instead of 99.3 % of the composites' strings are heard within 5 cents in 2 s.
private var buriedLength: Double { @_noLocks get { 1.2 } }
