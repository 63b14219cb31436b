/// A tempo, meter, pattern or plan that cannot be read: where, what was found, and what would have been right.
public enum NotationError: Error, Equatable, Sendable {
    /// The text breaks off its grammar at a 1-based column, counted in characters.
    case unreadable(text: String, column: Int, expected: String)
    /// The text is well formed, but the number at that column is not one we can play.
    case outOfRange(text: String, column: Int, allowed: String)

    /// The text that was read.
    public var text: String {
        switch self {
        case .unreadable(let text, _, _), .outOfRange(let text, _, _): text
        }
    }

    /// The 1-based character at fault; one past the end when something is missing there.
    public var column: Int {
        switch self {
        case .unreadable(_, let column, _), .outOfRange(_, let column, _): column
        }
    }

    /// What would have been right there.
    public var remedy: String {
        switch self {
        case .unreadable(_, _, let expected): "expected \(expected), found \(found)"
        case .outOfRange(_, _, let allowed): "out of range: \(allowed)"
        }
    }

    /// One sentence: what is wrong, where, and what to write instead.
    public var message: String { "'\(shortened)', column \(column): \(remedy)" }

    /// The same complaint about the text as it was typed, where its columns are the same.
    public func quoting(_ typed: String) -> NotationError {
        switch self {
        case .unreadable(_, let column, let expected): .unreadable(text: typed, column: column, expected: expected)
        case .outOfRange(_, let column, let allowed): .outOfRange(text: typed, column: column, allowed: allowed)
        }
    }

    private var found: String {
        let characters = Array(text)
        guard column >= 1, column <= characters.count else { return text.isEmpty ? "nothing" : "the end" }
        return "'\(characters[column - 1])'"
    }

    /// Long texts are quoted by their first 60 characters.
    private var shortened: String { text.count <= 60 ? text : text.prefix(60) + "…" }
}
