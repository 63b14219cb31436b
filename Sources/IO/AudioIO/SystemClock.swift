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
