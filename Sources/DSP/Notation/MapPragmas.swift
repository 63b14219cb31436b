internal import Timebase

/// The `#:` comments for the next entry.
internal struct MapPragmas {
    internal enum Key: String, CaseIterable {
        case swing, sub, poly, polymeter, gap, curve, accent
        fileprivate static let examples = "swing=2:1 sub=8th poly=3:4 polymeter=4:3 gap=3:1 curve=time accent=3+2+2"
    }

    private var swing = Swing.straight
    private var subdivision = Subdivision.whole
    private var cross: CrossRhythm?
    private var gap: GapPlan?
    private var accents: AccentPattern?
    internal private(set) var curve = TempoCurve.linearInBeats
    /// The line of the first comment, which is an error if no entry follows.
    internal private(set) var firstLine: Int?
    /// The place of the value of each key, for errors that show only with the entry.
    private var places: [Key: MapPlace] = [:]

    internal mutating func read(_ scanner: inout NotationScanner, line: Int) throws(NotationError) {
        firstLine = firstLine ?? line
        let key = try scanner.key(Key.self)
        places[key] = MapPlace(line: line, column: scanner.column)
        switch key {
        case .swing: swing = try scanner.swing()
        case .sub: subdivision = try scanner.subdivision()
        case .poly: cross = .polyrhythm(try scanner.proportion())
        case .polymeter: cross = .polymeter(try scanner.proportion())
        case .gap: gap = try scanner.gapPlan()
        case .accent: accents = try scanner.accentPattern()
        case .curve: curve = try scanner.tempoCurve()
        }
        try scanner.expectPragmaEnd()
    }

    /// The levels of an entry with these comments; its own pattern comes first.
    internal func levels(_ pattern: AccentPattern?, meter: Meter) throws(PlanError) -> [[AccentLevel]] {
        try AccentPattern.levels(pattern ?? accents, meter: meter, cross: cross)
    }

    internal func apply(to section: inout PlanSection) {
        (section.subdivision, section.swing, section.cross, section.gap) = (subdivision, swing, cross, gap)
    }

    /// The place of the value that causes an error of the plan, if it is in a comment.
    internal func place(of error: PlanError) -> MapPlace? {
        let keys: [Key] =
            switch error {
            case .accentsDoNotFit: [.accent]
            case .swingNeedsPairs: [.swing]
            case .notesDoNotFit, .levelsDoNotFit: [.sub]
            case .tooManyVoices, .metersDiffer, .tooFine, .tooLong: [.poly, .polymeter, .sub]
            default: []
            }
        return keys.lazy.compactMap { places[$0] }.first
    }
}

/// The `#: @file` comments, for the whole map.
internal struct MapFileOptions {
    internal enum Key: String, CaseIterable {
        case gap, mute, countin, seed
        fileprivate static let examples = "gap=3:1 mute=20 countin=2 seed=7"
    }

    private var gap: GapPlan?
    private var mutes: RandomMute?
    private var countIn: CountIn?
    private var seed: UInt64?

    internal mutating func read(_ scanner: inout NotationScanner) throws(NotationError) {
        switch try scanner.key(Key.self) {
        case .gap: gap = try scanner.gapPlan()
        case .mute: mutes = try scanner.randomMute(seed: 0)
        case .countin: countIn = .bars(try scanner.integer("a number of bars", in: 1...1_000))
        case .seed:
            let digits = scanner.take(while: \.isDigit)
            guard let value = UInt64(digits) else { throw scanner.unreadable("a whole number below 2^64") }
            seed = value
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

extension TempoMap {
    /// An example of each comment, for an entry and for the whole map.
    package static let pragmas = (entry: MapPragmas.Key.examples, file: MapFileOptions.Key.examples)
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

    /// Reads `key=`.
    fileprivate mutating func key<Key: RawRepresentable<String> & CaseIterable>(
        _: Key.Type
    ) throws(NotationError) -> Key {
        let start = column
        guard let key = Key(rawValue: take(while: \.isLabel)), skip("=") else {
            throw unreadable("one of " + Key.allCases.map { $0.rawValue + "=" }.joined(separator: ", "), at: start)
        }
        return key
    }
}
