internal import ArgumentParser
internal import AudioIO
internal import Glibc
internal import TerminalUI
internal import Timebase

/// Where the program begins and ends: every way out goes through here with its own exit status.
@main
enum Main {
    static func main() {
        StandardOutput.ignoreClosedPipes()
        do {
            exit(try parsed(Array(CommandLine.arguments.dropFirst())).perform())
        } catch let error as CommandError {
            complain("metronome", error.message)
            exit(error.exitStatus)
        } catch let error as AudioError {
            complain("metronome", error.message)
            exit(error.exitStatus)
        } catch let closed as OutputClosed {
            exit(closed.explain(for: "metronome"))
        } catch {
            complain("metronome", "\(error)")
            exit(70)
        }
    }

    /// The command that the words on the line make, or the sentence that tells what is wrong with them.
    private static func parsed(_ arguments: [String]) throws -> MetronomeCommand {
        do {
            return try MetronomeCommand.parse(arguments)
        } catch {
            guard MetronomeCommand.exitCode(for: error) != .success else {
                print(MetronomeCommand.fullMessage(for: error))
                exit(ExitStatus.ok)
            }
            // A tempo below zero looks like an option; say what it is.
            if let number = arguments.first, number.hasPrefix("-"), number.dropFirst().first?.isNumber == true {
                let reason = complaint("tempo") { () throws(NotationError) in _ = try Tempo(parsing: number) }
                throw CommandError(reason ?? "'\(number)' is no tempo", exitStatus: ExitStatus.usage)
            }
            let message = MetronomeCommand.message(for: error).split(separator: "\n").joined(separator: " ")
            throw CommandError("\(message): see metronome --help", exitStatus: ExitStatus.usage)
        }
    }
}
