/// The levels of the beats of one or several bars, repeated.
public struct AccentPattern: Sendable, Hashable {
    /// The bars, each with one level per beat; never empty.
    public let bars: [[AccentLevel]]

    /// The most beats one bar can have.
    public static let longestBar = 1_024

    /// An accent on every `count`th beat, so that a bar has `count` beats.
    ///
    /// - Parameter count: 1 to 1,024; 1 accents every beat.
    public init(every count: Int) throws(NotationError) {
        guard (1...Self.longestBar).contains(count) else {
            throw .outOfRange(text: "\(count)", column: 1, allowed: Self.allowedCount)
        }
        bars = [[.accent] + Array(repeating: .normal, count: count - 1)]
    }

    /// Reads a number of beats: `4` accents the first of every four.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        guard !text.hasPrefix("-") else { throw .outOfRange(text: text, column: 1, allowed: Self.allowedCount) }
        let start = scanner.column
        let digits = scanner.take(while: \.isDigit)
        guard !digits.isEmpty else { throw scanner.unreadable("a number of beats, such as 4") }
        try scanner.expectEnd(after: "accent")
        guard let count = Int(digits), (1...Self.longestBar).contains(count) else {
            throw scanner.outOfRange(Self.allowedCount, at: start)
        }
        try self.init(every: count)
    }

    private static let allowedCount = "an accent falls on every 1st to 1024th beat, such as --accent 4"
}
