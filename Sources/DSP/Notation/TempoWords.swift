package import Timebase

/// Words in klick's order, `[bars] [meter] tempo [pattern]`, or a ramp in words.
package struct TempoWords: Sendable, Hashable {
    package var bars: Int64?
    package var meter: Meter?
    package var tempo: TempoNotation
    package var pattern: AccentPattern?

    /// Reads `120`, `3/4 120`, `8 7/8 140 X..x.x.` or `80..160 over 32 bars`.
    ///
    /// Spellings that mean one thing only are read as that: `120bpm`, `120 BPM`, `120,5`.
    package init(parsing words: [String]) throws(NotationError) {
        // The words around `over` are the tempo.
        let words = Self.plain(words)
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
        try checkOrder(words)
    }

    /// Refuses `120 4`, which would be 120 bars at 4 beats per minute, and `120 3/4`, written the other way round.
    private func checkOrder(_ words: [String]) throws(NotationError) {
        guard let bars, meter == nil, bars >= 30, tempo.points.count == 1, tempo.noteValue == nil else { return }
        let beats = tempo.points[0].beatsPerMinute
        guard beats.denominator == 1, beats.numerator <= 16 else { return }
        throw NotationError(
            text: words.joined(separator: " "), column: 1,
            fault: "\(bars) bars at \(beats.numerator) beats per minute",
            remedy: "did you mean \(beats.numerator)/4 \(bars)? If not, write \(beats.numerator) --bars \(bars)")
    }

    /// The words without the unit of the tempo, and with decimal points.
    static func plain(_ words: [String]) -> [String] {
        var plain: [String] = []
        for word in words.flatMap({ $0.split(separator: " ").map(String.init) }) {
            let lower = word.lowercased()
            // The unit as a word of its own.
            if ["bpm", "b.p.m."].contains(lower), plain.last?.last?.isNumber == true { continue }
            let bare = lower.hasSuffix("bpm") && lower.dropLast(3).last?.isNumber == true ? word.dropLast(3) : word[...]
            plain.append(Self.withPoint(String(bare)))
        }
        return plain
    }

    /// `120,5` as `120.5`: one or two digits after a comma are decimals. Three could be thousands, and are an error.
    private static func withPoint(_ word: String) -> String {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[1].count), parts[1].allSatisfy({ $0.isASCII && $0.isNumber }),
            let digit = parts[0].last, digit.isASCII, digit.isNumber,
            parts[0].allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "=" || $0 == ".") })
        else { return word }
        return parts[0] + "." + parts[1]
    }

    /// Whether a word is a meter rather than a tempo: a fraction below 10 over a power of two. `60 4/4` is a mistake, not
    /// sixty bars at one beat per minute.
    static func isMeter(_ word: String) -> Bool {
        let numbers = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard numbers.count == 2, [2, 4, 8, 16, 32, 64].contains(numbers[1]) else { return false }
        return (1...32).contains(numbers[0]) && numbers[0] < 10 * numbers[1]
    }

    /// Whether a word is a meter such as `3/4` or `2+2+3/8`, and can be no tempo.
    package static func isMeterWord(_ word: String) -> Bool {
        isMeter(word) || word.contains("+") && (try? Meter(parsing: word)) != nil
    }

    /// Whether a word after the tempo is a pattern: it starts with the letter of a level and is no decimal such as .5.
    package static func isPattern(_ word: String) -> Bool {
        guard let first = word.first, AccentLevel(letter: first) != nil || first == "/" else { return false }
        return first != "." || word.dropFirst().first?.isDigit != true
    }
}
