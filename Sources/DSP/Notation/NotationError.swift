public import Music
public import Timebase

/// An error in a text: its place, and what to write there instead.
public struct NotationError: ExplainedError, Equatable {
    /// The name of the tempo map; `nil` for a single word.
    public internal(set) var file: String?
    /// The text of the line.
    public let text: String
    /// The line, from 1.
    public let line: Int
    /// The character at fault, from 1; one past the end where something is missing.
    public let column: Int
    /// What was expected and found there, or the range of the value.
    public let remedy: String

    /// The place: `song.map:3:7`, or `'80..', column 5`.
    public var problem: String {
        if let file { return "\(file):\(line):\(column)" }
        // Long texts are quoted by their first 60 characters.
        return "'\(text.count <= 60 ? text : text.prefix(60) + "…")', column \(column)"
    }

    internal init(text: String, line: Int = 1, column: Int, remedy: String) {
        (self.text, self.line, self.column, self.remedy) = (text, line, column, remedy)
    }

    /// The text violates the grammar at a column.
    internal static func unreadable(_ text: String, at column: Int, expected: String) -> NotationError {
        let found = text.dropFirst(column - 1).first.map { "'\($0)'" } ?? (text.isEmpty ? "nothing" : "the end")
        return NotationError(text: text, column: column, remedy: "expected \(expected), found \(found)")
    }

    /// The place of the bar whose accents do not fit the meter; `nil` for other errors.
    ///
    /// - Parameter accents: the text of the accents, with `/` between bars.
    public init?(_ error: PlanError, in accents: String) {
        guard case .accentsDoNotFit(let bar, let beats, let meter) = error else { return nil }
        let before = accents.split(separator: "/", omittingEmptySubsequences: false).prefix(bar - 1)
        self.init(
            text: accents, column: before.reduce(1) { $0 + $1.count + 1 },
            remedy: "expected \(meter.beats) beats in bar \(bar), as \(meter) has, found \(beats)")
    }
}
