import ArgumentParser
import Glibc
import PracticeLog

/// Writes sessions into a practice log until it is killed, and says which are done. For tests that kill it.
struct LogSessions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-sessions", abstract: "Writes sessions into a practice log until it is killed.")

    @Argument(help: "The database.") var path: String

    func run() throws {
        let log = try PracticeLog(path: path)
        var number: Int64 = 0
        while true {
            number += 1
            var session = PracticeSession(program: "metronome", began: Int64(getpid()), plan: "\(number)")
            let row = try log.add(session)
            for minute in 1...3 {
                session.length = .seconds(60 * minute)
                try log.update(row, to: session)
            }
            // Not by print, which keeps the text in a buffer that dies with the process.
            let line = "\(getpid()) \(number)\n"
            _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
        }
    }
}
