import ArgumentParser
import Configuration

/// The tuner's command line: what each subcommand does is in the files beside it.
@main
struct TunerCommand: Program {
    static let configuration = CommandConfiguration(
        commandName: "tuner",
        abstract: "Tells the note you play and how many cents it is off.",
        version: productVersion,
        subcommands: subcommands.map { $0 },
        defaultSubcommand: Listen.self)

    static var subcommands: [any Subcommand.Type] {
        [Listen.self, Analyze.self, Tone.self, Calibrate.self, ConfigCommand<TunerCommand>.self]
    }

    /// What is in tune holds for all.
    static var sharedSettings: Set<String> { Set(CommandOption.all(of: TuningOptions.self).map(\.name)) }

    static let exclusiveSettings = [["json", "csv", "summary"], ["scale", "temperament"]]

    /// `--help`: a screen, beginning with what to type. All options: `--help-all`, the man page.
    static let shortHelp = """
        Tells the note you play and how many cents it is off.

          tuner                                    listen to the microphone
          tuner --instrument guitar --tuning DADGAD
          tuner analyze take.flac --plot take.svg  a picture of a recording

        tuner [options] [file ... | -]   microphone; recordings; raw sound on stdin
        tuner analyze file ...           notes, intonation, drift, best A4
        tuner tone [note]                reference tones and drones
        tuner calibrate                  how fast the sound card really runs
        tuner config                     which settings hold; --example: a file of them

          -D, --device pcm         the ALSA device (-l and -L list them)
              --a4 hz|auto         300 to 600, or learnt from what is heard
              --temperament name   vallotti, just, 19edo (--list-temperaments); --key C
              --scale file.scl     a Scala scale; --mapping file.kbm
          -i, --instrument name    (--list-instruments); --tuning, --capo, --string
              --transpose name     "Bb clarinet", F: written notes and concert ones
              --names style        sharps, flats, german, solfege, japanese, korean ...
              --view name          needle, strobe or trail; --line keeps to one line
              --json, --csv        readings for programs
        Keys while it listens: ? lists them. All options: tuner --help-all
        """
}
