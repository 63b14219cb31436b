internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import TerminalUI

/// The metronome's command line: what each subcommand does is in the files beside it.
struct Metronome: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metronome",
        abstract: "Play exact beats, or write them to a file.",
        version: "0.1.0",
        subcommands: subcommands.map { $0.type },
        defaultSubcommand: MetronomeCommand.self)

    /// The subcommands with the name of their table of settings; the first is meant where none is named.
    static var subcommands: [(table: String, type: any MetronomeSubcommand.Type)] {
        [("metronome", MetronomeCommand.self), ("metronome.config", Config.self)]
    }

    /// `--help`: a screen, beginning with what to type. All options: `--help-all`, the man page.
    static let shortHelp = """
        Plays exact beats, or writes them to a file.

          metronome 120 --accent 4             four in a bar, the first accented
          metronome 7/8 140 --accent 3+2+2     a meter in groups
          metronome 80..160/32b --gap 3:1      faster, every fourth bar silent

        metronome [bars] [meter] tempo [pattern]    120, 97.3, 100/3, 80..160/32b
        metronome song.map                          a tempo map, klick's or ours
        metronome config                            settings; --example: a file

          --accent 4, 3+2+2, X.x.   which beats stand out; --meter 7/8
          --sub 8th, --swing 60     parts of a beat; --poly 3:4, --polymeter 4:3
          --step +5/4b..160         a speed trainer; --bounce: and back
          --gap 3:1, --mute 20      bars left out, beats left out at random
          --count-in 2, --bars N, --for 10m, --from BAR, --label NAME, --speed 0.8
          --sound clave, --volume -6        --list-sounds
          --big, --flash, --line    what the terminal shows
          --render FILE             .wav .flac .ogg .mp3 .mid; --csv, --dry-run
          -D, --device PCM          -l and -L list them
        Keys while it plays: space, arrows, digits, t to tap; ? lists them.
        All options: metronome --help-all, man metronome
        """
}

/// A subcommand that ends with an exit status of its own.
protocol MetronomeSubcommand: ParsableCommand {
    /// Does what was asked; returns the exit status.
    func perform(_ settings: Settings) throws -> Int32
}
