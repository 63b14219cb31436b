internal import Realtime
internal import Spectral

extension OnsetDetector {
    /// Whether the sound that ended so many samples of the low band ago is the one before it, moved.
    @_noLocks mutating func goesOn(until age: Int, within limit: Float) -> Bool {
        guard limit > 0, age + MovedTone.reach <= streams.low.length else { return false }
        let low = streams.low.latest(age + MovedTone.reach)
        guard let start = low.baseAddress else { return false }
        return movedTone.rest(before: UnsafePointer(start + MovedTone.reach)) < limit
    }

    /// Moves the beginning of a note behind all that is the tone before it: the predictor does not foresee a vibrato either.
    ///
    /// - Parameter age: how many samples of the low band ago the hop ended in which the note was noticed.
    @_noLocks mutating func follow(_ found: inout OnsetRefinement.Result, age: Int) {
        let ends = OnsetRefinement.searched
        var end = found.place + 2 * OnsetSizes.hopLow
        guard end < ends, isTone(until: end, age) else { return }
        // One look may miss it.
        repeat {
            end += OnsetSizes.hopLow
        } while end < ends
            && (isTone(until: end, age) || isTone(until: end + OnsetSizes.hopLow, age))
        refinement.search(from: end - 2 * OnsetSizes.hopLow, &found)
    }

    /// Whether what the forecast has heard is a tone that moved before and moves on. Where none did it is a note: 10 ms are less
    /// than a period of a low string, and a soft note beside one that rings looks like that string, moved.
    @_noLocks mutating func isOfMovingTone() -> Bool {
        guard spell.holds(before: lowHop) else { return false }
        // The look that hears it best, and 4 ms later.
        let age = (hops - lowHop) * OnsetSizes.hopLow
        let later = max(0, age - 2 * OnsetSizes.hopLow)
        return goesOn(until: age, within: constants.movingLow) && goesOn(until: later, within: constants.movingLow)
    }

    @_noLocks private mutating func isTone(until place: Int, _ age: Int) -> Bool {
        goesOn(until: refinement.age(of: place, age), within: constants.followed)
    }
}
