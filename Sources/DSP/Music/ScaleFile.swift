extension Scale {
    /// The maximum number of pitches in a file. The format allows a reader to set a limit.
    static let maximumCount = 16_384

    /// Reads the text of a Scala `.scl` file.
    ///
    /// Lines that begin with `!` are comments. The first other line is the description (it may be empty), the second the
    /// number of pitches, and each further line a pitch: cents if it has a point (`701.955`, `5.`, `-3.2`), otherwise a
    /// ratio (`3/2`, `2`). Any text may follow a pitch. Blank lines among the pitches are ignored. Only comments may follow
    /// the last pitch: a further pitch means that the number of pitches is wrong, which is an error.
    ///
    /// The names of the degrees come from a comment `! @ABL NOTE_NAMES …` (Ableton's ASCL: one name for each pitch, degree
    /// 0 first). Without it they come from the first word after each pitch, with or without `!` or `=` before it, provided
    /// that every pitch except the period has a different word that begins with a letter and has at most eight characters.
    /// The period's word names degree 0, or `1` if it has none.
    ///
    /// - SeeAlso: Op de Coul, "Scala scale file format", huygens-fokker.org/scala/scl_format.html; Ableton, "ASCL
    ///   Specification".
    package init(parsing text: String) throws(TuningFileError) {
        var file = TuningFileReader(text, format: .scale)
        let title = try file.next("a description", blankCounts: true)
        let count = try file.integer("the number of pitches", 0...Self.maximumCount)
        var pitches: [ScalePitch] = []
        var words: [Substring] = []
        for index in 0..<count {
            let line = try file.next("pitch \(index + 1) of \(count)")
            let (pitch, rest) = try ScalePitch.parse(line, file)
            try ScalePitch.checkEnd(rest, line, file)
            pitches.append(pitch)
            words.append(Self.firstWord(rest))
        }
        if let line = file.nextLine() {
            throw file.unexpected(
                skipBlanks(line.text), in: line,
                expected: "the end of the file, since the number of pitches is \(count)")
        }
        let listed = file.comments.lazy.compactMap(Self.listedNames).first { $0.count == count }
        self.init(description: trimmed(title.text), pitches: pitches, names: listed ?? Self.names(from: words))
    }

    /// The first word after a pitch, after any `!` or `=`.
    private static func firstWord(_ rest: Substring) -> Substring {
        let start = Substring(rest.unicodeScalars.drop { $0 == " " || $0 == "\t" || $0 == "!" || $0 == "=" })
        return start.prefix { !$0.isWhitespace }
    }

    /// The names of the degrees, if the words after the pitches are names.
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
