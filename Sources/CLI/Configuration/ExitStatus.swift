package import TerminalUI

/// The exit statuses of the commands. The numbers are those of sysexits.h, if it has one.
package enum ExitStatus {
    /// Success, or the reader of the output has left.
    package static let ok: Int32 = 0
    /// The command line is wrong.
    package static let usage: Int32 = 2
    /// An input file is missing or cannot be used.
    package static let noInput: Int32 = 66
    /// There is no such sound device, or it cannot do what was asked.
    package static let noDevice: Int32 = 69
    /// The system has no thread, descriptor or memory left.
    package static let noResource: Int32 = 71
    /// The output cannot be written.
    package static let cannotWrite: Int32 = 73
    /// The sound device is busy or was lost.
    package static let deviceLost: Int32 = 75
    /// Ended by a signal: 128 plus its number, as in shells. Ctrl-C is 130.
    package static func ended(by signal: Int32) -> Int32 { 128 + signal }
}

/// Writes lines on standard output; returns the exit status.
package func printLines(_ lines: [String]) throws(OutputClosed) -> Int32 {
    var output = StandardOutput()
    try output.print(lines: lines)
    return ExitStatus.ok
}
