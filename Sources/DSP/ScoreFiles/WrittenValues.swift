/// Which values a note or a rest is written in within a bar, so that a reader sees its beats.
///
/// A note has as few heads as there can be. The middle of a bar of four beats shows, but in a whole bar, in a half on the second
/// beat, and in a note of one beat that begins within a beat. Rests show each beat: only two beats of a half bar are one rest.
/// - SeeAlso: Gould, "Behind Bars", 2011, pages 166 to 174.
struct WrittenValues {
    /// Grid steps in a quarter, in a bar, and in what counts as a beat.
    let stepsPerQuarter: Int, stepsPerBar: Int, stepsPerBeat: Int
    let isCompound: Bool

    init(stepsPerQuarter: Int, stepsPerBar: Int, stepsPerBeat: Int, isCompound: Bool) {
        (self.stepsPerQuarter, self.stepsPerBar, self.isCompound) = (stepsPerQuarter, stepsPerBar, isCompound)
        // Halves are written as two quarters are: 2/2 as 4/4.
        self.stepsPerBeat = isCompound ? stepsPerBeat : min(stepsPerBeat, stepsPerQuarter)
    }

    /// Steps from the middle of the bar on, where a bar has four beats.
    private var middle: Int? { stepsPerBar == 4 * stepsPerBeat ? 2 * stepsPerBeat : nil }

    /// The lengths, in order, of what is written from one place in the bar to another.
    func lengths(from start: Int, to end: Int, isRest: Bool) -> [Int] {
        let count = end - start
        guard count > 0 else { return [] }
        // The best way from each place on.
        var costs = [Double](repeating: .infinity, count: count + 1)
        var choices = [Int](repeating: 1, count: count + 1)
        costs[count] = 0
        for from in stride(from: count - 1, through: 0, by: -1) {
            for length in values where length <= count - from {
                guard let cost = cost(of: length, at: start + from, isRest: isRest) else { continue }
                if cost + costs[from + length] < costs[from] {
                    (costs[from], choices[from]) = (cost + costs[from + length], length)
                }
            }
        }
        var (lengths, place) = ([Int](), 0)
        while place < count {
            lengths.append(choices[place])
            place += choices[place]
        }
        return lengths
    }

    /// The lengths that one head has, the longest first.
    private var values: [Int] {
        let plain = sequence(first: 4 * stepsPerQuarter) { $0 % 2 == 0 ? $0 / 2 : nil }
        return plain.flatMap { $0 % 2 == 0 ? [3 * $0 / 2, $0] : [$0] }
    }

    /// What a head costs: one, and a little for what is harder to read; `nil` where it would hide a beat.
    private func cost(of length: Int, at place: Int, isRest: Bool) -> Double? {
        let end = place + length
        if place == 0, end == stepsPerBar { return 1 }
        let inBeat = place % stepsPerBeat
        if inBeat + length <= stepsPerBeat { return 1 }
        if isRest { return inBeat == 0 && length == 2 * stepsPerBeat && place % length == 0 ? 1 : nil }
        let hidesMiddle = middle.map { place < $0 && $0 < end } ?? false
        if inBeat == 0 {
            if isCompound, length % stepsPerBeat > 0 { return nil }
            guard hidesMiddle, place > 0 else { return 1 }
            return length % stepsPerBeat == 0 ? 1 + Self.hidden : nil
        }
        // A note of one beat from the middle of a beat to that of the next.
        guard !isCompound, 2 * inBeat == stepsPerBeat, length == stepsPerBeat else { return nil }
        return 1 + Self.syncope + (hidesMiddle ? Self.hidden : 0)
    }

    /// Only between ways of as many heads do these choose: a hidden middle is worse than a syncope.
    private static let syncope = 0.01, hidden = 0.05
}
