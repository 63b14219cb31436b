internal import ArgumentParser
internal import AudioIO
internal import Glibc
internal import TerminalUI
internal import Timebase

/// A metronome whose beats stay where they belong.
@main
struct MetronomeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metronome",
        abstract: "Play exact beats, or write them to a file.",
        usage: """
            metronome 120 --accent 4
            metronome 97.3 --accent 3 --render click.wav --for 10m
            metronome 100/3 -D hw:0 -v
            """,
        discussion: """
            The tempo is exact: 97.3 and 100/3 beats a minute are fractions, and beat k lies at the frame nearest to \
            k · 60 · rate / tempo for ever. Ctrl-C ends at once.
            """,
        version: "metronome 0.1")

    @Argument(help: "Beats per minute, 1 to 1000: 120, 97.3 or 100/3.")
    var tempo: String?

    @Option(
        name: .customLong("accent"), parsing: .unconditional,
        help: ArgumentHelp("Accent every Nth beat; a bar has N beats.", valueName: "N"))
    var accent = "4"

    @Option(help: ArgumentHelp("End after N bars.", valueName: "N"))
    var bars: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time: 90, 90s, 10m, 1h30m or 2:30.", valueName: "TIME"))
    var duration: String?

    @Option(
        help: ArgumentHelp(
            "Write the clicks to a file instead of playing them: .wav (float), .flac, .ogg or .mp3. One minute, unless "
                + "--bars or --for say otherwise.", valueName: "FILE"))
    var render: String?

    @Option(name: [.customShort("D"), .customLong("device")], help: "The ALSA device that plays.")
    var device = "default"

    @Flag(name: [.customShort("l"), .customLong("list-devices")], help: "List the sound cards that can play.")
    var listCards = false

    @Flag(name: [.customShort("L"), .customLong("list-pcms")], help: "List the names that --device takes.")
    var listNames = false

    @Option(
        name: [.customShort("r"), .customLong("rate")],
        help: ArgumentHelp(
            "Frames per second; below 300 it means thousands. [48000, or what the card has]", valueName: "HZ"))
    var rate: Int?

    @Option(name: [.customShort("c"), .customLong("channels")], help: ArgumentHelp("Channels.", valueName: "N"))
    var channels: Int?

    @Flag(name: [.customShort("v"), .customLong("verbose")], help: "Tell about the device and the rendering.")
    var isVerbose = false

    static func main() {
        StandardOutput.ignoreClosedPipes()
        let status: Int32
        do {
            status = try parsed(Array(CommandLine.arguments.dropFirst())).perform()
        } catch let error as CommandError {
            complain("metronome", error.message)
            status = error.exitStatus
        } catch let error as AudioError {
            complain("metronome", error.message)
            status = error.exitStatus
        } catch is OutputClosed {
            status = ExitStatus.ok
        } catch {
            complain("metronome", "\(error)")
            status = 70
        }
        Glibc.exit(status)
    }

    /// The command that the words on the line make, or the sentence that tells what is wrong with them.
    private static func parsed(_ arguments: [String]) throws -> MetronomeCommand {
        do {
            return try parse(arguments)
        } catch {
            guard exitCode(for: error) != .success else {
                print(fullMessage(for: error))
                Glibc.exit(ExitStatus.ok)
            }
            // A tempo below zero looks like an option; say what it is.
            if let number = arguments.first, number.hasPrefix("-"), number.dropFirst().first?.isNumber == true {
                let reason = notationMessage("tempo") { () throws(NotationError) in _ = try Tempo(parsing: number) }
                throw CommandError(reason ?? "'\(number)' is no tempo", exitStatus: ExitStatus.usage)
            }
            throw CommandError(
                "\(message(for: error)): see metronome --help".replacing("\n", with: " "), exitStatus: ExitStatus.usage)
        }
    }

    /// Does what was asked and returns the exit status.
    private func perform() throws -> Int32 {
        if listCards || listNames { return try listDevices(names: listNames) }
        let plan = try readPlan()
        if let render { return try renderFile(plan, to: render) }
        return try play(plan)
    }
}
