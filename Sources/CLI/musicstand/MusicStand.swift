internal import ArgumentParser
internal import Configuration
internal import MetronomeCLI

/// The music stand's command line.
struct MusicStandProgram: Program {
    static let configuration = CommandConfiguration(
        commandName: "musicstand",
        abstract: "Show scores on tablets and phones, in step with the metronome.", version: productVersion,
        subcommands: subcommands.map { $0 }, defaultSubcommand: MusicStandCommand.self)

    static var subcommands: [any Subcommand.Type] {
        [MusicStandCommand.self, ConfigCommand<MusicStandProgram>.self]
    }

    static let sharedSettings: Set<String> = []

    static var exclusiveSettings: [[String]] { MetronomeArguments.exclusiveSettings }

    static func displacedSettings(of subcommand: any Subcommand.Type, given: [String]) -> Set<String> {
        guard subcommand == MusicStandCommand.self else { return [] }
        // The folder stands before what the metronome takes.
        return MetronomeArguments.displacedSettings(given: Array(given.dropFirst()))
    }

    static func complaint(about words: [String]) -> CommandError? { MetronomeArguments.complaint(about: words) }

    static func completion(of argument: String, in subcommand: String, given: [String]) -> Completion? {
        switch argument {
        case "scores": .files([])
        case "log-heard": .files(["jsonl"])
        case "tls-certificate", "tls-key": .files(["pem", "crt", "key"])
        case "port": .words(["8462"])
        default: MetronomeArguments.completion(of: argument, given: given)
        }
    }

    /// The text of `--help`: one screen, examples first. `--help-all` and the manual page list all options.
    static let shortHelp = """
        Shows scores on tablets and phones, in step with the metronome that it plays.

          musicstand scores/ 120 --accent 4        open the address that it shows
          musicstand scores/ song.map --lan        other devices on the network too: scan the code
          musicstand scores/ --setlist gig.txt     the score of each entry's name

        musicstand FOLDER [all that metronome takes]

        The page scrolls with the beat that is heard, and turns by itself. Any device starts, stops, taps and jumps;
        what one writes on the page, all of them see. Nothing leaves the local network.

          --lan                     let other devices on the network connect, with the key in the code
          --read-only               devices show, and change nothing
          --port N                  listen on this port [8462]
          --allow-host NAME         answer to this name too
          --keep-token              use the same key at the next start
          --log-heard FILE          write each beat with the moment it was heard
        Keys, tempi, sounds and all else are the metronome's: man metronome. All options: --help-all, man musicstand
        """
}
