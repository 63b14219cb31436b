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

/// What the controlling thread asks of the audio thread.
internal struct EngineCommand: BitwiseCopyable, Sendable {
    internal enum Kind: UInt8, BitwiseCopyable, Sendable { case start, stop, mute, volume, sound, nudge, jump, change }

    internal var kind = Kind.start
    internal var moment = CommandMoment.atOnce
    /// `mute`: 1 or 0; `volume`: the factor.
    internal var value: Float = 0
    /// `jump`: the bar; `sound`: which one.
    internal var bar: Int64 = 0
    /// `nudge`: how much later the grid lies from now on; whole frames may be negative.
    internal var amount = FramePosition(frame: 0)
    /// `change`: the new schedule, which now belongs to the audio thread.
    internal var schedule = ScheduleHandle(pointer: nil)

    @_noLocks internal init(_ kind: Kind, _ moment: CommandMoment) { (self.kind, self.moment) = (kind, moment) }

    /// Whether nothing is left of an earlier wish for the same moment once this one is fulfilled. Nudges add up.
    @_noLocks internal func overrules(_ earlier: EngineCommand) -> Bool {
        if kind.rawValue != earlier.kind.rawValue || moment.rawValue != earlier.moment.rawValue { return false }
        if case .nudge = kind { return false }
        return true
    }

    /// Whether it is all the same before or after which others it is obeyed: it has nothing to do with the place in the plan.
    internal var isApart: Bool {
        @_noLocks get {
            switch kind {
            case .mute, .volume, .sound: true
            case .start, .stop, .nudge, .jump, .change: false
            }
        }
    }

    /// What an empty place holds.
    internal static var none: EngineCommand { EngineCommand(.stop, .atOnce) }
}

/// A schedule on its way between the threads; whoever holds the handle owns it.
internal struct ScheduleHandle: BitwiseCopyable, @unchecked Sendable {
    internal var pointer: UnsafeMutablePointer<BeatSchedule>?

    @_noLocks internal init(pointer: UnsafeMutablePointer<BeatSchedule>?) { self.pointer = pointer }

    /// Puts a schedule where both threads can reach it. Allocates.
    internal init(owning schedule: consuming BeatSchedule) {
        let pointer = UnsafeMutablePointer<BeatSchedule>.allocate(capacity: 1)
        pointer.initialize(to: schedule)
        self.pointer = pointer
    }

    /// Frees the schedule; not on the audio thread.
    internal func free() {
        guard let pointer else { return }
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
