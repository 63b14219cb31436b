internal import Configuration
internal import Glibc
internal import Music
internal import PracticeLog
internal import SQLite
internal import TerminalUI

/// The question whether to keep a practice log. It is asked once, after a session of a minute or more.
enum PracticeQuestion {
    private static let leastSession = Duration.seconds(60)

    /// Whether a session is logged: by the option, the settings or the player's answer.
    ///
    /// - Parameters:
    ///   - given: whether `--log` is given, or set to true.
    ///   - settings: what the settings say, if anything.
    static func isLogged(given: Bool, settings: Bool?) -> Bool {
        if given { return true }
        if settings == false || !PracticeLog.exists() { return false }
        return ((try? PracticeLog().isWanted) ?? nil) ?? false
    }

    /// Asks on the terminal, if it was never asked, and logs the session after a yes.
    static func ask(about session: PracticeSession, settings: Bool?) {
        guard settings == nil, session.length >= leastSession, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1,
            (try? PracticeLog.exists() ? PracticeLog().isWanted : nil) == .some(.none)
        else { return }
        let question =
            "Log your practice on this machine? `metronome log` shows it, `metronome log --off` ends it. [y/N] "
        question.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
        guard let answer = readLine() else { return }
        let isWanted = ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
        do throws(DatabaseError) {
            let log = try PracticeLog()
            try log.want(isWanted)
            if isWanted { _ = try log.add(session) }
        } catch {
            complain(error.message)
        }
    }
}
