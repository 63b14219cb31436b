internal import Timebase

extension NotationScanner {
    internal mutating func mapEntry(isOurDialect: Bool) throws(NotationError) -> MapEntry {
        var entry = MapEntry()
        entry.label = mapLabel()
        skipBlanks()
        if isOurDialect, skip("*") {
            entry.bars = nil
        } else {
            entry.bars = Int64(try integer("a number of bars", in: 1...100_000_000))
        }
        try expectBlank("a tempo")
        if looksLikeMeter(isOurDialect: isOurDialect) {
            let start = column
            let meter = try self.meter(longestBar: Meter.longestMapBar)
            guard isOurDialect || meter.groups.count == 1 else {
                throw outOfRange("begin the file with #!metronome 2", at: start, fault: "klick has no groups in meters")
            }
            entry.meter = meter
            try expectBlank("a tempo")
        }
        entry.tempoColumn = column
        try readMapTempo(into: &entry, isOurDialect: isOurDialect)
        skipBlanks()
        if isOurDialect ? isAtOurPattern : next == "X" || next == "x" || next == "." && peek(1)?.isDigit != true {
            entry.patternColumn = column
            entry.pattern = try mapPattern(isOurDialect: isOurDialect)
            skipBlanks()
        }
        if let next, next.isDigit || next == "." {
            entry.volume = try longDecimal("a volume, such as 0.5").value
            skipBlanks()
        }
        if isOurDialect, skip(word: "->") {
            skipBlanks()
            entry.jumpColumn = column
            let label = take(while: \.isLabel)
            guard !label.isEmpty else { throw unreadable("the label to go on at") }
            entry.jump = label
        }
        try expectLineEnd()
        return entry
    }

    /// `label:` with letters, digits, _ and -; reads nothing if no colon follows.
    private mutating func mapLabel() -> String? {
        let start = index
        let label = take(while: \.isLabel)
        guard !label.isEmpty, skip(":") else {
            rewind(to: start)
            return nil
        }
        return label
    }

    private mutating func expectBlank(_ what: String) throws(NotationError) {
        guard next == " " || next == "\t" else { throw unreadable("a blank and \(what)") }
        skipBlanks()
    }

    /// Whether the next word is a meter: it contains `/`, and in the extended dialect, where 100/3 is a tempo, a number
    /// follows.
    private func looksLikeMeter(isOurDialect: Bool) -> Bool {
        var ahead = self
        let word = ahead.word()
        guard word.contains("/"), !word.contains("=") else { return false }
        ahead.skipBlanks()
        return !isOurDialect || ahead.next?.isDigit == true || ahead.next == "." && ahead.peek(1)?.isDigit == true
            || word.contains("+")
    }

    private mutating func readMapTempo(into entry: inout MapEntry, isOurDialect: Bool) throws(NotationError) {
        if isOurDialect, let noteValue = try noteValue() { entry.noteValue = noteValue }
        let first = try mapNumber(isOurDialect: isOurDialect)
        if skip("-") || isOurDialect && skip(word: "..") {
            let second = try mapNumber(isOurDialect: isOurDialect)
            var curve: TempoCurve?
            if isOurDialect, skip(":") { curve = try tempoCurve() }
            entry.tempo = .ramp(first, second, curve)
        } else if next == "," {
            var tempi = [first]
            while skip(",") {
                tempi.append(try mapNumber(isOurDialect: isOurDialect))
                guard tempi.count <= 1_000_000 else { throw outOfRange("use fewer tempi", at: column) }
            }
            entry.tempo = .perBeat(tempi)
        } else {
            entry.tempo = .steady(first)
        }
        if !isOurDialect, next == "=" {
            throw outOfRange("begin the file with #!metronome 2", at: column, fault: "klick's tempi name no note value")
        }
        guard isAtWordEnd else { throw unreadable("a blank after the tempo") }
    }

    internal mutating func tempoCurve() throws(NotationError) -> TempoCurve {
        if skip(word: "beat") { return .linearInBeats }
        if skip(word: "time") { return .linearInTime }
        guard skip(word: "exp") else { throw unreadable("beat, time or exp") }
        return .exponential
    }

    /// A tempo above zero, in the range of the beat clock; klick has no limits.
    private mutating func mapNumber(isOurDialect: Bool) throws(NotationError) -> Ratio {
        let start = column
        var value = try longDecimal("a tempo")
        if isOurDialect, skip("/") {
            let below = try decimal("the number below the line")
            guard let quotient = value.divided(by: below) else { throw outOfRange("use a number above 0", at: start) }
            value = quotient
        }
        let slowest = isOurDialect ? Ratio(Tempo.range.lowerBound) : Ratio(1, 100_000_000_000) ?? Ratio(1)
        let fastest = isOurDialect ? Ratio(Tempo.range.upperBound) : Ratio(1_000_000)
        guard value >= slowest, value <= fastest else {
            throw outOfRange("use \(slowest.decimalDescription) to \(fastest) beats per minute", at: start)
        }
        return value
    }

    /// Whether a pattern follows: `X.x`, `3,1,2`, `none`; a single number is a volume.
    private var isAtOurPattern: Bool {
        guard let next else { return false }
        if next == "." { return peek(1)?.isDigit != true }
        if next == "-" || next == "#" { return false }
        if !next.isDigit { return true }
        var ahead = self
        let word = ahead.word()
        return word.contains(",") || word.contains("+")
    }

    private mutating func mapPattern(isOurDialect: Bool) throws(NotationError) -> AccentPattern {
        if isOurDialect { return try accentPattern() }
        let start = column
        let letters = take { $0 == "X" || $0 == "x" || $0 == "." }
        guard isAtWordEnd else { throw unreadable("X, x or . for each beat") }
        guard letters.count <= Meter.longestMapBar else { throw barTooLong(Meter.longestMapBar, at: start) }
        return .levels([letters.compactMap(AccentLevel.init(letter:))])
    }
}
