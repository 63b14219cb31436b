internal import Glibc
package import Platform
internal import TerminalUI

extension SignalWatch {
    /// A watch that restores the terminal and ends the program, with the same status, where the main loop is stuck. Throws
    /// `ResourceError`.
    package convenience init() throws {
        let terminal = TerminalState()
        try self.init { signal in
            terminal.restore()
            _exit(ExitStatus.ended(by: signal))
        }
    }

    /// Acts on the signals that have come; returns the exit status when one of them ends the program.
    ///
    /// - Parameter pausing: acts on Ctrl-Z: restores the terminal and calls `pause`.
    package func status<Failure>(pausing: () throws(Failure) -> Void) throws(Failure) -> Int32? {
        try endingSignal(pausing: pausing).map(ExitStatus.ended)
    }
}
