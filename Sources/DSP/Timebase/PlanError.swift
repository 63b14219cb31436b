public import Music

/// A plan that cannot be played, or a part of one that lies outside its range.
public enum PlanError: ExplainedError, Equatable {
    /// A tempo slower or faster than `Tempo.range`, or with too many digits.
    case tempoOutOfRange(Ratio)
    /// A bar without beats or with too many, or a beat that is too fine.
    case meterOutOfRange(beats: Int, denominator: Int)
    /// The number of parts of a beat is outside 1...12.
    case partsOutOfRange(Int)
    /// A beat does not hold 1 to 12 whole notes of this value.
    case notesDoNotFit(NoteValue, beat: NoteValue)
    /// The number of levels differs from the number of parts of a beat.
    case levelsDoNotFit(Int, parts: Int)
    /// The first note of a pair takes a share outside 1/2...3/4.
    case swingOutOfRange(Ratio)
    /// The percentage of muted beats is outside 0...100.
    case muteOutOfRange(Ratio)
    /// The numbers of bars to play and to mute are outside 0...256, or both 0.
    case gapOutOfRange(play: Int, mute: Int)
    /// A bar of the accents is not as long as the meter's.
    case accentsDoNotFit(bar: Int, beats: Int, meter: Meter)
    /// Swing moves the second note of a pair; a beat in an odd number of parts has no pairs.
    case swingNeedsPairs(parts: Int)
    /// More voices against the beat than there are sounds.
    case tooManyVoices
    /// A running metronome has sounds for fewer voices than the new plan needs.
    case voicesWithoutSound(ready: Int)
    /// A polymeter over bars of different lengths never repeats.
    case metersDiffer
    /// The pattern or the plan is too long to be laid out.
    case tooLong
    /// The tempo and the subdivision together need more digits than the beat clock carries.
    case tooFine
    /// A section without end is followed by another.
    case neverReached(section: Int)
    /// The steps of a speed trainer lead away from its goal.
    case stepsLeadAway
    /// Both a ramp and steps.
    case rampAndSteps
    /// A plan without bars, or a section without a tempo.
    case nothingToPlay
    /// The frames per second are not a whole number from 1 to 2^24.
    case unsupportedSampleRate(Hertz)
    /// The plan has no bar of this number to start at.
    case noSuchBar(Int64)

    /// What is wrong with the plan.
    public var problem: String { words.problem }
    /// What to change.
    public var remedy: String { words.remedy }

    private var words: (problem: String, remedy: String) {
        switch self {
        case .tempoOutOfRange(let tempo):
            (
                "a tempo of \(tempo) cannot be played",
                "use \(Tempo.range.lowerBound) to \(Tempo.range.upperBound) beats per minute, such as 120, 97.3 or 100/3"
            )
        case .meterOutOfRange(let beats, let denominator):
            (
                "a meter of \(beats)/\(denominator) cannot be played",
                "use 1 to \(Meter.longestBar) beats a bar, and whole notes to \(Meter.finestBeat)ths as the beat"
            )
        case .partsOutOfRange(let parts): ("a beat cannot have \(parts) parts", "use 1 to 12")
        case .notesDoNotFit(let note, let beat):
            (
                "\(note) notes do not divide a beat of one \(beat) into 1 to 12 parts",
                "use another note value, a tuplet, or the number of parts"
            )
        case .levelsDoNotFit(let levels, let parts):
            ("\(levels) levels do not fit a beat in \(parts) parts", "write one level for each part")
        case .swingOutOfRange(let share):
            ("a swing of \(share) cannot be played", "use 50 to 75 percent in steps of 0.01, or 1:1 to 3:1")
        case .muteOutOfRange(let percent): ("\(percent) percent of the beats cannot be muted", "use 0 to 100")
        case .gapOutOfRange(let play, let mute):
            ("\(play):\(mute) is no gap plan", "use 0 to 256 bars to play and to mute, not both 0")
        case .accentsDoNotFit(let bar, let beats, let meter):
            ("bar \(bar) of the accents has \(beats) beats", "write \(meter.beats), as \(meter) has")
        case .swingNeedsPairs(let parts):
            ("swing needs pairs: a beat in \(parts) part\(parts == 1 ? "" : "s") has none", "use 2, 4, ... 12 parts")
        case .tooManyVoices: ("at most \(CrossRhythm.mostVoices) voices fit against the beat", "leave one out")
        case .voicesWithoutSound(let ready):
            ("the metronome has sounds for only \(ready) of the plan's voices", "create it with a higher voiceCount")
        case .metersDiffer: ("a polymeter needs bars of one length", "use one meter")
        case .tooLong: ("the pattern or the plan is too long", "make the bars shorter or fewer")
        case .tooFine: ("tempo and subdivision together need too many digits", "use a tempo with fewer digits")
        case .neverReached(let section):
            ("section \(section) has no end, so what follows is never reached", "give it a number of bars")
        case .stepsLeadAway: ("the steps lead away from their goal", "step up to a higher goal, down to a lower one")
        case .rampAndSteps: ("a ramp and steps both move the tempo", "use one of them")
        case .nothingToPlay: ("there is nothing to play", "give at least one bar with a tempo above 0")
        case .unsupportedSampleRate(let rate):
            ("a metronome cannot run at \(rate.value) frames per second", "use a whole number from 1 to 16777216")
        case .noSuchBar(let bar): ("the plan has no bar \(bar)", "start at one it has")
        }
    }
}
