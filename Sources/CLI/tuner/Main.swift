import ArgumentParser
import Glibc
import TerminalUI

/// Where the program begins and ends: every way out goes through here with its own exit status.
@main
enum Main {
    static func main() {
        StandardOutput.ignoreClosedPipes()
        do {
            let parsed = try TunerCommand.parseAsRoot()
            if let command = parsed as? TunerCommand { exit(try command.perform()) }
            var other = parsed
            try other.run()
            exit(ExitStatus.ok)
        } catch let closed as OutputClosed {
            exit(closed.explain(for: "tuner"))
        } catch {
            // Help and version are errors too, in the parser's way of speaking; they belong on standard output.
            if TunerCommand.exitCode(for: error).isSuccess {
                print(TunerCommand.fullMessage(for: error))
                exit(ExitStatus.ok)
            }
            let (message, status) = TunerCommand.explain(error)
            complain("tuner", message)
            exit(status)
        }
    }
}
