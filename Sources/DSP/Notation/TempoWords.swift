package import Timebase

/// Words in klick's order, `[bars] [meter] tempo [pattern]`, or a ramp in words.
package struct TempoWords: Sendable, Hashable {
    package var bars: Int64?
    package var meter: Meter?
    package var tempo: TempoNotation
    package var pattern: AccentPattern?

    /// Reads `120`, `3/4 120`, `8 7/8 140 X..x.x.` or `80..160 over 32 bars`.
    package init(parsing words: [String]) throws(NotationError) {
        // The words around `over` are the tempo.
        var rest = words[...]
        if let over = rest.firstIndex(of: "over"), over > rest.startIndex {
            tempo = try TempoNotation(parsing: rest[(over - 1)...].joined(separator: " "))
            rest = rest[..<(over - 1)]
        } else {
            if rest.count > 1, let last = rest.last, Self.isPattern(last) {
                pattern = try AccentPattern(parsing: last)
                rest = rest.dropLast()
            }
            if let word = rest.last, Self.isMeter(word) {
                throw .unreadable(word, at: 1, remedy: "write a tempo last, for this is a meter, as in \(word) 120")
            }
            tempo = try TempoNotation(parsing: rest.last ?? "")
            rest = rest.dropLast()
        }
        if let word = rest.last, word.contains("/") {
            meter = try Meter(parsing: word)
            rest = rest.dropLast()
        }
        if let word = rest.last {
            bars = Int64(
                try NotationScanner.read(word, as: "number of bars") { scanner throws(NotationError) in
                    try scanner.integer("a number of bars", in: 1...1_000_000_000)
                })
            rest = rest.dropLast()
        }
        if let word = rest.last {
            throw .unreadable(word, at: 1, remedy: "write [bars] [meter] tempo [pattern], as in 8 3/4 120 X.x")
        }
    }

    /// Whether a word is a meter rather than a tempo: a fraction below 10 over a power of two. `60 4/4` is a mistake, not
    /// sixty bars at one beat per minute.
    static func isMeter(_ word: String) -> Bool {
        let numbers = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 2, [2, 4, 8, 16, 32, 64].contains(numbers[1]) else { return false }
        return (1...32).contains(numbers[0]) && numbers[0] < 10 * numbers[1]
    }

    /// Whether a word after the tempo is a pattern: it starts with the letter of a level and is no decimal such as .5.
    package static func isPattern(_ word: String) -> Bool {
        guard let first = word.first, AccentLevel(letter: first) != nil || first == "/" else { return false }
        return first != "." || word.dropFirst().first?.isDigit != true
    }
}
