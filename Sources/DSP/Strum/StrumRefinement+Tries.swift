internal import Realtime

// Strings that may lie elsewhere.
extension StrumRefinement {
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

    /// Tries strings of which far less is known than of most others at other places in a long window.
    ///
    /// - Returns: whether one has moved.
    @_noLocks mutating func rescue() -> Bool {
        var hasMoved = false
        let usual = usualError()
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let error = step.standardError(s)
            guard error > suspectRatio * usual || error > largestError else { continue }
            if search.rescue(&fit, s) { hasMoved = true }
        }
        return hasMoved
    }

    /// The median of the standard errors, in cents.
    @_noLocks private func usualError() -> Double {
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

/// A standard error so many times the median in a short window, where trying costs little.
private let doubtfulRatio = 2.0
/// A standard error so many times the median is suspect: the string sits on partials of others.
private let suspectRatio = 4.0
