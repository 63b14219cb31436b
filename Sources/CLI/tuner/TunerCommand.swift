import ArgumentParser
import Configuration

/// The tuner's command line. The subcommands are in their own files.
@main
struct TunerCommand: Program {
    static let configuration = CommandConfiguration(
        commandName: "tuner",
        abstract: "Show the note you play and its deviation in cents.", version: productVersion,
        subcommands: subcommands.map { $0 }, defaultSubcommand: Listen.self)

    static var subcommands: [any Subcommand.Type] {
        [Listen.self, Analyze.self, Transcribe.self, Tone.self, Calibrate.self, ConfigCommand<TunerCommand>.self]
    }

    /// The tuning applies to all subcommands.
    static var sharedSettings: Set<String> { Set(CommandOption.all(of: TuningOptions.self).map(\.name)) }

    static let exclusiveSettings = [
        ["json", "csv"], ["scale", "temperament"], ["strum", "summary"], ["strum", "string"],
        ["strum", "view"],
    ]

    /// `--help`: one screen that starts with examples. `--help-all` and the man page list all options.
    static let shortHelp = """
        Shows the note you play and its deviation in cents.

          tuner -i guitar                          tune a guitar by the microphone
          tuner --instrument guitar --tuning DADGAD
          tuner analyze take.flac --plot take.svg  draw a recording

        tuner [options] [file ... | -]   microphone, recordings, or raw sound on stdin
        tuner analyze file ...           notes, intonation, drift, best A4
        tuner transcribe [file ...]      write down a melody: table, MIDI, MusicXML
        tuner tone [note ...]            play reference tones or a drone
        tuner calibrate                  measure the sound card's clock
        tuner config                     print the settings, or --example settings

          -D, --device pcm         ALSA device (-l and -L list them)
              --a4 hz|auto         A4 from 300 to 600 Hz, or learnt from the sound
              --temperament name   vallotti, just, 19edo (--list-temperaments); --key C
              --scale file.scl     Scala scale; --mapping file.kbm
          -i, --instrument name    (--list-instruments); --tuning, --capo, --string
              --strum              all strings by one strum, also of recordings
              --transpose name     "Bb clarinet", F: show written and concert notes
              --names style        sharps, flats, german, solfege, japanese, korean, ...
              --tolerance cents    in tune up to this (2); --response fast|steady|slow
              --view name          needle, strobe, trail or notes; --line uses one line
              --json, --csv        readings for scripts
        Press ? for the keys while it listens. All options: tuner --help-all
        """
}
