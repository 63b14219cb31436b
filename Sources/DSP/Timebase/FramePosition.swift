/// An exact instant between frames: a whole frame and a fraction of one.
///
/// Sums are exact while the reduced denominator is at most 2¹²⁶, enough for twelve coprime tempi of three digits. Beyond
/// that each sum is rounded to 2⁻¹²⁶ of a frame. This affects only what the audio thread sums up itself: live changes,
/// and the turns of an endless repeat. The tables of a `BeatSchedule` are exact for any number of tempi.
package struct FramePosition: Sendable, Hashable, BitwiseCopyable {
    /// The frame at or before the instant.
    package var whole: Int64
    /// The part of a frame after it: `numerator / denominator`, at least 0 and below 1.
    package var numerator: UInt128
    /// At least 1, at most 2¹²⁶.
    package var denominator: UInt128

    @_noLocks package init(frame: Int64) { (whole, numerator, denominator) = (frame, 0, 1) }

    /// A number of frames, which may be below zero: the whole is then rounded down.
    package init?(_ frames: Ratio) {
        let whole = frames.numerator / frames.denominator - (frames.numerator % frames.denominator < 0 ? 1 : 0)
        guard let rest = frames.subtracting(Ratio(whole)) else { return nil }
        self.init(whole: whole, numerator: UInt128(rest.numerator), denominator: UInt128(rest.denominator))
    }

    /// A frame and a fraction that is already reduced.
    @_noLocks internal init(whole: Int64, numerator: UInt128, denominator: UInt128) {
        (self.whole, self.numerator, self.denominator) = (whole, numerator, denominator)
    }

    /// The instant nearest to a floating-point count of frames, to 2⁻⁴⁰ of one.
    @_noLocks internal init(_ frames: Double) {
        let floor = Int64(frames) - (frames < 0 ? 1 : 0)
        let scaled = UInt64((frames - Double(floor)) * 1_099_511_627_776 + 0.5)
        self.init(whole: floor, over: UInt128(scaled), under: 1_099_511_627_776)
    }

    /// The instant `whole + over / under`, for any fraction with `under` at most 2¹²⁶.
    @_noLocks internal init(whole: Int64, over: UInt128, under: UInt128) {
        let rest = over % under
        let divisor = greatestCommonDivisor(rest, under)
        self.whole = whole + Int64(over / under)
        (numerator, denominator) = (rest / divisor, under / divisor)
    }

    /// The steps per frame to which sums are rounded.
    internal static var finest: UInt128 { @_noLocks get { 1 << 126 } }

    @_noLocks package func adding(_ other: FramePosition) -> FramePosition {
        if let exact = exactSum(other) { return exact }
        // Either may round up to a whole frame.
        let sum = finestSteps + other.finestSteps
        let steps = sum & (Self.finest - 1)
        let common = steps == 0 ? 126 : steps.trailingZeroBitCount
        return FramePosition(
            whole: whole + other.whole + Int64(sum >> 126), numerator: steps >> common,
            denominator: Self.finest >> common)
    }

    /// The sum, if its denominator fits.
    @_noLocks internal func exactSum(_ other: FramePosition) -> FramePosition? {
        if other.numerator == 0 {
            return FramePosition(whole: whole + other.whole, numerator: numerator, denominator: denominator)
        }
        let shared = greatestCommonDivisor(denominator, other.denominator)
        let (mine, its) = (denominator / shared, other.denominator / shared)
        if mine > Self.finest / other.denominator { return nil }
        let common = mine * other.denominator
        // Each product is below the common denominator, so that their sum has 127 bits.
        var over = numerator * its + other.numerator * mine
        var sum = whole + other.whole
        if over >= common {
            over -= common
            sum += 1
        }
        // Any common factor of the sum and its denominator divides both denominators.
        let divisor = over == 0 ? common : greatestCommonDivisor(over, shared)
        return FramePosition(whole: sum, numerator: over / divisor, denominator: common / divisor)
    }

    /// The fraction in steps of 2⁻¹²⁶, the nearest of them: division bit by bit.
    internal var finestSteps: UInt128 {
        @_noLocks get {
            var (steps, rest): (UInt128, UInt128) = (0, numerator)
            for _ in 0..<126 {
                steps <<= 1
                rest <<= 1
                if rest >= denominator {
                    rest -= denominator
                    steps += 1
                }
            }
            return steps + (rest >= denominator - rest ? 1 : 0)
        }
    }

    /// The fraction in steps of one `count`th of a frame, rounded down.
    ///
    /// - Complexity: 64 additions.
    @_noLocks internal func steps(of count: UInt64) -> UInt64 {
        var (steps, rest): (UInt64, UInt128) = (0, 0)
        var bit: UInt64 = numerator == 0 ? 0 : 1 << 63
        while bit > 0 {
            steps <<= 1
            rest <<= 1
            if count & bit != 0 { rest += numerator }
            // Below three denominators now.
            while rest >= denominator {
                rest -= denominator
                steps += 1
            }
            bit >>= 1
        }
        return steps
    }

    /// The nearest frame; half a frame goes up.
    package var nearestFrame: Int64 {
        @_noLocks get { numerator >= denominator - numerator ? whole + 1 : whole }
    }

    /// The fraction as a floating-point number, 0 up to 1.
    package var fraction: Double { @_noLocks get { floating(numerator) / floating(denominator) } }
}

/// The nearest floating-point number, or a neighbour. The conversion of the standard library is generic, which the
/// real-time check rejects.
@_noLocks private func floating(_ value: UInt128) -> Double {
    Double(UInt64(truncatingIfNeeded: value >> 64)) * 18_446_744_073_709_551_616
        + Double(UInt64(truncatingIfNeeded: value))
}
