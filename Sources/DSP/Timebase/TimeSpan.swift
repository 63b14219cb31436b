/// A length of time as it is said on a command line: `90`, `90s`, `1.5m`, `1h30m` or `2:30`.
@frozen
public struct TimeSpan: Sendable, Hashable, BitwiseCopyable {
    /// The length in seconds, exactly.
    public let seconds: Ratio

    /// 31 days: longer practice is not likely, and every frame count stays far from the end of 64 bits.
    public static var longest: Int64 { 31 * 24 * 3_600 }

    /// A length of more than 0 seconds and at most 31 days.
    public init?(seconds: Ratio) {
        guard seconds > Ratio(0), seconds <= Ratio(Self.longest), seconds.denominator <= 1_000_000_000 else {
            return nil
        }
        self.seconds = seconds
    }

    /// Reads seconds without a unit, or with `s`, `m` (minutes) and `h`, or minutes and seconds as `2:30`.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.timeSpan()
        try scanner.expectEnd(after: "duration")
    }

    /// The frame nearest to the end of this length, half a frame upwards.
    public func frameCount(sampleRate: Int) -> Int64 { frameCount(frameRate: Ratio(Int64(sampleRate))) }

    internal func frameCount(frameRate: Ratio) -> Int64 {
        let below = Int128(seconds.denominator) * Int128(frameRate.denominator)
        return Int64((2 * Int128(seconds.numerator) * Int128(frameRate.numerator) + below) / (2 * below))
    }
}

extension NotationScanner {
    internal mutating func timeSpan() throws(NotationError) -> TimeSpan {
        let what = "a duration such as 90, 90s, 10m, 1h30m or 2:30"
        let start = column
        var total = try decimal(what)
        if skip(":") {
            total = total.multiplied(by: Ratio(60))?.adding(try decimal("the seconds after the colon")) ?? Ratio(0)
        } else if let unit = timeUnit() {
            total = total.multiplied(by: Ratio(unit)) ?? Ratio(0)
            while next?.isDigit == true {
                let more = try decimal(what)
                guard let unit = timeUnit() else { throw unreadable("s, m or h") }
                total = more.multiplied(by: Ratio(unit)).flatMap(total.adding) ?? Ratio(0)
            }
        }
        guard let span = TimeSpan(seconds: total) else {
            throw outOfRange("a duration is more than 0 and at most 31 days", at: start)
        }
        return span
    }

    private mutating func timeUnit() -> Int64? {
        if skip("s") { return 1 }
        if skip("m") { return 60 }
        return skip("h") ? 3_600 : nil
    }
}
