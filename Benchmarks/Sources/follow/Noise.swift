import Foundation

/// Random numbers with a seed: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
struct Noise {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992
    }

    /// From the standard normal distribution (Box & Muller, 1958).
    mutating func normal() -> Float {
        Float((-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform()))
    }
}
