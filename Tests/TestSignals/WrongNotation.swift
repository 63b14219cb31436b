/// Texts that are nearly right, and whether they are, decided by the published grammars and by nothing of ours.
public enum WrongNotation {
    /// Lines of tempo maps as klick reads them.
    public static let mapLines = [
        "intro:    8 120           # c", "4 120-140 X.x.", "8 3/4 140 0.5", "2 140-80", "2 6/8 120 X..x..",
        "2 7/8 140 XxXxXxx 0.5", "1 4/4 60,240,60,240", "a_b-1: 1 2/4 97.3,.5 Xx 1.", "# only a comment",
        "12\t5/4 120.",
    ]
    /// Maps with everything that klick does not have: in comments, and in our own dialect.
    public static let ourMaps = [
        """
        #: @file mute=20 countin=2 gap=3:1 seed=7
        # a comment
        #: swing=2:1 sub=8th
        intro: 2 4/4 97.3 X.x. 0.5
        #: accent=3+2+2 gap=1:1
        2 7/8 120-140    # faster
        #: poly=3:4 curve=time
        #: sub=triplet:101
        verse: 2 80-160
        """,
        """
        #!metronome 2
        #: @file mute=0..50/32b countin=1
        repeat 2 {
        a:  2 2+2+3/8 100/3 X.o.x..
        repeat 3 {
        #: sub=4:0101 swing=60
        b:  2 80..160:exp  # glide
        }
        }
            1 8.=96 -> b
        #: polymeter=4:3
            3 3/4 4=120 3,1,2 1.5
            1 4/4 100,110,120/1,130 none
            * 120
        """,
        """
        #!metronome 2
        one: 1 4/4 120 X.x./X.xx
        #: gap=4:1..1:4 swing=66.67 sub=6
        4 3/4 300-30:time only 0.25
        repeat * {
        2 5/4 150
        }
        """,
    ]

    /// One of our maps with one to four characters, and now and then a line, put in, taken out or changed.
    public static func ourMap(using random: inout SeededGenerator) -> String {
        var lines = (ourMaps.randomElement(using: &random) ?? "").split(separator: "\n").map(String.init)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let at = Int.random(in: 0..<lines.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: lines.insert(lines.randomElement(using: &random) ?? "", at: at)
            case 1 where lines.count > 1: lines.remove(at: at)
            case 2: lines.swapAt(at, Int.random(in: 0..<lines.count, using: &random))
            default:
                lines[at] = mutated(
                    lines[at], alphabet: "0123456789.,-/+*:#@={}> Xxoabeglmprsuw\t\r\0é٣∞", using: &random)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Accents as `--accent` takes them.
    public static let accents = ["4", "3+2+2", "X.x.", "X.x./X.xx", "3,1,2,1", "none", "only", "12", "XoXo"]

    /// A map of four lines, one of the first three with one to three characters put in, taken out or changed.
    public static func map(using random: inout SeededGenerator) -> (lines: [String], changed: Int) {
        var map = (0..<3).map { _ in mapLines.randomElement(using: &random) ?? "" }
        map.append("1 120")
        let at = Int.random(in: 0..<3, using: &random)
        map[at] = mutated(map[at], alphabet: "0123456789.,-/+*:#Xxo \t>é٣=", using: &random)
        return (map, at)
    }

    /// An accent with one to three characters put in, taken out or changed.
    public static func accent(using random: inout SeededGenerator) -> String {
        mutated(accents.randomElement(using: &random) ?? "", alphabet: "0123456789.,-/+Xxo nely٣é", using: &random)
    }

    private static func mutated(_ text: String, alphabet: String, using random: inout SeededGenerator) -> String {
        var characters = Array(text)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...characters.count, using: &random)
            let letter = alphabet.randomElement(using: &random) ?? "x"
            switch Int.random(in: 0..<3, using: &random) {
            case 0: characters.insert(letter, at: place)
            case 1 where place < characters.count: characters.remove(at: place)
            case 2 where place < characters.count: characters[place] = letter
            default: characters.append(letter)
            }
        }
        return String(characters)
    }

    /// The bars, beats and level letters of a line of klick's; `nil` if it is none. Blank lines and comments have no bars.
    public static func klickLine(_ line: String) -> (bars: Int, beats: Int, pattern: String)? {
        let entry =
            #/[ \t]*(?:[A-Za-z0-9_-]+:)?[ \t]*([0-9]+)[ \t]+(?:([0-9]+)\/([0-9]+)[ \t]+)?([0-9.]+(?:-[0-9.]+|(?:,[0-9.]+)*))(?:[ \t]+([Xx.]+))??(?:[ \t]+([0-9.]+))?[ \t]*(?:#.*)?/#
        if line.wholeMatch(of: #/[ \t]*(?:#.*)?/#) != nil { return (0, 0, "") }
        guard let match = line.wholeMatch(of: entry), let bars = Int(match.1), (1...100_000_000).contains(bars) else {
            return nil
        }
        let beats = match.2.map { Int($0) ?? 0 } ?? 4
        let denominator = match.3.map { Int($0) ?? 0 } ?? 4
        guard (1...16_384).contains(beats), (1...4_096).contains(denominator) else { return nil }
        let tempi = match.4.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "," }
        guard tempi.allSatisfy({ number($0).map { (1e-11...1_000_000).contains($0) } ?? false }) else { return nil }
        if !match.4.contains("-"), tempi.count > 1, tempi.count != bars * beats { return nil }
        if let pattern = match.5, pattern.count != beats { return nil }
        if let volume = match.6 {
            guard number(volume) != nil else { return nil }
        }
        let usual = "X" + String(repeating: "x", count: beats - 1)
        return (bars, beats, match.5.map(String.init) ?? usual)
    }

    /// `12`, `12.`, `12.5` or `.5`.
    private static func number(_ text: Substring) -> Double? {
        guard text.wholeMatch(of: #/[0-9]+\.?[0-9]*|\.[0-9]+/#) != nil else { return nil }
        return Double("0" + text + (text.contains(".") ? "0" : ""))
    }

    /// The levels of each bar, as digits, that an accent pattern asks for by the grammar in the documentation; `nil` if it
    /// is none. Without a meter a bar has as many beats as the pattern, or four.
    public static func accentLevels(_ text: String) -> [[Int]]? {
        if text == "none" { return [[1, 1, 1, 1]] }
        if text == "only" { return [[3, 0, 0, 0]] }
        if text.wholeMatch(of: #/[Xox.]+(\/[Xox.]+)*/#) != nil {
            let digits: [Character: Int] = [".": 0, "x": 1, "o": 2, "X": 3]
            return text.split(separator: "/").map { $0.compactMap { digits[$0] } }
        }
        if text.wholeMatch(of: #/0*[0-3](,0*[0-3])+/#) != nil {
            return [text.split(separator: ",").compactMap { Int($0) }]
        }
        guard text.wholeMatch(of: #/[0-9]+(\+[0-9]+)*/#) != nil else { return nil }
        let groups = text.split(separator: "+").map { Int($0) ?? 0 }
        guard groups.allSatisfy({ (1...1_024).contains($0) }), groups.reduce(0, +) <= 1_024 else { return nil }
        return [
            groups.enumerated().flatMap { index, count in
                [index == 0 ? 3 : 2] + Array(repeating: 1, count: count - 1)
            }
        ]
    }
}
