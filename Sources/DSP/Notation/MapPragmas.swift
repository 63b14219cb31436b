internal import Timebase

/// The `#:` comments for the next entry.
internal struct MapPragmas {
    internal var swing: Swing?
    internal var subdivision: Subdivision?
    internal var cross: CrossRhythm?
    internal var gap: GapPlan?
    internal var curve: TempoCurve?
    internal var accents: AccentPattern?
    /// The line of the first comment, which is an error if no entry follows.
    internal var firstLine: Int?
    /// The place of the value of each key, for errors that show only with the entry.
    internal var places: [String: MapPlace] = [:]

    internal mutating func read(_ scanner: inout NotationScanner, line: Int) throws(NotationError) {
        firstLine = firstLine ?? line
        let start = scanner.column
        let key = scanner.take(while: \.isLabel)
        let keys = "swing=, sub=, poly=, polymeter=, gap=, curve= or accent="
        guard scanner.skip("=") else { throw scanner.unreadable(keys, at: start) }
        places[key] = MapPlace(line: line, column: scanner.column)
        switch key {
        case "swing": swing = try scanner.swing()
        case "sub": subdivision = try scanner.subdivision()
        case "poly": cross = .polyrhythm(try scanner.proportion())
        case "polymeter": cross = .polymeter(try scanner.proportion())
        case "gap": gap = try scanner.gapPlan()
        case "accent": accents = try scanner.accentPattern()
        case "curve": curve = try scanner.tempoCurve()
        default: throw scanner.unreadable(keys, at: start)
        }
        try scanner.expectPragmaEnd()
    }
}

/// The `#: @file` comments, for the whole map.
internal struct MapFileOptions {
    private var gap: GapPlan?
    private var mutes: RandomMute?
    private var countIn: CountIn?
    private var seed: UInt64?

    internal mutating func read(_ scanner: inout NotationScanner) throws(NotationError) {
        let start = scanner.column
        let key = scanner.take(while: \.isLabel)
        guard scanner.skip("=") else { throw scanner.unreadable("gap=, mute=, countin= or seed=", at: start) }
        switch key {
        case "gap": gap = try scanner.gapPlan()
        case "mute": mutes = try scanner.randomMute(seed: 0)
        case "countin": countIn = .bars(try scanner.integer("a number of bars", in: 1...1_000))
        case "seed":
            let digits = scanner.take(while: \.isDigit)
            guard let value = UInt64(digits) else { throw scanner.unreadable("a whole number below 2^64") }
            seed = value
        default: throw scanner.unreadable("gap=, mute=, countin= or seed=", at: start)
        }
        try scanner.expectPragmaEnd()
    }

    internal func apply(to plan: inout PracticePlan, seed given: UInt64) {
        plan.gap = gap
        plan.countIn = countIn
        // The seed may follow the share, even on another line.
        plan.mutes = mutes
        plan.mutes?.seed = seed ?? given
    }
}

extension NotationScanner {
    /// Whether `key=` or `@file` follows; any other word makes `#:` an ordinary comment, as in klick.
    internal var looksLikePragma: Bool {
        var ahead = self
        if ahead.skip(word: "@file") { return ahead.next == nil || ahead.next == " " || ahead.next == "\t" }
        return !ahead.take(while: \.isLabel).isEmpty && ahead.next == "="
    }

    fileprivate func expectPragmaEnd() throws(NotationError) {
        guard isAtWordEnd else { throw unreadable("a blank after the value") }
    }
}
