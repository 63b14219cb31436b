internal import CRealtime

// How far the first partial of a stiff tone may be off because its partials are not where a stiff string has them.
extension FittedTone {
    /// The variance of the first partial with B unknown that the scatter of the partials shows beyond white noise, in
    /// (radians per sample)².
    ///
    /// Bodies, windings and couplings shift single partials by fractions of a cent to several cents. They stay there, so
    /// that a longer window does not help, and a B that rests on a few of them carries them into the first partial. The
    /// jackknife tells by how much: with H the curvature in (w, B), d_k the derivatives of ω_k, u_k the information of
    /// partial k and x_k its distance from the fit,
    ///
    ///     i_k = u_k dₖᵀ H⁻¹ (1, w/2),   h_k = u_k dₖᵀ H⁻¹ d_k,   variance = Σ (i_k x_k / (1 - h_k))²
    ///
    /// White noise gives Σ i_k² / (u_k (1 - h_k)) of its power. Where it exceeds that by more than chance, the rest counts.
    /// - Parameter noise: the power of what the fit left.
    /// - Complexity: some 40 operations per partial.
    /// - SeeAlso: MacKinnon & White, "Some heteroskedasticity-consistent covariance matrix estimators with improved finite
    ///   sample properties", Journal of Econometrics 29(3), 1985.
    @_noLocks func stiffnessDoubt(noise: Double) -> Double {
        var (first, mixed, second, firstPull, secondPull) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for k in 0..<count {
            let partial = pull(k + 1)
            first += partial.information * partial.first * partial.first
            mixed += partial.information * partial.first * partial.second
            second += partial.information * partial.second * partial.second
            firstPull += partial.information * partial.first * partial.shift
            secondPull += partial.information * partial.second * partial.shift
        }
        let determinant = first * second - mixed * mixed
        guard determinant > 1e-9 * first * second else { return 0 }
        let step = (second * firstPull - mixed * secondPull) / determinant
        let stiffening = (first * secondPull - mixed * firstPull) / determinant
        // H⁻¹ (1, w/2): what w (1 + B/2) is to the two.
        let half = fundamental / 2
        let toFirst = (second - mixed * half) / determinant
        let toSecond = (first * half - mixed) / determinant
        var (scatter, chance, squares) = (0.0, 0.0, 0.0)
        for k in 0..<count {
            let partial = pull(k + 1)
            guard partial.information > 0 else { continue }
            let (a, b) = (partial.first, partial.second)
            let influence = partial.information * (a * toFirst + b * toSecond)
            let leverage = partial.information * (a * a * second - 2 * a * b * mixed + b * b * first) / determinant
            // A partial that nothing else could replace says nothing of its own error: 20 times is the most it counts.
            let free = max(0.05, 1 - leverage)
            let away = (partial.shift - a * step - b * stiffening) / free
            scatter += influence * influence * away * away
            let share = noise * influence * influence / (partial.information * free)
            chance += share
            squares += share * share
        }
        guard chance > 0 else { return 0 }
        let number = chance * chance / squares
        return scatter > FitDirections.chance(of: number) * chance ? scatter - chance : 0
    }

    /// How far partial `k` lies from where the model has it, what it tells of that, and ∂ω_k/∂w and ∂ω_k/∂B.
    @inline(__always) @_noLocks private func pull(
        _ k: Int
    ) -> (shift: Double, information: Double, first: Double, second: Double) {
        let number = Double(k)
        let stretch = rt_sqrt(1 + inharmonicity * number * number)
        let shift = shift(of: k)
        let information = shift.variance > 0 ? weights[k] * weights[k] / shift.variance : 0
        return (
            shift.value, information, number * stretch, fundamental * number * number * number / (2 * stretch)
        )
    }
}
