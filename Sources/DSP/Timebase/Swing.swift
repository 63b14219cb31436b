/// How late the second of each pair of parts comes: 50 % is straight, 66.67 % or 2:1 is a triplet feel.
@frozen
public struct Swing: Sendable, Hashable, BitwiseCopyable {
    /// The share of the pair that the first note takes, 1/2 to 3/4.
    public let share: Ratio

    /// Both halves alike.
    public static var straight: Swing { Swing(checked: Ratio(1, 2) ?? Ratio(1)) }

    /// A share from 1/2 to 3/4.
    public init(share: Ratio) throws(NotationError) {
        guard let swing = Swing(inRange: share) else {
            throw .outOfRange(text: share.description, column: 1, allowed: Self.allowed)
        }
        self = swing
    }

    /// Reads a percentage from 50 to 75 with at most two decimals (`66.67`, `60%`) or a proportion (`2:1`, `3:2`).
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.swing()
        try scanner.expectEnd(after: "swing")
    }

    fileprivate init?(inRange share: Ratio) {
        guard let half = Ratio(1, 2), let most = Ratio(3, 4), share >= half, share <= most, share.denominator <= 10_000
        else { return nil }
        self.share = share
    }

    private init(checked share: Ratio) { self.share = share }

    internal static var allowed: String {
        "swing goes from 50 to 75 percent in steps of 0.01, or from 1:1 to 3:1"
    }
}

extension NotationScanner {
    internal mutating func swing() throws(NotationError) -> Swing {
        let start = column
        let first = try decimal("a percentage from 50 to 75, or a proportion such as 2:1")
        var share: Ratio?
        if skip(":") {
            let second = try decimal("the second part of the proportion, such as the 1 of 2:1")
            share = first.adding(second).flatMap { first.divided(by: $0) }
        } else {
            _ = skip("%")
            share = first.divided(by: Ratio(100))
        }
        guard let share, let swing = Swing(inRange: share) else { throw outOfRange(Swing.allowed, at: start) }
        return swing
    }
}
