import Foundation

/// Numbers that look random and are the same in every run: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
public struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    /// The same seed gives the same numbers.
    public init(seed: UInt64) { state = seed }

    /// 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 to 1, in steps of 2^-53.
    public mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// From `low` to `high`.
    public mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * uniform() }

    /// From the standard normal distribution (Box & Muller, 1958).
    public mutating func normal() -> Double { (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform()) }
}
