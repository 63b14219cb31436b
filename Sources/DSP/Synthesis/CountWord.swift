package import Timebase

/// What a spoken count says on a stroke.
///
/// A beat is its number in the bar, and its parts are what players say: "one and", "one trip let", "one e and a". Above
/// sixteen a number is its last digit, or ten. Without a meter the beats are counted in fours.
package struct CountWord: Sendable, Hashable, BitwiseCopyable {
    /// 0 to 15 for "one" to "sixteen", then the words of parts.
    package let index: Int

    @_noLocks private init(_ index: Int) { self.index = index }

    /// The names of all words, in the order of their indices.
    package static var names: [String] { (1...16).map { "\($0)" } + ["and", "e", "a", "trip", "let"] }

    /// The word of that name, if there is one.
    package init?(named name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(index)
    }

    /// The shortest time for a number, in seconds: five syllables in a second, as in fast speech.
    private static var shortestBeat: Double { @_noLocks get { 0.2 } }
    /// The shortest time for "and" and its like, which are one short syllable: sixteenths at 120 BPM.
    private static var shortestPart: Double { @_noLocks get { 0.125 } }

    /// The word of a stroke; `nil` for other voices, for parts that have no name, and where there is no time for a word. Of
    /// beats shorter than 200 ms only the first of a bar is spoken.
    @_noLocks package init?(_ stroke: BeatEvent) {
        if stroke.layer > 0 || stroke.isEnd { return nil }
        let seconds = stroke.beatSeconds
        if stroke.part > 0 {
            if seconds < Self.shortestPart * Double(stroke.partsInBeat) { return nil }
            let index = Self.word(
                ofPart: Int(stroke.part), of: Int(stroke.partsInBeat),
                // Dotted notes in three, as in 6/8: "one and a".
                isDotted: stroke.beatValue.share.numerator == 3)
            if index < 0 { return nil }
            self.init(index)
            return
        }
        var (number, beats) = (Int64(stroke.beat), Double(stroke.beatsInBar))
        if stroke.beatsInBar == 1 {
            // -1 and 0 before bar 1 are three and four.
            number = ((stroke.bar - 1) % 4 + 4) % 4 + 1
            beats = 4
        }
        if seconds < Self.shortestBeat && (number > 1 || seconds * beats < Self.shortestBeat) { return nil }
        self.init(Int(number <= 16 ? number - 1 : (number - 1) % 10))
    }

    /// The index of the word of a part; -1: none.
    @_noLocks private static func word(ofPart part: Int, of count: Int, isDotted: Bool) -> Int {
        let (and, e, a, trip, let_) = (16, 17, 18, 19, 20)
        switch count {
        case 3 where isDotted: return part == 1 ? and : a
        case 3: return part == 1 ? trip : let_
        case 6: return part == 3 ? and : part % 3 == 1 ? trip : let_
        default:
            // The quarters of the beat; other parts have no names.
            if 4 * part % count != 0 { return -1 }
            let quarter = 4 * part / count
            return quarter == 1 ? e : quarter == 2 ? and : a
        }
    }
}
