internal import CRealtime

extension PeriodCandidates {
    /// Whether the sound repeats so much better after a multiple of a period that this is only a part of the true one.
    ///
    /// Noise, growth and decay cost a multiple at least what they cost the period. Only partials between those of the
    /// period lose less at a multiple.
    ///
    /// - Parameters:
    ///   - period: samples of the widest copy.
    ///   - clarity: a period that is clearer is not compared.
    /// - Complexity: one comparison per candidate of the last search.
    @_noLocks func hasClearerMultiple(of period: Double, below clarity: Double, _ constants: PitchConstants) -> Bool {
        let own = height(at: period)
        guard own < clarity else { return false }
        for index in 0..<count {
            let ratio = lag(index) / period
            guard ratio > 1.5, isSameNote(ratio, rt_round(ratio)) else { continue }
            if 1 - height(index) < constants.clearerMultiple * (1 - own) { return true }
        }
        return false
    }
}
