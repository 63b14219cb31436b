/// What is wrong with a name that somebody typed: a note, a temperament, an instrument, an interval.
public enum NameError: Error, Sendable, Equatable {
    /// No `kind` is called this; `known` lists names that exist, the likeliest first.
    case unknown(kind: String, name: String, known: [String])
    /// The text stops being a note name at `column` (1 is the first character); `expected` says what belongs there.
    case notANote(text: String, column: Int, expected: String)
    /// The text stops being an interval at `column` (1 is the first character); `expected` says what belongs there.
    case notAnInterval(text: String, column: Int, expected: String)
    /// The text stops being a list of offsets at `column` (1 is the first character); `expected` says what belongs there.
    case notAnOffset(text: String, column: Int, expected: String)

    /// What is wrong and what to do next, in one sentence.
    public var message: String {
        switch self {
        case .unknown(let kind, let name, let known):
            "There is no \(kind) called '\(name)'; choose one of these: \(known.joined(separator: ", "))."
        case .notANote(let text, let column, let expected):
            "'\(text)' is not a note name: character \(column) should be \(expected)."
        case .notAnInterval(let text, let column, let expected):
            "'\(text)' is not an interval: character \(column) should be \(expected)."
        case .notAnOffset(let text, let column, let expected):
            "'\(text)' is not a list of offsets: character \(column) should be \(expected)."
        }
    }

    /// The exit status for a command that ends with this error.
    public var exitStatus: Int32 { 2 }
}

/// A name as it is looked up: lower case, letters and digits only, `♭` and `♯` spelled `b` and `#`.
///
/// `"Werckmeister III"`, `"werckmeister-iii"` and `"WERCKMEISTER_III"` are the same name.
func lookupKey(_ name: some StringProtocol) -> String {
    var key = ""
    for character in name {
        switch character {
        case "♭": key.append("b")
        case "♯": key.append("#")
        case "#", "+", "/": key.append(character)
        default: if character.isLetter || character.isNumber { key += character.lowercased() }
        }
    }
    return key
}

/// The names in `known` that begin like `name`, or all of them where none does.
func likelyNames(for name: String, among known: [String]) -> [String] {
    let start = lookupKey(name).prefix(3)
    let near = known.filter { !start.isEmpty && lookupKey($0).contains(start) }
    return near.isEmpty ? known : near
}
