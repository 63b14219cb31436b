internal import CRealtime

// Which partials are there, as the amplitudes of a fit tell.
extension HarmonicFit {
    /// Weighs each partial by how far it stands out of the noise.
    ///
    /// A partial that is not there still gets an amplitude, from the noise alone: a² + b² is 4 σ²/N on average. Its k²
    /// fold share in the information would be false certainty, and its phase would pull at the frequency. The weight
    /// 1 - 4σ²/(N (a² + b²)) of the James-Stein kind takes that share off; below `least` times the average (8 % of empty
    /// partials reach 2.5 by chance, 0.2 % reach 6) it is zero.
    @_noLocks func weigh(noise: Double, least: Double) {
        let chance = 4 * noise / Double(gram.length)
        var highest = 0.0
        var best = 1
        weight.base[0] = 0
        for k in 1...gram.partialCount {
            let power = cosine.base[k] * cosine.base[k] + sine.base[k] * sine.base[k]
            weight.base[k] = power > least * chance ? 1 - chance / power : 0
            if power > highest { (highest, best) = (power, k) }
        }
        // Something must carry the pitch.
        if weight.base[best] < 0.1 { weight.base[best] = 0.1 }
    }

    /// The repetition rate of the waveform, in radians per sample: where its autocorrelation Σ A_k² cos ω_k τ peaks.
    ///
    /// Partial k lies φ_k = ω_k τ - 2π k from where it would repeat. A partial that is stretched by a turn helps no more,
    /// so the start is the best of the mean period, close to the truth where all are within reach, and of some partials'
    /// own periods. From there every step maximises the parabola below cos φ that touches it at φ_k, which cannot lose
    /// height, or is Newton's where that does not lose any. Partials in the upper third of a slow copy's band, which
    /// its low-pass weakens, count for less than they should.
    @_noLocks func repetition() -> Double {
        var (sum, weights) = (0.0, 0.0)
        for k in 1...gram.partialCount {
            sum += Double(k) * audiblePower(of: k) * gram.frequency.base[k]
            weights += Double(k * k) * audiblePower(of: k)
        }
        guard weights > 0 else { return gram.fundamental }
        var period = 2 * Double.pi * weights / sum
        var height = selfSimilarity(after: period).height
        // Each one's own period, denser where the powers are.
        var k = 1
        while k <= gram.partialCount {
            let own = 2 * Double.pi * Double(k) / gram.frequency.base[k]
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
        for k in 1...gram.partialCount {
            let power = audiblePower(of: k)
            if power == 0 { continue }
            let omega = gram.frequency.base[k]
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
    @_noLocks private func audiblePower(of k: Int) -> Double { weight.base[k] * power(of: k) }

    /// The number of the partial with the most power.
    @_noLocks func strongestPartial() -> Int {
        var (strongest, highest) = (1, 0.0)
        for k in 1...gram.partialCount where power(of: k) > highest { (strongest, highest) = (k, power(of: k)) }
        return strongest
    }

    /// Whether the fit is that of one line, of which it is no more than a fraction.
    ///
    /// All but a twentieth of the power is in one partial, which is not the first. A note may be like that as well: its
    /// other partials stand out of the noise, and its strongest one is within the range of pitch. A squeal above that
    /// range repeats as well at half and at a third of its rate, and so do its own multiples.
    ///
    /// - Parameter highest: the highest pitch, in radians per sample.
    @_noLocks func isFractionOfOneLine(highest: Double) -> Bool {
        let strongest = strongestPartial()
        var (sum, others) = (0.0, 0)
        for k in 1...gram.partialCount {
            sum += power(of: k)
            // See `highestPartial`.
            if k != strongest && weight.base[k] > 1 - 1 / 7.0 { others += 1 }
        }
        guard strongest > 1 && power(of: strongest) > 0.95 * sum else { return false }
        return others == 0 || gram.frequency.base[strongest] > highest
    }

    /// a_k² + b_k².
    @_noLocks func power(of k: Int) -> Double {
        cosine.base[k] * cosine.base[k] + sine.base[k] * sine.base[k]
    }

    /// The highest partial whose power stands out of the noise by `ratio` times the average of an empty one.
    @_noLocks func highestPartial(over ratio: Double) -> Int {
        // weight = 1 - 1/x where x is that ratio.
        let least = 1 - 1 / ratio
        var k = gram.partialCount
        while k > 1 && weight.base[k] < least { k -= 1 }
        return k
    }
}
