internal import Synchronization

/// The command that runs, for messages of code that several commands share.
package enum RunningCommand {
    private static let stored = Mutex("metronome")

    /// Its name: what messages begin with.
    package static var name: String {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
