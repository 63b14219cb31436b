internal import AudioIO
internal import Glibc

/// What can happen to a stream.
internal enum StreamTrouble: Sendable, Hashable {
    /// A call failed with this `errno`.
    case error(Int32)
    /// `poll` reported an error, which the state tells.
    case failing
    /// `poll` reported that the other end is gone.
    case hungUp
    /// No frame was transferred for this long, without any error.
    case silence(Duration)
}

/// What to do about it.
internal enum RecoveryAction: Sendable, Hashable {
    /// Nothing: poll again.
    case pollAgain
    /// Prepare the device again after an xrun, and start it if it captures.
    case prepare
    /// Resume the suspended device; try again in 100 ms if it is not ready.
    case resume
    /// Close this handle.
    case giveUp(LossReason)
}

/// Why a device counts as lost.
internal struct LossReason: Sendable, Hashable {
    /// An `errno`, or a number below zero; an `Atomic` uses 0 for none.
    internal let code: Int

    /// A call failed with this `errno`.
    internal static func error(_ number: Int32) -> LossReason { LossReason(code: Int(number)) }
    /// It was disconnected.
    internal static let hungUp = LossReason(code: -1)
    /// It recovers again and again without transferring a frame.
    internal static let noProgress = LossReason(code: -2)
    /// It claims to run but transfers no frames.
    internal static let stalled = LossReason(code: -3)
    /// It underruns too often at its period and buffer.
    internal static let tooSmall = LossReason(code: -4)

    /// The reason as part of a sentence.
    internal var words: String {
        switch self {
        case .hungUp: "it was disconnected"
        case .noProgress: "it fails again after every recovery"
        case .stalled: "it transfers no frames"
        case .tooSmall: "it underruns too often"
        default: alsaReason(Int32(clamping: -code))
        }
    }
}

/// Decides how to recover a stream. A pure function, so that every rule can be tested.
///
/// Xruns and suspends are normal. After a server was killed, however, every recovery succeeds and every transfer fails with
/// EPIPE, so recoveries without progress are limited.
internal enum RecoveryPolicy {
    /// The number of recoveries without a transferred period after which the device counts as lost.
    internal static let recoveryLimit = 3
    /// How long a device may go on failing before it has to transfer a period, when it is we who are late each time. A loaded
    /// machine keeps a thread waiting for some tens of milliseconds, now and then several times in a row.
    internal static let lateLimit: Duration = .seconds(1)
    /// How long a device that claims to run may be silent: 50 periods of 1,024 at 48 kHz.
    internal static let silenceLimit: Duration = .seconds(1)
    /// How long a suspended device may take to resume before it is prepared again.
    internal static let resumeLimit: Duration = .seconds(5)

    /// The action for what happened.
    ///
    /// - Parameters:
    ///   - trouble: what happened.
    ///   - state: the state that the device reports after that.
    ///   - recoveries: how often it was prepared or resumed since the last transferred period.
    ///   - suspendedFor: the time since the device was first found suspended.
    ///   - patience: how long a device may be silent; longer than `silenceLimit` only if a few periods are.
    internal static func action(
        for trouble: StreamTrouble, state: PCMState, recoveries: Int, suspendedFor: Duration,
        patience: Duration = silenceLimit
    ) -> RecoveryAction {
        if state == .disconnected { return .giveUp(.error(ENODEV)) }
        switch trouble {
        case .error(EAGAIN), .error(EINTR): return .pollAgain
        case .error(EPIPE): return prepare(recoveries)
        case .error(ESTRPIPE): return wake(recoveries, suspendedFor)
        case .error(let number): return .giveUp(.error(number))
        case .hungUp: return .giveUp(.hungUp)
        case .failing: return state == .suspended ? wake(recoveries, suspendedFor) : prepare(recoveries)
        case .silence(let duration):
            switch state {
            case .suspended: return wake(recoveries, suspendedFor)
            case .xrun: return prepare(recoveries)
            default: return duration >= patience ? .giveUp(.stalled) : .pollAgain
            }
        }
    }

    /// The recoveries that count against the limit.
    ///
    /// A device that ran for at least its buffer before the xrun works; this process came too late. One whose server was
    /// killed fails at once.
    ///
    /// - Parameters:
    ///   - ranFor: the time since the last recovery.
    ///   - buffer: how long the device takes to empty or to fill its buffer.
    ///   - failingFor: the time since the first recovery after the last transferred period.
    internal static func counted(
        _ recoveries: Int, ranFor: Duration, buffer: Duration, failingFor: Duration
    ) -> Int {
        ranFor >= buffer && failingFor < lateLimit ? min(recoveries, recoveryLimit - 1) : recoveries
    }

    private static func prepare(_ recoveries: Int) -> RecoveryAction {
        recoveries >= recoveryLimit ? .giveUp(.noProgress) : .prepare
    }

    private static func wake(_ recoveries: Int, _ suspendedFor: Duration) -> RecoveryAction {
        // A device that is suspended again at once is not resumed for ever.
        recoveries < recoveryLimit && suspendedFor < resumeLimit ? .resume : prepare(recoveries)
    }
}
