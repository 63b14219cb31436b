extension Temperament {
    /// The temperament of this name.
    ///
    /// Case, spaces, punctuation and accents are ignored, and a number may be Roman or Arabic: `werckmeister 4`,
    /// `temperament ordinaire`, `1/4 comma`. Short names: `meantone` is quarter-comma, `werckmeister` and `kirnberger` are
    /// their third, `young` is his second. Words in another order, or only some of those in a name and its date, find the
    /// temperament that has them all: `lehman bach`, `1732 dorf`. If several have them, the error lists those.
    public init(named text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)
        if let known = Self.all.first(where: { $0.isCalled(key) }) {
            self = known
            return
        }
        let words = Self.words(of: text).subtracting(["temperament", "tuning"])
        let candidates = words.isEmpty ? [] : zip(Self.all, Self.allWords).filter { words.isSubset(of: $1) }.map(\.0)
        guard let first = candidates.first else { throw .unknown("temperament", text, among: Self.knownNames) }
        guard candidates.count == 1 else {
            throw .ambiguous(kind: "temperament", name: String(text), known: candidates.map(\.name))
        }
        self = first
    }

    private static let knownNames = KnownNames(all.map(\.name))

    /// Whether a lookup key is that of one of its names.
    private func isCalled(_ key: String) -> Bool {
        func isKeyOfIt(_ name: String) -> Bool {
            isKey(key, of: name) || Self.arabic(name).map { isKey(key, of: $0) } ?? false
        }
        return isKeyOfIt(name) || aliases.contains(where: isKeyOfIt)
    }

    /// Its names, also with an Arabic number in place of a Roman one.
    private var spellings: [String] {
        ([name] + aliases).flatMap { name in [name] + (Self.arabic(name).map { [$0] } ?? []) }
    }

    /// A name with an Arabic number in place of the Roman one that ends it; `nil` if none does.
    private static func arabic(_ name: String) -> String? {
        guard name.utf8.last == UInt8(ascii: "I") || name.utf8.last == UInt8(ascii: "V"),
            let last = name.split(separator: " ").last, let number = numerals[last]
        else { return nil }
        return name.dropLast(last.count) + String(number)
    }

    private static let numerals: [Substring: Int] = ["I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7]

    /// The words of its names and of its date.
    private var words: Set<String> {
        (spellings + [date]).reduce(into: []) { $0.formUnion(Self.words(of: $1)) }
    }

    /// The words of each temperament in `all`.
    private static let allWords = all.map(\.words)

    private static func words(of text: some StringProtocol) -> Set<String> {
        Set(text.split { !$0.isLetter && !$0.isNumber && !"'’".contains($0) }.map { lookupKey($0) })
    }
}
