/// Names that exist, as words, for the message about one that does not.
///
/// Taking them apart costs more than the comparison, so the built-in tables do it once.
struct NameList: Sendable {
    private let known: [(name: String, words: [Word])]

    init(_ names: [String]) { known = names.map { ($0, Self.words(of: $0)) } }

    /// The names that share a word with `name`, or have a word that begins alike or differs by one letter; all names if
    /// there is no such name.
    ///
    /// - Complexity: O(characters of the known names), whatever is sought: what is longer than any name is like none.
    func names(like name: String) -> [String] {
        let sought = name.count > Self.longestName ? [] : Self.words(of: name).filter { $0.letters.count > 1 }
        guard !sought.isEmpty else { return known.map(\.name) }
        func share(_ isAlike: (_ word: Word, _ sought: Word) -> Bool) -> [String] {
            known.filter { $0.words.contains { word in sought.contains { isAlike(word, $0) } } }.map(\.name)
        }
        let same = share { $0.letters == $1.letters && !$0.isNumber }
        let similar = share { $0.letters.starts(with: $1.beginning) && !$1.beginsWithNumber || $0.isNear($1) }
        let near = same.isEmpty || sought.count == 1 ? similar : same
        return near.isEmpty ? known.map(\.name) : near
    }

    /// The longest name of an instrument, a tuning or a temperament has some thirty characters.
    private static let longestName = 64

    /// A name as words in the form in which they are compared.
    private static func words(of text: String) -> [Word] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "#" }.map { Word(Array(lookupKey($0))) }
    }
}

private struct Word: Sendable {
    let letters: [Character]
    let isNumber: Bool, beginsWithNumber: Bool

    init(_ letters: [Character]) {
        self.letters = letters
        isNumber = Int(String(letters)) != nil
        beginsWithNumber = Int(String(letters.prefix(3))) != nil
    }

    var beginning: ArraySlice<Character> { letters.prefix(3) }

    /// Whether one letter inserted, deleted or changed turns one word into the other, or none.
    func isNear(_ other: Word) -> Bool {
        let isShorter = letters.count < other.letters.count
        let (short, long) = isShorter ? (letters, other.letters) : (other.letters, letters)
        guard long.count - short.count < 2 else { return false }
        let alike = zip(short, long).prefix { $0 == $1 }.count
        if alike == short.count { return true }
        return short[(alike + (short.count == long.count ? 1 : 0))...] == long[(alike + 1)...]
    }
}
