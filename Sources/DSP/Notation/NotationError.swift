public import Music
public import Timebase

/// An error in a text: its place, what is wrong there, and what to write instead.
public struct NotationError: ExplainedError, Equatable {
    /// The name of the tempo map; `nil` for a single word.
    public internal(set) var file: String?
    /// The text of the line.
    public let text: String
    /// The line, from 1.
    public let line: Int
    /// The character at fault, from 1; one past the end where something is missing.
    public let column: Int
    /// What is wrong at that place.
    internal let fault: String
    /// What to write there instead.
    public let remedy: String

    /// The place and what is wrong there: `song.map:3:7: unexpected 'x'`, or `'80..', column 5: unexpected end`.
    public var problem: String {
        if let file { return "\(file):\(line):\(column): \(fault)" }
        // Long texts are quoted by their first 60 characters.
        return "'\(text.count <= 60 ? text : text.prefix(60) + "…")', column \(column): \(fault)"
    }

    internal init(text: String, line: Int = 1, column: Int, fault: String, remedy: String) {
        (self.text, self.line, self.column, self.fault, self.remedy) = (text, line, column, fault, remedy)
    }

    /// The text violates the grammar at a column.
    internal static func unreadable(_ text: String, at column: Int, remedy: String) -> NotationError {
        let found = text.dropFirst(column - 1).first.map { "'\($0)'" } ?? "end"
        return NotationError(text: text, column: column, fault: "unexpected \(found)", remedy: remedy)
    }

    /// The place of the bar whose accents do not fit the meter; `nil` for other errors.
    ///
    /// - Parameter accents: the text of the accents, with `/` between bars.
    public init?(_ error: PlanError, in accents: String) {
        guard case .accentsDoNotFit(let bar, _, _) = error else { return nil }
        let before = accents.split(separator: "/", omittingEmptySubsequences: false).prefix(bar - 1)
        self.init(
            text: accents, column: before.reduce(1) { $0 + $1.count + 1 }, fault: error.problem, remedy: error.remedy)
    }
}
