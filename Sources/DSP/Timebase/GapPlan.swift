/// Bars that are played and bars that are muted, in turn: the player has to keep time alone, and hears at the next bar
/// how well that went.
public struct GapPlan: Sendable, Hashable {
    /// For each bar from bar 1 whether it is muted; after the last the part from `repeatFrom` on repeats.
    public let isMuted: [Bool]
    /// The index in `isMuted` at which the repeating part begins.
    public let repeatFrom: Int

    /// `play` bars heard, then `mute` bars silent, for ever.
    public init(play: Int, mute: Int) throws(NotationError) {
        try self.init(from: (play, mute), to: (play, mute))
    }

    /// Gaps that change: each round is one bar nearer to the last proportion, in both numbers, and stays there.
    public init(from first: (play: Int, mute: Int), to last: (play: Int, mute: Int)) throws(NotationError) {
        let bars = 0...256
        for pair in [first, last]
        where !bars.contains(pair.play) || !bars.contains(pair.mute) || pair.play + pair.mute == 0 {
            throw .outOfRange(text: "\(pair.play):\(pair.mute)", column: 1, allowed: "0 to 256 bars, not both 0")
        }
        var flags: [Bool] = []
        var (play, mute) = first
        while (play, mute) != last {
            flags += Array(repeating: false, count: play) + Array(repeating: true, count: mute)
            play += (last.play - play).signum()
            mute += (last.mute - mute).signum()
        }
        repeatFrom = flags.count
        isMuted = flags + Array(repeating: false, count: last.play) + Array(repeating: true, count: last.mute)
    }

    /// Reads `3:1` or `3:1..1:3`.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.gapPlan()
        try scanner.expectEnd(after: "gap plan")
    }

    /// Whether a bar is muted; bars count from 1, those of a count-in are always heard.
    public func isMuted(bar: Int64) -> Bool {
        guard bar >= 1 else { return false }
        let index = bar - 1
        if index < Int64(isMuted.count) { return isMuted[Int(index)] }
        let period = Int64(isMuted.count - repeatFrom)
        return isMuted[repeatFrom + Int((index - Int64(repeatFrom)) % period)]
    }
}

extension NotationScanner {
    internal mutating func gapPlan() throws(NotationError) -> GapPlan {
        let start = column
        let first = try gapPair()
        let last = skip(word: "..") ? try gapPair() : first
        do throws(NotationError) {
            return try GapPlan(from: first, to: last)
        } catch {
            throw outOfRange("0 to 256 bars to play and to mute, not both 0", at: start)
        }
    }

    private mutating func gapPair() throws(NotationError) -> (play: Int, mute: Int) {
        let play = try integer("the bars to play, such as the 3 of 3:1", in: 0...256)
        guard skip(":") else { throw unreadable(": and the bars to mute, as in 3:1") }
        return (play, try integer("the bars to mute, such as the 1 of 3:1", in: 0...256))
    }
}
