/// A note value as an exact part of a whole note: a quarter is 1/4, a dotted eighth 3/16.
public struct NoteValue: Sendable, Hashable, BitwiseCopyable {
    /// How much of a whole note it lasts.
    public let share: Ratio

    /// A quarter note.
    public static var quarter: NoteValue { @_noLocks get { NoteValue(over: 4) } }

    /// A part of a whole note with dots, each of which adds half of what came before it.
    ///
    /// - Parameters:
    ///   - denominator: 4 for a quarter, 8 for an eighth; 1 to `Meter.finestBeat`, otherwise the result is `nil`.
    ///   - dots: 0 to 2.
    public init?(_ denominator: Int, dots: Int = 0) {
        guard (1...Meter.finestBeat).contains(denominator), (0...2).contains(dots),
            // 1, 3/2, 7/4.
            let share = Ratio([1, 3, 7][dots], Int64(denominator) * [1, 2, 4][dots])
        else { return nil }
        self.share = share
    }

    /// A part of a whole note, at least 1.
    @_noLocks internal init(over denominator: Int) { share = Ratio(reduced: 1, over: Int64(max(1, denominator))) }

    /// The note without its dots as a part of a whole note: 8 for an eighth and for a dotted eighth.
    public var denominator: Int { Int(share.denominator >> Int64(dots)) }
    /// 0 to 2.
    public var dots: Int { share.numerator == 7 ? 2 : share.numerator == 3 ? 1 : 0 }

    /// As it is written before a tempo: `4`, `8.`.
    package var number: String { "\(denominator)" + String(repeating: ".", count: dots) }

    /// What a tempo counts that names no note value: the beat of the meter, without a meter quarters.
    package static func counted(in meter: Meter?) -> NoteValue { meter?.beat ?? .quarter }

    /// How many of another note value it lasts.
    package func count(of other: NoteValue) -> Ratio { share.divided(by: other.share) ?? Ratio(1) }
}

extension NoteValue: CustomStringConvertible {
    /// `quarter`, `8th`, `32nd`, `dotted 8th`.
    public var description: String {
        let name =
            switch denominator {
            case 1: "whole"
            case 2: "half"
            case 4: "quarter"
            default: "\(denominator)\(denominator % 10 == 2 && denominator % 100 != 12 ? "nd" : "th")"
            }
        return ["", "dotted ", "double-dotted "][dots] + name
    }
}
