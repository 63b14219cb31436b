/// Further voices against the beats of the bar.
///
/// The first number that equals the beats of the bar stands for the beat itself and gets no voice: 3:4 in 4/4 is three
/// against the beat. In other bars every number is a voice.
package enum CrossRhythm: Sendable, Hashable {
    /// The bar divided evenly in other ways: 3 against 4 spans the same bar.
    case polyrhythm([Int])
    /// Bars of other lengths over the same beats: each voice strikes the first beat of its own bar.
    case polymeter([Int])

    /// The voices that a bank of sounds holds besides the beat.
    package static var mostVoices: Int { 3 }

    package var counts: [Int] {
        switch self {
        case .polyrhythm(let counts), .polymeter(let counts): counts
        }
    }
}
