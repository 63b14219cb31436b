internal import CRealtime

// The pitch of a stiff tone as the ear and a period detector hear it.
extension FittedTone {
    /// The repetition rate of the waveform, in radians per sample: where its autocorrelation Σ A_k² cos ω_k τ peaks.
    ///
    /// Partial k lies φ_k = ω_k τ - 2π k from where it would repeat. A partial that is stretched by a whole turn contributes
    /// nothing, so the search starts at the best of the mean period, which is close where all partials are within reach,
    /// and of some partials' own periods. Each step then maximizes the parabola below cos φ that touches it at φ_k, which
    /// cannot lose height, or is Newton's where that loses none. Partials in the upper third of a slow copy's band, which
    /// the low-pass weakens, count for less than they should.
    @_noLocks func repetition() -> Double {
        var (sum, weights) = (0.0, 0.0)
        for k in 1...max(1, count) {
            sum += Double(k) * audiblePower(of: k) * frequency(of: k)
            weights += Double(k * k) * audiblePower(of: k)
        }
        guard weights > 0 else { return fundamental }
        var period = 2 * Double.pi * weights / sum
        var height = selfSimilarity(after: period).height
        // Each one's own period, denser where the powers are.
        var k = 1
        while k <= count {
            let own = 2 * Double.pi * Double(k) / frequency(of: k)
            let similarity = selfSimilarity(after: own).height
            if similarity > height { (period, height) = (own, similarity) }
            k += max(1, k / 3)
        }
        var here = selfSimilarity(after: period)
        for _ in 0..<32 {
            guard here.safe > 0 else { break }
            let step = here.slope / (here.newton > 0.01 * here.safe ? here.newton : here.safe)
            if abs(step) < 1e-9 * period { break }
            var there = selfSimilarity(after: period - step)
            if there.height >= here.height {
                period -= step
            } else {
                period -= here.slope / here.safe
                there = selfSimilarity(after: period)
            }
            here = there
        }
        return 2 * .pi / period
    }

    /// Σ A_k² cos φ_k, Σ A_k² ω_k sin φ_k and the curvatures Σ A_k² ω_k² cos φ_k and Σ A_k² ω_k² sin φ_k / φ_k.
    @_noLocks private func selfSimilarity(
        after period: Double
    ) -> (height: Double, slope: Double, newton: Double, safe: Double) {
        var (height, slope, newton, safe) = (0.0, 0.0, 0.0, 0.0)
        for k in 1...max(1, count) {
            let power = audiblePower(of: k)
            if power == 0 { continue }
            let omega = frequency(of: k)
            let turns = omega * period / (2 * .pi)
            let phase = 2 * .pi * (turns - rt_floor(turns + 0.5))
            let (cosine, sine) = (rt_cos(phase), rt_sin(phase))
            height += power * cosine
            slope += power * omega * sine
            newton += power * omega * omega * cosine
            safe += power * omega * omega * (abs(phase) < 1e-4 ? 1 : sine / phase)
        }
        return (height, slope, newton, safe)
    }

    /// A_k², as far as it stands out of the noise.
    @_noLocks private func audiblePower(of k: Int) -> Double { weights[k] * powers[k] }
}
