internal import CRealtime
internal import Music
internal import Realtime

/// The tone that a fit found: its partials, how strong each is, and how far it stands out of the noise.
struct FittedTone: BitwiseCopyable {
    /// Entries per array: the partials, and the offset at index 0.
    private static var capacity: Int { @_noLocks get { PartialMoments.capacity + 1 } }

    /// How many times the average power of an empty partial one must have to be present.
    ///
    /// That power is exponential in white noise, so that one empty partial in 1,100 (e⁻⁷) passes for present.
    static var presence: Double { @_noLocks get { 7 } }

    /// w in radians per sample and B, where the model was linearized.
    private(set) var fundamental = 0.0
    private(set) var inharmonicity = 0.0
    /// The number of partials that were fitted.
    private(set) var count = 0
    /// The power 4 σ²/N that an empty partial has on average.
    private(set) var chance = 0.0
    /// The power of all partials.
    private var power = 0.0
    /// The number of the partial with the most power, and its power.
    private(set) var strongest = 1
    private var strongestPower = 0.0
    /// How many partials are present, and the highest of them; 1 where none is.
    private var presentCount = 0
    private(set) var highestPresent = 1
    /// a_k² + b_k².
    private(set) var powers = InlineArray<73, Double>(repeating: 0)
    /// How much each partial counts, 0 to 1.
    private(set) var weights = InlineArray<73, Double>(repeating: 0)
    /// How far each partial by itself lies from where the model has it, in radians per sample, and the variance of that
    /// in noise of unit variance; see `setShift`.
    private var shifts = InlineArray<73, Float>(repeating: 0)
    private var shiftVariances = InlineArray<73, Float>(repeating: 0)

    @_noLocks init() {}

    @_noLocks init(fundamental: Double, inharmonicity: Double, count: Int, chance: Double) {
        (self.fundamental, self.inharmonicity) = (fundamental, inharmonicity)
        (self.count, self.chance) = (min(count, Self.capacity - 1), chance)
    }

    /// Sets a partial: each one once.
    @_noLocks mutating func set(_ k: Int, power: Double, weight: Double) {
        powers[k] = power
        weights[k] = weight
        self.power += power
        if power > strongestPower { (strongest, strongestPower) = (k, power) }
        if power > Self.presence * chance {
            (presentCount, highestPresent) = (presentCount + 1, max(highestPresent, k))
        }
    }

    @_noLocks mutating func setShift(_ k: Int, _ shift: Double, variance: Double) {
        shifts[k] = Float(shift)
        shiftVariances[k] = Float(variance)
    }

    /// How far partial `k` by itself lies from where the model has it, in radians per sample, and the variance of that in
    /// noise of unit variance; 0 and 0 where that is not known.
    @_noLocks func shift(of k: Int) -> (value: Double, variance: Double) {
        (Double(shifts[k]), Double(shiftVariances[k]))
    }

    /// Radians per sample.
    @_noLocks func frequency(of k: Int) -> Double {
        let number = Double(k)
        return number * fundamental * rt_sqrt(1 + inharmonicity * number * number)
    }

    /// Whether partial `k` stands out of the noise.
    @_noLocks func isPresent(_ k: Int) -> Bool { powers[k] > Self.presence * chance }

    /// By how many cents partial `k` lies from where the model has it, and the standard error of that.
    ///
    /// As if the partials did not overlap: exact in windows of many periods.
    @_noLocks func detuning(of k: Int, noise: Double) -> (cents: Double, error: Double) {
        let scale = Cents.perNeper / frequency(of: k)
        return (scale * Double(shifts[k]), scale * rt_sqrt(Double(shiftVariances[k]) * noise))
    }

    /// The share of the partials' power that lies above a frequency in radians per sample.
    @_noLocks func share(above frequency: Double) -> Double {
        var (all, above) = (1e-30, 0.0)
        for k in 0..<count {
            let power = weights[k + 1] * powers[k + 1]
            all += power
            if self.frequency(of: k + 1) > frequency { above += power }
        }
        return above / all
    }

    /// Whether the tone is one line, of which the fundamental is no more than a fraction.
    ///
    /// All but a twentieth of the power is in one partial, which is not the first. A note may be like that as well: then
    /// other partials are present, and its strongest one is within the range of pitch. A squeal above that range repeats
    /// at half and at a third of its rate as well, and so do its own multiples.
    ///
    /// - Parameter highest: the highest pitch, in radians per sample.
    @_noLocks func isFractionOfOneLine(highest: Double) -> Bool {
        guard strongest > 1 && strongestPower > 0.95 * power else { return false }
        // The strongest one is among those present, if any is.
        return presentCount <= 1 || frequency(of: strongest) > highest
    }
}
