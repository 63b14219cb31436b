public import Music

/// A plan whose parts are each right but do not go together.
public enum PlanError: Error, Equatable, Sendable {
    /// Swing moves the second of a pair; a beat in an odd number of parts has no pairs.
    case swingNeedsPairs(parts: Int)
    /// More voices against the beat than there are sounds.
    case tooManyVoices
    /// A running metronome has sounds made ready for fewer voices than the plan it shall go on with.
    case voicesWithoutSound(ready: Int)
    /// A polymeter over bars of different lengths never meets again.
    case metersDiffer
    /// The bars until the pattern repeats, or the sections of the plan, are more than can be laid out.
    case tooLong
    /// The tempo and the grid together need more digits than the beat clock carries.
    case tooFine
    /// A section without end is followed by another.
    case neverReached(section: Int)
    /// The steps of a speed trainer lead away from its goal.
    case stepsLeadAway
    /// A ramp and steps at once.
    case rampAndSteps
    /// The bar said with the tempo and the accents do not fit.
    case patternDoesNotFit(NotationError)
    /// A plan without bars, a section without a tempo, or a tempo that is not above zero.
    case nothingToPlay
    /// A plan is laid out for a whole number of frames per second, 1 to 2^24.
    case unsupportedSampleRate(Hertz)
    /// The plan starts at a bar it does not have.
    case noSuchBar(Int64)

    /// One sentence: what is wrong and what to do.
    public var message: String {
        switch self {
        case .swingNeedsPairs(let parts):
            "swing needs pairs, and a beat in \(parts) parts has none: use 2, 4, 6, 8, 10 or 12 parts, or no swing"
        case .tooManyVoices: "at most \(CrossRhythm.mostVoices) voices fit against the beat: leave one out"
        case .voicesWithoutSound(let ready):
            "the metronome has sounds for \(ready) of the plan's voices: begin it with a voiceCount for all of them"
        case .metersDiffer: "a polymeter needs bars of one length: use one meter"
        case .tooLong: "the pattern or the plan is too long to be laid out: make the bars or the list shorter"
        case .tooFine: "tempo and subdivision together need too many digits: use a tempo with fewer of them"
        case .neverReached(let section):
            "section \(section) has no end, so what follows is never reached: give its number of bars"
        case .stepsLeadAway: "the steps lead away from their goal: use + to go up and - to go down"
        case .rampAndSteps: "a ramp and steps both move the tempo: give one of them"
        case .patternDoesNotFit(let error): error.message
        case .nothingToPlay: "there is nothing to play: give at least one bar with a tempo above 0"
        case .unsupportedSampleRate(let rate):
            "a metronome cannot run at \(rate.value) frames per second: use a whole number from 1 to 16777216"
        case .noSuchBar(let bar): "there is no bar \(bar) in this plan: start at one it has"
        }
    }
}
