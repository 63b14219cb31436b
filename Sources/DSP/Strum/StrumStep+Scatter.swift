internal import CRealtime
internal import Realtime

extension StrumStep {
    /// What the deviations of all partials in the model cost by their t distribution: a natural logarithm of likelihood.
    @_noLocks func deviationCost(_ fit: borrowing StrumFit) -> Double {
        var sum = 0.0
        for p in 0..<partialCount where fit.isActive.unsafeElements[fit.layout.string(p)] {
            let (a, b) = (
                fit.detuning.unsafeElements[p] / detuningScatter, fit.damping.unsafeElements[p] / dampingScatter
            )
            sum += rt_log(1 + a * a / freedom) + rt_log(1 + b * b / freedom)
        }
        return 0.5 * (freedom + 1) * sum
    }

    /// The same of one string's detunings, with another scatter in cents.
    @_noLocks func deviationCost(_ fit: borrowing StrumFit, of string: Int, scatter: Double) -> Double {
        var sum = 0.0
        for j in 0..<fit.layout.count(string) {
            let a = fit.detuning.unsafeElements[fit.layout.partial(string, j)] / scatter
            sum += rt_log(1 + a * a / freedom)
        }
        return 0.5 * (freedom + 1) * sum
    }

    /// Learns the scatters from the deviations (MacKay's update), from what they would be without the data.
    @_noLocks mutating func learnScatter(_ fit: borrowing StrumFit) {
        // The trace of the posterior covariance of each half tells how many deviations the data determine.
        let size = 2 * partialCount
        guard let x = scratch.unsafeElements.baseAddress else { return }
        var (sums, determined) = ((0.0, 0.0), (0.0, 0.0))
        for i in 0..<size {
            let (partial, isDetuning) = (i / 2, i & 1 == 0)
            guard fit.isActive.unsafeElements[fit.layout.string(partial)], !fit.layout.isShared(partial) else {
                continue
            }
            for k in i..<size { x[k] = k == i ? 1 : 0 }
            deviations.matrix.substitute(x, size: size, from: i)
            let variance = dotProduct(x + i, x + i, size - i)
            let scatter = isDetuning ? detuningScatter : dampingScatter
            let value = isDetuning ? fit.detuning.unsafeElements[partial] : fit.damping.unsafeElements[partial]
            // Winsorised: outliers are for the t distribution.
            let square = min(value * value, 9 * scatter * scatter)
            let weight = (freedom + 1) / (freedom * scatter * scatter + value * value)
            let share = max(0, 1 - variance * weight)
            if isDetuning {
                sums.0 += square
                determined.0 += share
            } else {
                sums.1 += square
                determined.1 += share
            }
        }
        if determined.0 > 0 {
            let ratio = rt_sqrt(sums.0 / determined.0) / detuningScatter
            detuningScatter = max(misfit(fit), min(4, detuningScatter * max(0.3, min(2, ratio))))
        }
        if determined.1 > 0 {
            let ratio = rt_sqrt(sums.1 / determined.1) / dampingScatter
            dampingScatter = max(0.02, min(0.8, dampingScatter * max(0.3, min(2, ratio))))
        }
    }

    /// The least that partials are off their law, in cents: a line beside which so much is left is no single exponential,
    /// and its frequency is no better known than that. The median over the partials.
    @_noLocks private func misfit(_ fit: borrowing StrumFit) -> Double {
        guard 2 * fit.halfLength > misfitLength, let x = scratch.unsafeElements.baseAddress else { return leastScatter }
        var count = 0
        for p in 0..<partialCount where fit.isActive.unsafeElements[fit.layout.string(p)] && !fit.layout.isShared(p) {
            let share = fit.noise.unsafeElements[p] / max(fit.amplitudes.unsafeElements[p].power, 1e-30)
            // A bin is π of a phase over half the window.
            x[count] = misfitBins * .pi / (centsToLog * fit.lines.poles.unsafeElements[p].im) * rt_sqrt(min(1, share))
            count += 1
        }
        for i in 0..<count {
            var rank = 0
            for j in 0..<count { rank += x[j] < x[i] || x[j] == x[i] && j < i ? 1 : 0 }
            if rank == count / 2 { return max(leastScatter, x[i]) }
        }
        return leastScatter
    }
}

/// Cents: a perfect string.
private var leastScatter: Double { @_noLocks get { 1e-4 } }
/// Seconds: in a shorter window what is left is the noise of the attack.
private var misfitLength: Double { @_noLocks get { 0.6 } }
/// Bins that a line is off whose neighbourhood is as loud as itself: 0.447 √(7/5). 0.447 was measured on strums mixed from
/// recorded strings; the weights of the steps overstate what is known by 7/5, for the expected curvature of a t distribution of
/// four degrees of freedom is (ν + 1) / (ν + 3) of the mean weight. 84 % of the strings of such strums lie within two standard
/// errors in 1 s then; 95 % would if partials were off by chance alone.
private var misfitBins: Double { @_noLocks get { 0.529 } }
