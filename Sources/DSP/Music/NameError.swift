/// Why a name cannot be understood: of a note, a temperament, an instrument, an interval.
public enum NameError: ExplainedError, Equatable {
    /// No `kind` is called this; `known` lists names that exist, the likeliest first.
    case unknown(kind: String, name: String, known: [String])
    /// Several of `kind` have a name like this; `known` lists them.
    case ambiguous(kind: String, name: String, known: [String])
    /// The text is not a note name from `column` on (1 is the first character); `expected` says what belongs there.
    case notANote(text: String, column: Int, expected: String)
    /// The text is not an interval from `column` on (1 is the first character); `expected` says what belongs there.
    case notAnInterval(text: String, column: Int, expected: String)
    /// The text is not a list of offsets from `column` on (1 is the first character); `expected` says what belongs there.
    case notAnOffset(text: String, column: Int, expected: String)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .unknown(let kind, let name, _): "no \(kind) is called '\(name)'"
        case .ambiguous(let kind, let name, _): "'\(name)' is the name of more than one \(kind)"
        case .notANote(let text, _, _): "'\(text)' is not a note name"
        case .notAnInterval(let text, _, _): "'\(text)' is not an interval"
        case .notAnOffset(let text, _, _): "'\(text)' is not a list of offsets"
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .unknown(_, _, let known), .ambiguous(_, _, let known): "choose one of \(Self.list(known))"
        case .notANote(_, let column, let expected), .notAnInterval(_, let column, let expected),
            .notAnOffset(_, let column, let expected):
            "character \(column) should be \(expected)"
        }
    }

    /// No `kind` is called `name`: the error lists the names in `known` that are like it.
    static func unknown(_ kind: String, _ name: some StringProtocol, among known: KnownNames) -> NameError {
        .unknown(kind: kind, name: String(name), known: known.likely(for: String(name)))
    }

    /// The error of a part of a text, with the column counted from the start of the whole text.
    func shifted(by columns: Int, in whole: String? = nil) -> NameError {
        guard case .notANote(let text, let column, let expected) = self else { return self }
        return .notANote(text: whole ?? text, column: column + columns, expected: expected)
    }

    /// At most 24 names: a longer list does not help.
    private static func list(_ names: [String]) -> String {
        let some = names.prefix(24).joined(separator: ", ")
        return names.count > 24 ? "\(some) and \(names.count - 24) more" : some
    }
}
