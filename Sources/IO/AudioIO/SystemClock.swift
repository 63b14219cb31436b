internal import CLinuxCalls

/// The clock that a card's rate is measured against, and how good it is.
package enum SystemClock {
    /// What disciplines the system's clock.
    package enum Discipline: Sendable, Hashable {
        /// A time service (NTP, PTP), with its own estimate of the error.
        case timeService(estimatedError: Duration)
        /// Nothing: its crystal is some tens of ppm off.
        case free
        /// The kernel does not tell.
        case unknown
    }

    /// What disciplines the system's clock now.
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
    /// What that means for a measured rate, in a sentence.
    package var meaning: String {
        switch self {
        case .timeService:
            "a time service disciplines the system clock, so the rate is measured against true time"
        case .free:
            "no time service disciplines the system clock, so the rate is measured against the computer's own crystal, "
                + "which may be tens of ppm off itself: turn on NTP and calibrate again"
        case .unknown:
            "the system does not tell whether a time service disciplines its clock: the rate is as good as that clock"
        }
    }
}
