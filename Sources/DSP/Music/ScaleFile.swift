extension Scale {
    /// The most pitches that a file may hold; the format lets a reader set a limit.
    public static let maximumCount = 16_384

    /// The scale that the text of a Scala `.scl` file describes.
    ///
    /// Lines that begin with `!` are comments. The first line that is none is the description (it may be empty), the second
    /// the number of pitches, then come the pitches, one a line: cents when there is a point (`701.955`, `5.`, `-3.2`), else
    /// a ratio (`3/2`, `2`). After a pitch any text may follow. Blank lines among the pitches are passed over. After the last
    /// pitch only comments may come: a further pitch means that the number is wrong, and is refused rather than dropped.
    ///
    /// Degrees get names where the file has them: from a comment `! @ABL NOTE_NAMES …` (Ableton's ASCL, as many names as
    /// pitches, degree 0 first), or else from the first word after each pitch, with or without `!` or `=` before it, if
    /// every pitch but the period has a different one that begins with a letter and has at most eight characters. The
    /// period's word, or failing that `1`, names degree 0.
    ///
    /// - SeeAlso: Op de Coul, "Scala scale file format", huygens-fokker.org/scala/scl_format.html; Ableton, "ASCL
    ///   Specification".
    public init(parsing text: String) throws(TuningFileError) {
        var file = TuningFileReader(text, format: .scale)
        let title = try file.next("a description", blankCounts: true)
        let count = try file.integer("the number of pitches", 0...Self.maximumCount)
        var pitches: [ScalePitch] = []
        var words: [Substring] = []
        for index in 0..<count {
            let line = try file.next("pitch \(index + 1) of \(count)")
            let (pitch, rest) = try ScalePitch.parse(line, file)
            pitches.append(pitch)
            words.append(Self.firstWord(rest))
        }
        if file.hasMore() {
            let line = try file.next("nothing")
            throw file.unexpected(
                skipBlanks(line.text), in: line, expected: "the end, since the number of pitches is \(count)")
        }
        let listed = file.comments.lazy.compactMap(Self.listedNames).first { $0.count == count }
        self.init(
            description: trimmed(title.text), pitches: pitches, names: listed ?? Self.names(from: words))
    }

    /// The scale as the text of a `.scl` file, which reads back as the same scale.
    ///
    /// Line breaks in the description become spaces, quotes in names become apostrophes.
    public var text: String {
        var text = " " + trimmed(oneLine(description)[...])
        text += "\n \(count)\n!\n"
        for pitch in pitches { text += " \(pitch.text)\n" }
        if !names.isEmpty {
            let quoted = names.map { name in
                "\"" + String(oneLine(name).map { $0 == "\"" ? "'" : $0 }) + "\""
            }
            text += "!\n! @ABL NOTE_NAMES \(quoted.joined(separator: " "))\n"
        }
        return text
    }

    /// The first word after a pitch, past a `!` or `=`.
    private static func firstWord(_ rest: Substring) -> Substring {
        let start = Substring(rest.unicodeScalars.drop { $0 == " " || $0 == "\t" || $0 == "!" || $0 == "=" })
        return start.prefix { !$0.isWhitespace }
    }

    /// The names that the words after the pitches are, if they are names at all.
    private static func names(from words: [Substring]) -> [String] {
        func isName(_ word: Substring) -> Bool {
            let isLetter = word.first?.isLetter ?? false
            return isLetter && word.count <= 8 && !["cent", "cents", "ct", "Hz"].contains(word)
        }
        guard let period = words.last, words.dropLast().allSatisfy(isName), words.count > 1 || isName(period) else {
            return []
        }
        let names = [isName(period) ? String(period) : "1"] + words.dropLast().map(String.init)
        return Set(names).count == names.count ? names : []
    }

    /// The arguments of a comment `! @ABL NOTE_NAMES`.
    private static func listedNames(_ comment: Substring) -> [String]? {
        var rest = skipBlanks(comment)
        for keyword in ["@ABL", "NOTE_NAMES"] {
            guard rest.hasPrefix(keyword) else { return nil }
            rest = skipBlanks(rest.dropFirst(keyword.count))
        }
        var names: [String] = []
        while let first = rest.first {
            let quoted = first == "\""
            if quoted { rest.removeFirst() }
            let name = rest.prefix { quoted ? $0 != "\"" : $0 != " " && $0 != "\t" }
            names.append(String(name))
            rest = skipBlanks(rest[name.endIndex...].dropFirst(quoted ? 1 : 0))
        }
        return names
    }
}

/// The text without spaces and tabs at its ends.
private func trimmed(_ text: Substring) -> String {
    var rest = skipBlanks(text)
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return String(rest)
}

/// The text with a space for every line break of the format.
private func oneLine(_ text: String) -> String {
    String(text.map { $0 == "\n" || $0 == "\r" || $0 == "\r\n" ? " " : $0 })
}
