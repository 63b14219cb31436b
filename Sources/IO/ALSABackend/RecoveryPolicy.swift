internal import AudioIO
internal import Glibc

/// What befell a stream.
internal enum StreamTrouble: Sendable, Hashable {
    /// A call failed with this `errno`.
    case error(Int32)
    /// `poll` reported an error condition; the state tells which.
    case failing
    /// `poll` reported that the other end is gone.
    case hungUp
    /// No frame was transferred for this long, while nothing reported an error.
    case silence(Duration)
}

/// What is to be done about it.
internal enum RecoveryAction: Sendable, Hashable {
    /// Nothing: poll again.
    case pollAgain
    /// Prepare the device anew, and start it if it captures. An xrun.
    case prepare
    /// Ask the suspended device to resume; ask again in 100 ms if it is not ready.
    case resume
    /// Give this handle up.
    case giveUp(LossReason)
}

/// Why a device counts as lost.
internal enum LossReason: Sendable, Hashable {
    /// The system said so, with this `errno`.
    case error(Int32)
    /// It hung up.
    case hungUp
    /// It recovers again and again without a frame getting through.
    case noProgress
    /// It says that it runs, and nothing moves.
    case stalled
    /// It runs dry too often at its present sizes.
    case tooSmall
}

/// Decides what to do when a stream stumbles: a pure function, so that every row of it can be tested.
///
/// Xruns and suspends are part of life. But recovery that leads nowhere is the classical way to burn a whole
/// processor on a dead device: a killed server answers every recovery with "ok" and every transfer with EPIPE.
internal enum RecoveryPolicy {
    /// Recoveries in a row, without a period transferred, after which the device counts as lost.
    internal static let recoveryLimit = 3
    /// Silence after which a device that claims to run counts as lost. Fifty periods of 1,024 at 48 kHz.
    internal static let silenceLimit: Duration = .seconds(1)
    /// How long a suspended device may take to wake up before it is prepared anew.
    internal static let resumeLimit: Duration = .seconds(5)

    /// What to do.
    ///
    /// - Parameters:
    ///   - trouble: what happened.
    ///   - state: the state the device says it is in, asked after it happened.
    ///   - recoveries: prepared or resumed so often since the last transferred period.
    ///   - suspendedFor: time since the device was first found suspended.
    ///   - patience: how long a device may be silent; longer than `silenceLimit` only where a few periods are.
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

    private static func prepare(_ recoveries: Int) -> RecoveryAction {
        recoveries >= recoveryLimit ? .giveUp(.noProgress) : .prepare
    }

    private static func wake(_ recoveries: Int, _ suspendedFor: Duration) -> RecoveryAction {
        // A device that resumes and is suspended again at once would be resumed for ever, as fast as the processor can.
        recoveries < recoveryLimit && suspendedFor < resumeLimit ? .resume : prepare(recoveries)
    }
}

extension LossReason {
    /// As part of a sentence.
    internal var words: String {
        switch self {
        case .error(let number): alsaReason(-number)
        case .hungUp: "it hung up"
        case .noProgress: "it fails again after every recovery"
        case .stalled: "it stopped moving"
        case .tooSmall: "it runs dry too often"
        }
    }

    /// The reason in a word that an `Atomic` holds; 0 is none.
    internal var code: Int {
        switch self {
        case .error(let number): Int(number)
        case .hungUp: -1
        case .noProgress: -2
        case .stalled: -3
        case .tooSmall: -4
        }
    }

    internal init?(code: Int) {
        switch code {
        case 0: return nil
        case -1: self = .hungUp
        case -2: self = .noProgress
        case -3: self = .stalled
        case -4: self = .tooSmall
        default: self = .error(Int32(clamping: code))
        }
    }
}
