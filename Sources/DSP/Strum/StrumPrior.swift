/// What is known of any string before it is heard.
struct StrumPrior: BitwiseCopyable, Sendable {
    /// Cents from the tuning.
    var cents = 30.0
    var inharmonicity = 7e-5
    var inharmonicityScatter = 5e-5
    var logDecay = 0.9
    var logDecayScatter = 0.8
    var decaySlope = 0.15
    var decaySlopeScatter = 0.15

    @_noLocks init() {}
}
