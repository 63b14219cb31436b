internal import CLinuxCalls

/// The clock that a card's rate is measured against, and how far it can be trusted itself.
package enum SystemClock {
    /// What steers the system's clock.
    package enum Discipline: Sendable, Hashable {
        /// A time service (NTP, PTP) holds it to true time; by its own estimate it is this far off.
        case timeService(estimatedError: Duration)
        /// Nothing: it runs as its own crystal does, some tens of ppm off.
        case free
        /// The kernel does not say.
        case unknown
    }

    /// What steers the system's clock now.
    package static var discipline: Discipline {
        var microseconds = 0
        switch linux_clock_is_disciplined(&microseconds) {
        case 1: return .timeService(estimatedError: .microseconds(microseconds))
        case 0: return .free
        default: return .unknown
        }
    }
}

extension SystemClock.Discipline {
    /// What that means for a measured rate, in one sentence.
    package var meaning: String {
        switch self {
        case .timeService:
            "the system clock is held by a time service, so the rate is measured against true time"
        case .free:
            "no time service holds the system clock, so the rate is measured against the computer's own crystal, "
                + "which may be tens of ppm off itself: turn on NTP and calibrate again"
        case .unknown:
            "the system does not say whether a time service holds its clock: the rate is as good as that clock"
        }
    }
}
