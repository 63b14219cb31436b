/// Further voices against the beats of the bar.
///
/// The first number that is as many as the bar has beats is the beat itself and has no further voice: 3:4 in 4/4 is three
/// against the beat. In a bar of another length all numbers are voices.
package enum CrossRhythm: Sendable, Hashable {
    /// The bar divided evenly in other ways: 3 against 4 spans the same bar.
    case polyrhythm([Int])
    /// Bars of other lengths over the same beats: each voice strikes the first beat of its own bar.
    case polymeter([Int])

    /// Three voices besides the beat are as many as a bank of sounds holds.
    package static var mostVoices: Int { 3 }

    /// The numbers, in the order they were said.
    package var counts: [Int] {
        switch self {
        case .polyrhythm(let counts), .polymeter(let counts): counts
        }
    }
}
