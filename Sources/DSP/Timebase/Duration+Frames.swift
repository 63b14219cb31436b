extension Duration {
    /// The frame nearest to the end of this length of time, half a frame upwards; 0 if it is below zero.
    ///
    /// Exact for lengths with at most nine decimals of a second; others count to the nanosecond below.
    package func frameCount(at frameRate: Ratio) -> Int64 {
        let (second, nanosecond): (Int128, Int128) = (1_000_000_000_000_000_000, 1_000_000_000)
        let whole = Ratio(wide: attoseconds, over: second) ?? Ratio(wide: attoseconds / nanosecond, over: nanosecond)
        // 2^60 frames, 190,000 years at 192 kHz: later than any plan can end.
        let latest: Int64 = 1 << 60
        guard let whole, whole > Ratio(0) else { return attoseconds > 0 ? latest : 0 }
        let below = Int128(whole.denominator) * Int128(frameRate.denominator)
        let nearest = (2 * Int128(whole.numerator) * Int128(frameRate.numerator) + below) / (2 * below)
        return Int64(min(nearest, Int128(latest)))
    }
}
