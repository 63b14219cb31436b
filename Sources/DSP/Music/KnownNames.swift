/// Names that exist, taken apart once, to find those that are like one that does not.
struct KnownNames: Sendable {
    let names: [String]
    private let words: [[Word]]

    init(_ names: [String]) { (self.names, words) = (names, names.map(Word.all)) }

    /// The names that share a word with `name`, or have a word that begins alike or differs by one letter; all names if there is
    /// no such name.
    ///
    /// - Complexity: O(characters of the names), whatever is sought: what is longer than any name is like none.
    func likely(for name: String) -> [String] {
        let sought = Word.all(of: name.count > Self.longest ? "" : name).filter { $0.count > 1 }
        guard !sought.isEmpty else { return names }
        func share(_ isAlike: (_ word: Word, _ sought: Word) -> Bool) -> [String] {
            zip(names, words).filter { $0.1.contains { word in sought.contains { isAlike(word, $0) } } }.map(\.0)
        }
        let same = share { !$0.isNumber && $0.isSame(as: $1) }
        let similar = share { !$1.beginsWithNumber && $0.beginsLike($1) || $0.isNear($1) }
        let near = same.isEmpty || sought.count == 1 ? similar : same
        return near.isEmpty ? names : near
    }

    /// The longest name of an instrument, a tuning or a temperament has some thirty characters.
    private static let longest = 64
}

/// A word of a name, in the form in which names are compared.
private struct Word: Sendable {
    private let letters: [Character]
    /// The letters as bytes, which are compared twenty times as fast; empty unless all are ASCII.
    private let bytes: [UInt8]
    let isNumber: Bool
    let beginsWithNumber: Bool

    init(letters: [Character]) {
        self.letters = letters
        let bytes = letters.compactMap(\.asciiValue)
        self.bytes = bytes.count == letters.count ? bytes : []
        isNumber = Int(String(letters)) != nil
        beginsWithNumber = Int(String(letters.prefix(3))) != nil
    }

    static func all(of text: String) -> [Word] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "#" }.map { Word(letters: Array(lookupKey($0))) }
    }

    var count: Int { letters.count }

    /// Whether both are compared by bytes.
    private func isPlain(beside other: Word) -> Bool { !bytes.isEmpty && !other.bytes.isEmpty }

    func isSame(as other: Word) -> Bool {
        isPlain(beside: other) ? bytes == other.bytes : letters == other.letters
    }

    /// Whether it begins with the first three letters of another word.
    func beginsLike(_ other: Word) -> Bool {
        isPlain(beside: other)
            ? bytes.starts(with: other.bytes.prefix(3)) : letters.starts(with: other.letters.prefix(3))
    }

    /// Whether one letter inserted, deleted or changed turns one word into the other, or none.
    func isNear(_ other: Word) -> Bool {
        guard abs(count - other.count) < 2 else { return false }
        return isPlain(beside: other) ? Self.areNear(bytes, other.bytes) : Self.areNear(letters, other.letters)
    }

    private static func areNear<Letter: Equatable>(_ first: [Letter], _ second: [Letter]) -> Bool {
        let (short, long) = first.count < second.count ? (first, second) : (second, first)
        let alike = short.indices.first { short[$0] != long[$0] } ?? short.count
        if alike == short.count { return true }
        return short[(alike + (short.count == long.count ? 1 : 0))...] == long[(alike + 1)...]
    }
}
