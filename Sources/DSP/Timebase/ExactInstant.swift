/// An instant as an exact sum of any number of fractions of a frame, for laying out plans.
///
/// A common denominator of many tempi has thousands of digits, so each denominator keeps its own numerator. An
/// approximation decides which frame is nearest, and the sum itself where that is ambiguous.
internal struct ExactInstant {
    /// Whole frames and, by denominator, the numerators of fractions: the sum, exactly.
    private var whole: Int64 = 0
    private var parts: [UInt64: UInt64] = [:]
    /// The approximate sum, and how often it was rounded, each time by at most 2⁻¹²⁶ of a frame.
    private var nearby = FramePosition(frame: 0)
    private var roundings: UInt128 = 0

    /// Moves forward or backward by ticks of a segment.
    internal mutating func add(_ segment: Segment, ticks: Int64, isBackward: Bool = false) {
        var length =
            segment.isSteady
            ? segment.frames(ofTicks: ticks) : FramePosition(segment.rampFrames(atTick: segment.startTick + ticks))
        if isBackward {
            let fraction = length.numerator
            length.whole = -length.whole - (fraction > 0 ? 1 : 0)
            if fraction > 0 { length.numerator = length.denominator - fraction }
        }
        add(length)
    }

    /// - Parameter length: has a denominator of at most 62 bits, like a tick.
    private mutating func add(_ length: FramePosition) {
        whole += length.whole
        if length.numerator > 0 {
            let denominator = UInt64(length.denominator)
            var sum = parts[denominator, default: 0] + UInt64(length.numerator)
            if sum >= denominator {
                sum -= denominator
                whole += 1
            }
            parts[denominator] = sum == 0 ? nil : sum
        }
        if let exact = nearby.exactSum(length) {
            nearby = exact
        } else {
            nearby = nearby.adding(length)
            roundings += 1
        }
    }

    /// The frame and the step at or before the instant, on a grid of `2 · count` steps per frame. The position is exact if
    /// it fits, otherwise an approximation in the same frame.
    internal mutating func place(inHalves count: UInt64) -> (position: FramePosition, halves: UInt64) {
        let steps = 2 * count
        if roundings > 0 {
            let (low, high) = (nearby.moved(by: roundings, down: true), nearby.moved(by: roundings, down: false))
            let halves = low.steps(of: steps)
            if low.whole == nearby.whole, low.whole == high.whole, halves == high.steps(of: steps) {
                return (nearby, halves)
            }
            if let exact = combined() { (nearby, roundings) = (exact, 0) }
        }
        if roundings == 0 { return (nearby, nearby.steps(of: steps)) }
        let sum = floor(ofTimes: steps)
        let (frame, halves) = (whole + Int64(sum / UInt128(steps)), UInt64(sum % UInt128(steps)))
        if nearby.whole == frame { return (nearby, halves) }
        // Rounding has led into a neighbouring frame.
        var position = FramePosition(frame: frame)
        if nearby.whole > frame {
            (position.numerator, position.denominator) = (FramePosition.finest - 1, FramePosition.finest)
        }
        return (position, halves)
    }

    /// The nearest frame; half a frame goes up.
    internal mutating func nearestFrame() -> Int64 {
        let (position, halves) = place(inHalves: 1)
        return position.whole + Int64(halves)
    }

    /// The sum over one denominator, if it fits.
    private func combined() -> FramePosition? {
        var sum = FramePosition(frame: whole)
        for (denominator, numerator) in parts.sorted(by: { $0.key < $1.key }) {
            let part = FramePosition(whole: 0, over: UInt128(numerator), under: UInt128(denominator))
            guard let next = sum.exactSum(part) else { return nil }
            sum = next
        }
        return sum
    }

    /// The whole part of `count` times the sum of the fractions, with as many digits as it takes.
    ///
    /// Truncation costs less than one unit of the last digit per fraction. If that could carry into the whole part, more
    /// digits are used; with as many as all denominators have together, only a whole number can be that close to one.
    private func floor(ofTimes count: UInt64) -> UInt128 {
        let enough = parts.keys.reduce(32) { $0 + 64 - $1.leadingZeroBitCount } / 64 + 1
        var digits = 4
        while true {
            let (floor, mayCarry) = floor(ofTimes: count, digits: min(digits, enough))
            if !mayCarry { return floor }
            if digits >= enough { return floor + 1 }
            digits *= 2
        }
    }

    private func floor(ofTimes count: UInt64, digits: Int) -> (floor: UInt128, mayCarry: Bool) {
        var whole: UInt128 = 0
        var fraction = [UInt64](repeating: 0, count: digits)
        var quotient = fraction
        for (denominator, numerator) in parts {
            var (result, rest) = denominator.dividingFullWidth(numerator.multipliedFullWidth(by: count))
            whole += UInt128(result)
            for place in 0..<digits {
                (result, rest) = denominator.dividingFullWidth((rest, 0))
                quotient[place] = result
            }
            if Self.add(quotient, to: &fraction) { whole += 1 }
        }
        quotient = Array(repeating: 0, count: digits - 1) + [UInt64(parts.count)]
        return (whole, Self.add(quotient, to: &fraction))
    }

    /// Adds digits, the highest first; returns the carry.
    private static func add(_ digits: [UInt64], to sum: inout [UInt64]) -> Bool {
        var carry: UInt64 = 0
        for place in sum.indices.reversed() {
            let (first, isOver) = sum[place].addingReportingOverflow(digits[place])
            let (second, isCarried) = first.addingReportingOverflow(carry)
            sum[place] = second
            carry = isOver || isCarried ? 1 : 0
        }
        return carry == 1
    }
}

extension FramePosition {
    /// The position moved by some of the finest steps, not reduced.
    fileprivate func moved(by steps: UInt128, down: Bool) -> FramePosition {
        // One frame more keeps the sum above zero.
        let sum = finestSteps + Self.finest - (down ? steps : 0) + (down ? 0 : steps)
        return FramePosition(
            whole: whole - 1 + Int64(sum >> 126), numerator: sum & (Self.finest - 1), denominator: Self.finest)
    }
}
