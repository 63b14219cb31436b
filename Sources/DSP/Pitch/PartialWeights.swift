internal import CRealtime
internal import Realtime

// How much each partial counts, as the amplitudes of a fit tell.
extension HarmonicFit {
    /// How many times the average of an empty partial one must have to count: 8 % of empty partials reach that.
    static var leastPower: Double { @_noLocks get { 2.5 } }
    /// The same where B is unknown, which a few empty partials would pull far off: 0.2 % reach that.
    static var leastStiffPower: Double { @_noLocks get { 6 } }

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
        weight.start[0] = 0
        for k in 1...gram.partialCount {
            let power = power(of: k)
            weight.start[k] = power > least * chance ? 1 - chance / power : 0
            if power > highest { (highest, best) = (power, k) }
        }
        // Something must carry the pitch.
        if weight.start[best] < 0.1 { weight.start[best] = 0.1 }
    }

    /// a_k² + b_k².
    @_noLocks func power(of k: Int) -> Double {
        cosine.start[k] * cosine.start[k] + sine.start[k] * sine.start[k]
    }
}
