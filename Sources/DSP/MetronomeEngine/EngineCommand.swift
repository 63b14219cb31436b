internal import Realtime
internal import Timebase

/// When a command takes effect.
@frozen
public enum CommandMoment: UInt8, Sendable, Hashable, BitwiseCopyable {
    /// With the next frame that is rendered.
    case atOnce
    /// With the next beat, before it is struck.
    case nextBeat
    /// With the first beat of the next bar, before it is struck.
    case nextBar
}

/// What the control asks of the engine.
internal struct EngineCommand: BitwiseCopyable, Sendable {
    internal enum Kind: UInt8, BitwiseCopyable, Sendable {
        case start, stop, mute, volume, sound, nudge, jump, change, steer
    }

    internal var kind = Kind.start
    internal var moment = CommandMoment.atOnce
    /// `mute`: 1 or 0; `volume`: the factor.
    internal var value: Float = 0
    /// `jump`: the bar; `sound`: which one.
    internal var number: Int64 = 0
    /// `nudge`: how much later the grid lies from now on; whole frames may be negative.
    internal var amount = FramePosition(frame: 0)
    internal var schedule: Ticket?
    internal var steering = BeatSteering(frame: 0, period: 1)

    /// How many commands can be on their way, and how many can wait for their beat or bar.
    internal static var mostUnderWay: Int { 64 }

    @_noLocks internal init(_ kind: Kind, _ moment: CommandMoment, value: Float = 0, number: Int64 = 0) {
        (self.kind, self.moment, self.value, self.number) = (kind, moment, value, number)
    }

    /// Whether this command replaces an earlier one for the same moment. Nudges add up.
    @_noLocks internal func overrules(_ earlier: EngineCommand) -> Bool {
        if kind.rawValue != earlier.kind.rawValue || moment.rawValue != earlier.moment.rawValue { return false }
        if case .nudge = kind { return false }
        return true
    }

    /// Whether the command does not depend on the place in the plan, so that its order among others does not matter.
    internal var isOrderIndependent: Bool {
        @_noLocks get {
            switch kind {
            case .mute, .volume, .sound: true
            case .start, .stop, .nudge, .jump, .change, .steer: false
            }
        }
    }

    /// What an empty place holds.
    internal static var none: EngineCommand { EngineCommand(.stop, .atOnce) }
}
