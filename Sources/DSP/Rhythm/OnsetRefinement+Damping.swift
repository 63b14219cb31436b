extension OnsetRefinement {
    /// Where a note begins that another string was damped for: that is not foretold either, and is no beginning as long as nothing is
    /// louder than the string was.
    ///
    /// - Parameters:
    ///   - low: the first sample that was searched, of the low band.
    ///   - high: the same of the high band's power.
    @_noLocks func afterDamping(
        _ place: Int, _ low: UnsafePointer<Float>, _ high: UnsafePointer<Float>, _ count: Int
    ) -> Int {
        var (lowBefore, highBefore): (Float, Float) = (1e-12, 1e-12)
        for n in (place - Self.ringing)..<place {
            lowBefore += low[n] * low[n] / Float(Self.ringing)
            highBefore += high[n] / Float(Self.ringing)
        }
        var (lowSum, highSum, found, largest): (Float, Float, Int, Float) = (0, 0, place, Self.louder)
        for n in place..<max(place, min(count - Self.block, place + Self.damping)) {
            var (lowLast, highLast, lowNext, highNext): (Float, Float, Float, Float) = (1e-12, 1e-12, 0, 0)
            for m in 0..<Self.block {
                lowLast += low[n - 1 - m] * low[n - 1 - m]
                highLast += high[n - 1 - m]
                lowNext += low[n + m] * low[n + m]
                highNext += high[n + m]
            }
            let rise = max(lowNext / lowLast, highNext / highLast)
            if rise > largest { (largest, found) = (rise, n) }
            lowSum += low[n] * low[n]
            highSum += high[n]
            let length = Float(max(2 * Self.block, n + 1 - place))
            guard lowSum < length * lowBefore, highSum < length * highBefore else { break }
        }
        return found
    }
    /// 4 ms tell how loud the string was. A note begins within 6 ms of the damping, with a rise of 10 dB from one millisecond to the
    /// next; 2 ms are the least that tell whether the sound has become louder, as a string's pulses are up to 9 ms apart.
    private static var ringing: Int { @_noLocks get { 32 } }
    private static var damping: Int { @_noLocks get { 48 } }
    private static var louder: Float { @_noLocks get { 10 } }
    private static var block: Int { @_noLocks get { 8 } }
}
