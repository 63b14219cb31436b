/// Beats per minute as an exact fraction: 97.3 is 973/10, not the nearest floating-point number.
@frozen
public struct Tempo: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Beats per minute, exactly.
    public let beatsPerMinute: Ratio

    /// The slowest and the fastest tempo in beats per minute.
    public static var range: ClosedRange<Int64> { 1...1_000 }

    /// Beats per minute as a whole number, 1 to 1,000.
    public init(_ beatsPerMinute: Int64) throws(PlanError) { try self.init(Ratio(beatsPerMinute)) }

    /// Beats per minute as a fraction from 1 to 1,000 with a denominator of at most 10^9.
    public init(_ beatsPerMinute: Ratio) throws(PlanError) {
        guard beatsPerMinute >= Ratio(Tempo.range.lowerBound), beatsPerMinute <= Ratio(Tempo.range.upperBound),
            beatsPerMinute.denominator <= 1_000_000_000
        else { throw .tempoOutOfRange(beatsPerMinute) }
        self.beatsPerMinute = beatsPerMinute
    }

    /// Whether `lhs` is the slower.
    public static func < (lhs: Tempo, rhs: Tempo) -> Bool { lhs.beatsPerMinute < rhs.beatsPerMinute }
}

extension Tempo: CustomStringConvertible {
    /// The shortest exact spelling: `120`, `97.3`, `100/3`.
    public var description: String { beatsPerMinute.decimalDescription }
}

extension Ratio {
    /// The decimal if it has at most nine places, otherwise the fraction.
    public var decimalDescription: String {
        var scale: Int64 = 1
        var places = 0
        while scale % denominator != 0 {
            guard places < 9 else { return description }
            scale *= 10
            places += 1
        }
        let scaled = Int128(numerator) * Int128(scale / denominator)
        guard places > 0 else { return "\(scaled)" }
        let digits = "\(scaled.magnitude)"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (scaled < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }
}
