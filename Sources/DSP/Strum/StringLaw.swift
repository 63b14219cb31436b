internal import CRealtime

/// Where the partials of one string lie and how fast they decay, by law.
struct StringLaw: BitwiseCopyable, Sendable {
    /// The first partial, in cents from where the tuning has it.
    var cents = 0.0
    /// The inharmonicity coefficient B.
    var inharmonicity = 0.0
    /// The natural logarithm of the decay rate of the first partial, in 1/s.
    var logDecay = 0.0

    @_noLocks init(cents: Double, inharmonicity: Double, logDecay: Double) {
        (self.cents, self.inharmonicity, self.logDecay) = (cents, inharmonicity, logDecay)
    }

    /// A string in tune that has not been heard yet.
    @_noLocks init(_ prior: StrumPrior) {
        self.init(cents: 0, inharmonicity: prior.inharmonicity, logDecay: prior.logDecay)
    }

    /// Partial k over the first one: k √((1 + B k²) / (1 + B)).
    @_noLocks func stretch(_ k: Double) -> Double {
        k * rt_sqrt((1 + inharmonicity * k * k) / (1 + inharmonicity))
    }
}
