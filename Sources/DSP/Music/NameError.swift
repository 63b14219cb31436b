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
    static func unknown(_ kind: String, _ name: some StringProtocol, among known: [String]) -> NameError {
        .unknown(kind: kind, name: String(name), known: likelyNames(for: String(name), among: known))
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

/// The form in which names are compared: lower case, letters without accents and digits only, `♭` and `♯` spelled `b` and
/// `#`.
///
/// `"Werckmeister III"`, `"werckmeister-iii"` and `"WERCKMEISTER_III"` are the same name.
func lookupKey(_ name: some StringProtocol) -> String {
    var key = ""
    for character in name {
        switch character {
        case "♭": key.append("b")
        case "♯": key.append("#")
        case "#", "+", "/": key.append(character)
        default: if character.isLetter || character.isNumber { key += withoutMarks(character.lowercased()) }
        }
    }
    return key
}

/// A lower-case Latin letter without its marks, `e` for `é` and `ss` for `ß`; any other letter as it is.
private func withoutMarks(_ letter: String) -> String {
    if letter.allSatisfy(\.isASCII) { return letter }
    var plain = ""
    for scalar in letter.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
        // Unicode names é "LATIN SMALL LETTER E WITH ACUTE".
        let words = (scalar.properties.name ?? "").split(separator: " ")
        if words.count > 4, words[0...2].elementsEqual(["LATIN", "SMALL", "LETTER"]), words[4] == "WITH" {
            plain += words[3].lowercased()
        } else {
            plain += scalar == "ß" ? "ss" : String(scalar)
        }
    }
    return plain
}

/// The names in `known` that share a word with `name`, or have a word that begins alike or differs by one letter; all
/// names if there is no such name.
///
/// - Complexity: O(characters of `known`), whatever is sought: what is longer than any name is like none.
func likelyNames(for name: String, among known: [String]) -> [String] {
    let sought = Name(name.count > longestName ? "" : name).words.filter { $0.count > 1 }
    guard !sought.isEmpty else { return known }
    let names = known.map { Name($0) }
    func share(_ isAlike: (_ word: Word, _ sought: Word) -> Bool) -> [String] {
        zip(known, names).filter { $0.1.words.contains { word in sought.contains { isAlike(word, $0) } } }.map(\.0)
    }
    let same = share { $0.letters == $1.letters && !$0.isNumber }
    let similar = share { $0.letters.starts(with: $1.beginning) && !$1.beginsWithNumber || $0.isNear($1) }
    let near = same.isEmpty || sought.count == 1 ? similar : same
    return near.isEmpty ? known : near
}

/// The longest name of an instrument, a tuning or a temperament has some thirty characters.
private let longestName = 64

/// A name as words in the form in which they are compared.
private struct Name {
    let words: [Word]

    init(_ text: String) {
        words = text.split { !$0.isLetter && !$0.isNumber && $0 != "#" }.map { Word(letters: Array(lookupKey($0))) }
    }
}

private struct Word {
    let letters: [Character]

    var count: Int { letters.count }
    var isNumber: Bool { Int(String(letters)) != nil }
    var beginning: ArraySlice<Character> { letters.prefix(3) }
    var beginsWithNumber: Bool { Int(String(beginning)) != nil }

    /// Whether one letter inserted, deleted or changed turns one word into the other, or none.
    func isNear(_ other: Word) -> Bool {
        let (short, long) = count < other.count ? (letters, other.letters) : (other.letters, letters)
        guard long.count - short.count < 2 else { return false }
        let alike = zip(short, long).prefix { $0 == $1 }.count
        if alike == short.count { return true }
        return short[(alike + (short.count == long.count ? 1 : 0))...] == long[(alike + 1)...]
    }
}
