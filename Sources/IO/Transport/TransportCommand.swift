package import Platform
internal import Synchronization

/// What a player asks of the metronome from a device.
package struct TransportCommand: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        case start, stop, toggle, tap
        /// In the note value that the plan counts.
        case tempo(Double)
        case jump(bar: Int64)
        case section(String)
        /// Of the set list, from 0.
        case entry(Int)
    }

    package enum When: String, Sendable { case now, beat, bar }

    /// Chosen by the device: a command that is sent twice takes effect once.
    package let id: String
    package let action: Action
    package let when: When
    /// When the player pressed.
    package let pressed: MonotonicTime

    package init(id: String, action: Action, when: When, pressed: MonotonicTime) {
        (self.id, self.action, self.when, self.pressed) = (id, action, when, pressed)
    }
}

/// What became of a command.
package enum TransportOutcome: Sendable, Equatable {
    case done
    case refused(problem: String, remedy: String)
}

/// Commands on their way from the server's thread to the one that controls the metronome.
package final class TransportQueue: Sendable {
    private let commands = Mutex<[TransportCommand]>([])
    private let wake: WakeUp

    /// More at a time than a hall of players sends; what is beyond is refused.
    private static let capacity = 256

    /// Throws `ResourceError`.
    package init() throws(ResourceError) { wake = try WakeUp() }

    /// Readable when there are commands.
    package var descriptor: Int32 { wake.descriptor }

    /// Adds a command; false when too many wait.
    package func push(_ command: TransportCommand) -> Bool {
        let fits = commands.withLock {
            guard $0.count < Self.capacity else { return false }
            $0.append(command)
            return true
        }
        wake.ring()
        return fits
    }

    /// Takes all commands, the first one first.
    package func take() -> [TransportCommand] {
        wake.clear()
        return commands.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting
        }
    }
}
