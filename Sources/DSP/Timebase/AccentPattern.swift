/// Which beats stand out, as it was said; how it falls on bars is decided together with the meter.
public enum AccentPattern: Sendable, Hashable {
    /// An accent on every Nth beat; without a meter a bar has that many beats.
    case every(Int)
    /// An accent on the bar, a medium one on each further group.
    case groups([Int])
    /// The level of each beat, for one bar or several in turn.
    case levels([[AccentLevel]])
    /// All beats alike.
    case none
    /// Only the accents of the meter are heard.
    case only

    /// Reads `4`, `3+2+2`, `X.x.` (X accent, o medium, x normal, . silent; `/` between bars), `3,1,2,1`, `none` or `only`.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.accentPattern()
        try scanner.expectEnd(after: "accent pattern")
    }

    /// The levels of the bars that repeat: one bar, or as many as it takes until accents and meter meet again.
    ///
    /// - Parameter meter: `nil` lets the pattern decide how long a bar is; four beats if it does not.
    /// - Throws: `NotationError` when the pattern's bars are not as long as the meter's.
    public func bars(in meter: Meter?) throws(NotationError) -> [[AccentLevel]] {
        switch self {
        case .every(let count):
            guard let beats = meter?.beats, beats != count else { return [Self.levels(ofGroups: [count])] }
            let barCount = leastCommonMultiple(count, beats) / beats
            return (0..<barCount).map { bar in
                (0..<beats).map { (bar * beats + $0).isMultiple(of: count) ? .accent : .normal }
            }
        case .groups(let groups):
            try check([groups.reduce(0, +)], against: meter)
            return [Self.levels(ofGroups: groups)]
        case .levels(let bars):
            try check(bars.map(\.count), against: meter)
            return bars
        case .none:
            return [Array(repeating: .normal, count: (meter ?? .common).beats)]
        case .only:
            return [(meter ?? .common).levels.map { $0 == .normal ? .silent : $0 }]
        }
    }

    internal static func levels(ofGroups groups: [Int]) -> [AccentLevel] {
        var levels: [AccentLevel] = []
        for (index, count) in groups.enumerated() {
            levels.append(index == 0 ? .accent : .medium)
            levels += Array(repeating: .normal, count: count - 1)
        }
        return levels
    }

    private func check(_ lengths: [Int], against meter: Meter?) throws(NotationError) {
        guard let meter, let wrong = lengths.firstIndex(where: { $0 != meter.beats }) else { return }
        // The bars before it, each with the stroke that ends it.
        let column = lengths[..<wrong].reduce(1) { $0 + $1 + 1 }
        throw .unreadable(
            text: description, column: column,
            expected: "\(meter.beats) beats a bar, as \(meter) has, not the \(lengths[wrong]) of bar \(wrong + 1)")
    }
}

extension AccentPattern: CustomStringConvertible {
    /// As it is written on a command line.
    public var description: String {
        switch self {
        case .every(let count): "\(count)"
        case .groups(let groups): groups.map(String.init).joined(separator: "+")
        case .levels(let bars): bars.map { String($0.map(\.letter)) }.joined(separator: "/")
        case .none: "none"
        case .only: "only"
        }
    }
}

extension AccentLevel {
    /// `X`, `o`, `x` or `.`.
    public var letter: Character {
        switch self {
        case .silent: "."
        case .normal: "x"
        case .medium: "o"
        case .accent: "X"
        }
    }

    /// The level written as this letter.
    public init?(letter: Character) {
        switch letter {
        case ".": self = .silent
        case "x": self = .normal
        case "o": self = .medium
        case "X": self = .accent
        default: return nil
        }
    }
}

extension NotationScanner {
    internal mutating func accentPattern() throws(NotationError) -> AccentPattern {
        if skip(word: "none") { return .none }
        if skip(word: "only") { return .only }
        if let next, AccentLevel(letter: next) != nil { return .levels(try levelBars()) }
        let what = "a number of beats (4), groups (3+2+2), letters (X.x.), levels (3,1,2,1), none or only"
        guard next?.isDigit == true else { throw next == "-" ? belowOne() : unreadable(what) }
        let start = column
        let first = take(while: \.isDigit)
        switch next {
        case ",":
            rewind(to: start - 1)
            return .levels([try levelDigits()])
        case "+":
            rewind(to: start - 1)
            let groups = try groups("the beats of a group")
            guard groups.reduce(0, +) <= Meter.longestBar else { throw outOfRange(Meter.allowed, at: start) }
            return .groups(groups)
        default:
            guard let count = Int(first), (1...Meter.longestBar).contains(count) else {
                throw outOfRange("an accent falls on every 1st to 1024th beat, such as 4", at: start)
            }
            return .every(count)
        }
    }

    private func belowOne() -> NotationError {
        outOfRange("an accent falls on every 1st to 1024th beat, such as 4", at: column)
    }

    /// Letters, with a stroke between bars.
    private mutating func levelBars() throws(NotationError) -> [[AccentLevel]] {
        var bars: [[AccentLevel]] = []
        repeat {
            let start = column
            let levels = take { AccentLevel(letter: $0) != nil }.compactMap(AccentLevel.init(letter:))
            guard !levels.isEmpty else { throw unreadable("X, o, x or . for each beat of the bar") }
            guard levels.count <= Meter.longestBar else { throw outOfRange(Meter.allowed, at: start) }
            bars.append(levels)
        } while skip("/")
        return bars
    }

    /// Digits 0 to 3 with commas between them, two at least.
    private mutating func levelDigits() throws(NotationError) -> [AccentLevel] {
        var levels: [AccentLevel] = []
        repeat {
            let number = try integer("a level from 0 (silent) to 3 (accent)", in: 0...3)
            guard let level = AccentLevel(rawValue: UInt8(number)) else { throw unreadable("a level from 0 to 3") }
            levels.append(level)
            guard levels.count <= Meter.longestBar else { throw outOfRange(Meter.allowed, at: column) }
        } while skip(",")
        return levels
    }
}

internal func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    a / Int(greatestCommonDivisor(UInt128(a), UInt128(b))) * b
}
