internal import ArgumentParser
internal import Configuration
internal import Music
internal import Notation
internal import Timebase

/// The metronome's command line.
struct MetronomeProgram: Program {
    static let configuration = CommandConfiguration(
        commandName: "metronome",
        abstract: "Play exact beats, or write them to a file.", version: productVersion,
        subcommands: subcommands.map { $0 }, defaultSubcommand: MetronomeCommand.self)

    static var subcommands: [any Subcommand.Type] {
        [
            MetronomeCommand.self, Calibrate.self, Verify.self, Review.self, FindTempo.self, LogCommand.self,
            ConfigCommand<MetronomeProgram>.self,
        ]
    }

    static let sharedSettings: Set<String> = ["device", "rate"]

    static let exclusiveSettings = [["bars", "for"], ["poly", "polymeter"], ["from", "label"], ["line", "big"]]

    /// A tempo map displaces the settings of the beat, and a tempo displaces a map.
    static func displacedSettings(of subcommand: any Subcommand.Type, given: [String]) -> Set<String> {
        if subcommand == FindTempo.self {
            return (try? FindTempo.parse(given))?.file == nil ? [] : ["input"]
        }
        guard subcommand == MetronomeCommand.self, let own = try? MetronomeCommand.parse(given) else { return [] }
        if own.hears.follow { return followed(given: own) }
        if (try? own.mapFile()) != nil { return Set(own.beat.optionsOfTheMap.map(\.name) + ["map"]) }
        guard !own.words.isEmpty else { return [] }
        // A tempo, a meter or a pattern alone leaves room for the tempo of the settings.
        var displaced: Set<String> =
            own.beat.tempo == nil && (try? TempoWords(parsing: own.words)) == nil ? [] : ["tempo"]
        displaced.formUnion(["map", "label"])
        // The words around the tempo say the same as these options.
        if let said = try? TempoWords(parsing: own.words) {
            if said.meter != nil { displaced.insert("meter") }
            if said.pattern != nil { displaced.insert("accent") }
            if said.bars != nil { displaced.formUnion(["bars", "for"]) }
        }
        return displaced
    }

    /// A player who leads displaces the settings that say how a plan goes on.
    private static func followed(given own: MetronomeCommand) -> Set<String> {
        [
            "map", "step", "bounce", "speed", "poly", "polymeter", "count-in", "gap", "mute", "bars", "from", "label",
            "until", own.words.isEmpty ? "tempo" : "",
        ]
    }

    /// A tempo below zero looks like an option; and options that other metronomes have.
    static func complaint(about words: [String]) -> CommandError? {
        if let number = words.first, number.hasPrefix("-"), number.dropFirst().first?.isNumber == true {
            do throws(CommandError) {
                _ = try read("tempo", number, Tempo.init(parsing:))
                return nil
            } catch { return error }
        }
        for option in words.prefix(while: { $0 != "--" }).map({ String($0.prefix { $0 != "=" }).lowercased() }) {
            let advice: String? =
                switch option {
                case "--list": "use -l for sound cards, --list-sounds or --list-presets"
                case "--signature", "--time-signature", "--time": "use --meter 7/8"
                case "--subdivision", "--subdivisions", "--division": "use --sub 8th"
                case "--accents", "--pattern": "use --accent 3+2+2"
                case "--output", "-o": "use --render FILE"
                case "--plot" where words.first == "verify": "`metronome verify FILE TEMPO --json` has the figures"
                default: nil
                }
            if let advice { return CommandError(.usage, "there is no option \(option) here", remedy: advice) }
        }
        return nil
    }

    /// The text of `--help`: one screen, examples first. `--help-all` and the manual page list all options.
    static let shortHelp = """
        Plays exact beats, or writes them to a file.

          metronome 120 --accent 4             four in a bar, the first accented
          metronome 7/8 140 --accent 3+2+2     a meter in groups
          metronome 80..160/32b --gap 3:1      faster, every fourth bar muted

        metronome [bars] [meter] tempo [pattern]    120, 97.3, 100/3, 80..160/32b
        metronome song.map                          play a tempo map
        metronome verify take.wav 120               check how well clicks keep time
        metronome review take.wav 120               how you played: early, late, rushing
        metronome tempo take.wav                    its tempo and beats; without a file, the microphone's
        metronome calibrate                         measure the clock of the sound card
        metronome log                               the practice log (--log, --piece NAME)
        metronome config                            print the settings; --example: a file
        A tempo counts beats of the meter: 7/8 140 is 140 eighths, 7/8 4=140 quarters.

          --accent 4, 3+2+2, X.x.   which beats stand out; --meter 7/8
          --sub 16th, --swing 60    divide the beat; --poly 3:4, --polymeter 4:3
          --step +5/4b..160         train speed; --bounce: and back
          --gap 3:1, --mute 20      mute bars in turn, beats at random
          --count-in 2, --bars N, --for 10m, --from BAR, --label NAME, --speed 0.8
          --setlist FILE, --preset NAME, --save NAME        songs and plans by name
          --follow                  keep with you: play four even notes, it comes in
          --listen                  hear how early or late you play; --until 10ms, --plot FILE
          --sound clave, --volume -6 (--list-sounds); --big, --flash, --line
          --render FILE             .wav .flac .ogg .mp3 .mid; --csv, --dry-run
          -D, --device PCM          -l and -L list them
        Keys while it plays: ? lists them. All options: --help-all, man metronome
        """
}
