/// By how much another course of the beat must be likelier to replace the one that is followed.
internal struct CourseTrust: BitwiseCopyable, Sendable {
    /// One at another tempo, and one at another level of the same beat.
    private(set) var others: Float, levels: Float
    /// How many beats of the course were heard.
    private var proven = 0
    private let constants: TempoConstants

    private static var first: Float { @_noLocks get { 3 } }

    @_noLocks init(_ constants: TempoConstants) {
        self.constants = constants
        (others, levels) = (Self.first, constants.levelFirst)
    }

    /// Another course is followed.
    @_noLocks mutating func restart() { (others, levels, proven) = (Self.first, constants.levelFirst, 0) }

    /// A beat of the course had a note.
    @_noLocks mutating func hear() {
        others = min(constants.hysteresis, others * constants.growth)
        proven += 1
        if Float(proven) > constants.levelStart {
            levels = min(constants.levelHysteresis, levels * constants.levelGrowth)
        }
    }

    /// A beat of the course had none.
    @_noLocks mutating func miss() { levels = max(constants.levelFirst, levels / constants.levelLoss) }
}
