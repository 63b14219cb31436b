/// Random muting of beats.
///
/// It depends on the seed, the bar and the beat alone, so that the same seed mutes the same beats wherever a plan starts.
package struct RandomMute: Sendable, Hashable, BitwiseCopyable {
    /// The share of muted beats in bar 1, in parts of 2³².
    package let first: Int64
    /// The share from bar `growthBars` + 1 on.
    package let last: Int64
    /// The bars over which the share changes linearly; 0: it is `last` throughout.
    package let growthBars: Int64
    package var seed: UInt64

    /// Mutes a share of the beats, 0 to 100 percent, which changes to another over some bars.
    package init(percent first: Ratio, to last: Ratio? = nil, over growthBars: Int64 = 0, seed: UInt64)
        throws(PlanError)
    {
        let last = last ?? first
        for share in [first, last] where share < Ratio(0) || share > Ratio(100) || share.denominator > 1_000_000_000 {
            throw .muteOutOfRange(share)
        }
        func parts(_ share: Ratio) -> Int64 {
            Int64(Int128(share.numerator) * (1 << 32) / (100 * Int128(share.denominator)))
        }
        (self.first, self.last) = (parts(first), parts(last))
        (self.growthBars, self.seed) = (max(0, growthBars), seed)
    }

    /// Whether a beat is muted. Bars and beats count from 1; a count-in is never muted.
    @_noLocks package func mutes(bar: Int64, beat: Int32) -> Bool {
        if bar < 1 { return false }
        var share = last
        if growthBars > 0 && bar <= growthBars { share = first + (last - first) * (bar - 1) / growthBars }
        var z = seed &+ 0x9E37_79B9_7F4A_7C15 &* (UInt64(bitPattern: bar) &* 2_048 &+ UInt64(UInt32(bitPattern: beat)))
        // SplitMix64's finalizer (Steele, Lea & Flood, OOPSLA 2014): every bit of the result depends on every bit.
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        return Int64(z >> 32) < share
    }
}
