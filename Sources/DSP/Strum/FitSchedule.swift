/// How long one window is fitted, and what is done in which of the rounds.
struct FitSchedule: BitwiseCopyable, Sendable {
    /// How much work a window is worth.
    enum Effort {
        /// Half of the first search, as all is forgotten afterwards.
        case glance
        /// The strings are looked for.
        case search
        /// Two strings of one pitch have just been told apart.
        case courses
        /// The strings lie nearly where they lay in the window before.
        case follow
        /// The same window without strings that turned out silent.
        case again
    }

    private(set) var round = 0
    /// How often strings have been tried at other places.
    private(set) var tries: Int
    private let isFirst: Bool
    private var most: Int

    @_noLocks init(_ effort: Effort) {
        switch effort {
        case .glance: (isFirst, most, tries) = (true, 8, 2)
        case .search: (isFirst, most, tries) = (true, 14, 0)
        case .courses: (isFirst, most, tries) = (false, 14, 0)
        case .follow: (isFirst, most, tries) = (false, 6, 0)
        case .again: (isFirst, most, tries) = (false, 6, 2)
        }
    }

    var isOver: Bool { @_noLocks get { round >= most } }
    /// Whether nothing is known of the noise yet.
    var isAtStart: Bool { @_noLocks get { isFirst && round == 0 } }
    /// Whether the strings are looked for, and have not been tried at other places but for this time.
    var isFirstTry: Bool { @_noLocks get { isFirst && tries == 1 } }
    var triesPlaces: Bool {
        @_noLocks get { isFirst ? round >= 5 + 4 * tries && tries < 2 : round >= 2 && tries == 0 }
    }
    var measuresNoise: Bool { @_noLocks get { isFirst ? round % 4 == 2 : round == 0 } }
    /// Whether it is due again: what the steps take away is no noise any more, and as long as it counts as noise it keeps strings
    /// where the shorter window had them.
    var measuresNoiseAgain: Bool { @_noLocks get { !isFirst && round > 0 && round % 2 == 0 } }
    /// Whether partials have come near enough to their lines to be held to their laws.
    var narrowsScatter: Bool { @_noLocks get { isFirst && round == 5 } }
    var learnsScatter: Bool { @_noLocks get { round >= (isFirst ? 6 : 1) } }
    var mayEnd: Bool { @_noLocks get { round >= (isFirst ? 10 : 3) } }
    var isSearch: Bool { @_noLocks get { isFirst } }

    @_noLocks mutating func nextRound() { round += 1 }
    @_noLocks mutating func beginTry() { tries += 1 }
    /// Leaves time for strings that have been moved.
    @_noLocks mutating func extend() { most = min(Self.mostRounds, round + 8) }

    /// Steps in one window, when strings have been moved meanwhile.
    private static var mostRounds: Int { @_noLocks get { 20 } }
}
