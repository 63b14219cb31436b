/// An exact instant between frames: a whole frame and a fraction of one.
///
/// Sums are exact while the reduced denominator fits into 62 bits; beyond that the fraction is rounded to the nearest
/// 2⁻⁶² of a frame (5 · 10⁻²⁴ s at 48 kHz). A schedule adds once at each change of tempo and each turn of a repeat without end, so that
/// after n of them an instant is within n · 2⁻⁶² frames of the exact one: 5 · 10⁻¹⁴ frames after 200,000, the most
/// that a map has entries, and never half a frame in a performance.
@frozen
public struct FramePosition: Sendable, Hashable, BitwiseCopyable {
    /// The frame at or before the instant.
    public var whole: Int64
    /// The part of a frame after it: `numerator / denominator`, at least 0 and below 1.
    public var numerator: UInt64
    /// At least 1, at most 2⁶².
    public var denominator: UInt64

    /// A frame exactly.
    @_noLocks public init(frame: Int64) { (whole, numerator, denominator) = (frame, 0, 1) }

    /// A number of frames, which may be below zero: the whole is then rounded down.
    public init?(_ frames: Ratio) {
        let whole = frames.numerator / frames.denominator - (frames.numerator % frames.denominator < 0 ? 1 : 0)
        guard let rest = frames.subtracting(Ratio(whole)) else { return nil }
        self.init(whole: whole, numerator: UInt64(rest.numerator), denominator: UInt64(rest.denominator))
    }

    /// A frame and a fraction that is already reduced.
    @_noLocks internal init(whole: Int64, numerator: UInt64, denominator: UInt64) {
        (self.whole, self.numerator, self.denominator) = (whole, numerator, denominator)
    }

    /// The instant nearest to a floating-point count of frames, to 2⁻⁴⁰ of one.
    @_noLocks internal init(_ frames: Double) {
        let floor = Int64(frames) - (frames < 0 ? 1 : 0)
        let scaled = UInt64((frames - Double(floor)) * 1_099_511_627_776 + 0.5)
        self.init(whole: floor, over: UInt128(scaled), under: 1_099_511_627_776)
    }

    /// The instant `whole + over / under`, for any fraction with `under` below 2¹²⁵.
    @_noLocks internal init(whole: Int64, over: UInt128, under: UInt128) {
        let carried = over / under
        var (numerator, denominator) = (over % under, under)
        let divisor = greatestCommonDivisor(numerator, denominator)
        numerator /= divisor
        denominator /= divisor
        self.whole = whole + Int64(carried)
        if denominator > Self.finest {
            // Shift both until the denominator has 64 bits, then scale to 2⁶²: the relative error is below 2⁻⁶³.
            while denominator > 0xFFFF_FFFF_FFFF_FFFF {
                denominator >>= 1
                numerator >>= 1
            }
            numerator = (numerator * Self.finest + denominator / 2) / denominator
            denominator = Self.finest
            if numerator >= denominator {
                numerator = 0
                self.whole += 1
            }
        }
        self.numerator = UInt64(numerator)
        self.denominator = UInt64(denominator)
    }

    private static var finest: UInt128 { @_noLocks get { 1 << 62 } }

    /// The sum of two instants.
    @_noLocks public func adding(_ other: FramePosition) -> FramePosition {
        if other.numerator == 0 {
            return FramePosition(whole: whole + other.whole, numerator: numerator, denominator: denominator)
        }
        let over = UInt128(numerator) * UInt128(other.denominator) + UInt128(other.numerator) * UInt128(denominator)
        return FramePosition(
            whole: whole + other.whole, over: over, under: UInt128(denominator) * UInt128(other.denominator))
    }

    /// As far before frame 0 as this is after it.
    internal var negated: FramePosition {
        numerator == 0
            ? FramePosition(frame: -whole)
            : FramePosition(whole: -whole - 1, numerator: denominator - numerator, denominator: denominator)
    }

    /// The nearest frame; half a frame goes up.
    public var nearestFrame: Int64 {
        @_noLocks get { numerator >= denominator - numerator ? whole + 1 : whole }
    }

    /// The fraction as a floating-point number, 0 up to 1.
    public var fraction: Double { @_noLocks get { Double(numerator) / Double(denominator) } }
}
