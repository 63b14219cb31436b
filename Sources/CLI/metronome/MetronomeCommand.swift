internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Glibc
internal import TerminalUI
internal import Timebase

/// `metronome 120`: a metronome whose beats stay where they belong.
struct MetronomeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play exact beats, or write them to a file.",
        usage: """
            metronome 120 --accent 4
            metronome 7/8 140 --accent 3+2+2 --sub 8th --swing 60
            metronome 80..160 over 32 bars --gap 3:1
            metronome song.map --render click.flac
            """,
        discussion: """
            The tempo is exact: 97.3 and 100/3 beats a minute are fractions, and beat k lies at the frame nearest to \
            k · 60 · rate / tempo for ever. Ctrl-C ends at once.
            """)

    @Argument(
        help: ArgumentHelp(
            "A tempo: 120, 97.3, 100/3, 8.=96, a ramp 80..160/32b (or beats, s, m; then :time or :exp), 80-120/10; "
                + "before it a number of bars and a meter, after it a pattern, as in 8 3/4 120 X.x. Or a tempo map.",
            valueName: "tempo"))
    var words: [String] = []

    @OptionGroup(title: "What is played") var beat: BeatOptions
    @OptionGroup(title: "How it is practised") var practice: PracticeOptions
    @OptionGroup(title: "How it sounds") var sounds: SoundOptions
    @OptionGroup(title: "How it looks") var looks: DisplayOptions
    @OptionGroup(title: "Where it goes") var output: OutputOptions
    @OptionGroup(title: "How it is verified") var verification: VerificationOptions
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    /// Does what was asked and returns the exit status.
    func perform(_ settings: Settings) throws -> Int32 {
        if output.listCards || output.listNames { return try output.listDevices() }
        if output.listSounds { return try printLines(soundList) }
        try checkVerification()
        let grid = try readPlan()
        if output.isDryRun || output.csv != nil { try sounds.check(sampleRate: try output.readRate() ?? 48_000) }
        if output.isDryRun { return try printLines(try firstBars(of: grid)) }
        if output.render != nil || output.csv != nil {
            if let table = output.csv { try writeTable(grid, to: table) }
            if let render = output.render { try renderFile(grid, to: render) }
            return ExitStatus.ok
        }
        return try verification.verify ? verify(grid) : play(grid)
    }

    private func checkVerification() throws(CommandError) {
        let silent =
            output.isDryRun ? "--dry-run" : output.render != nil ? "--render" : output.csv != nil ? "--csv" : nil
        if verification.verify, let silent {
            throw CommandError(
                "--verify hears what is played, and \(silent) plays nothing: leave out one of them",
                exitStatus: ExitStatus.usage)
        }
        if verification.json && !verification.verify {
            throw CommandError("--json is for --verify: add that", exitStatus: ExitStatus.usage)
        }
    }
}

/// Meter, accents, parts of the beat.
struct BeatOptions: ParsableArguments {
    @Option(
        name: .customLong("accent"), parsing: .unconditional,
        help: ArgumentHelp(
            "4: every 4th beat; 3+2+2: groups; X.x./X.xx: letters (X accent, o medium, x normal, . silent); 3,1,2,1: "
                + "levels; none; only.", valueName: "ACC"))
    var accent: String?

    @Option(help: ArgumentHelp("4/4, 7/8, 2+2+3/8. The tempo then counts quarters.", valueName: "METER"))
    var meter: String?

    @Option(
        name: .customLong("sub"),
        help: ArgumentHelp(
            "Parts of a beat: 1 to 12, or as a quarter has them: 8th (2), triplet, 16th, quintuplet, sextuplet, "
                + "septuplet, 32nd; with levels: 4:0101.", valueName: "N"))
    var subdivision: String?

    @Option(
        help: ArgumentHelp(
            "50 to 75 percent, or 2:1, for each pair of parts (8ths by default; other parts in even numbers).",
            valueName: "S"))
    var swing: String?

    @Option(
        help: ArgumentHelp(
            "A against B (and C) in the same bar: 3:4. The number that is the bar's beats is the beat itself.",
            valueName: "A:B"))
    var poly: String?

    @Option(help: ArgumentHelp("Bars of A and of B beats over the same beat: 4:3.", valueName: "A:B"))
    var polymeter: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A speed trainer: +5/4b..160 adds 5 every 4 bars up to 160.", valueName: "STEP"))
    var step: String?

    @Flag(help: "A ramp or --step comes back by the way it went.")
    var bounce = false

    @Option(
        name: [.customShort("f"), .customLong("map")],
        help: ArgumentHelp("Read a tempo map (klick's format and ours).", valueName: "FILE"))
    var map: String?

    @Option(
        name: [.customShort("x"), .customLong("speed")],
        help: ArgumentHelp("Multiply all tempi: 0.8 or 4/5.", valueName: "FACTOR"))
    var speed: String?
}

/// Count-in, gaps, where to begin and to end.
struct PracticeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Bars before the first: 2, or 4beats.", valueName: "N"))
    var countIn: String?

    @Option(
        help: ArgumentHelp(
            "Play P bars, mute M: 3:1, widening 3:1..1:3; or random:30 as --mute 30.", valueName: "P:M"))
    var gap: String?

    @Option(help: ArgumentHelp("Leave out beats at random: 30 percent, or 0..50/32b growing.", valueName: "PCT"))
    var mute: String?

    @Option(help: ArgumentHelp("Chooses the beats that are left out. [random]", valueName: "N"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("End after N bars.", valueName: "N"))
    var bars: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time: 90, 90s, 10m, 1h30m or 2:30.", valueName: "TIME"))
    var duration: String?

    @Option(name: .customLong("from"), help: ArgumentHelp("Begin at this bar.", valueName: "BAR"))
    var firstBar: Int64?

    @Option(help: ArgumentHelp("Begin at this label of the tempo map.", valueName: "NAME"))
    var label: String?
}

/// What a terminal shows.
struct DisplayOptions: ParsableArguments {
    @Flag(help: "One line, redrawn in place, instead of the full display.")
    var line = false

    @Flag(help: "The number of the beat as large as the screen, to be read across a room.")
    var big = false

    @Flag(
        help: """
            Fill the screen with light on the beats that sound, at most 3 times a second. Flashing light can bring on \
            seizures in people with photosensitive epilepsy.
            """)
    var flash = false
}

/// Whether what sounds is listened to.
struct VerificationOptions: ParsableArguments {
    @Flag(
        help: """
            Hear what is played, by loop-back or a microphone, and tell at the end how well it kept time: drift, jitter, \
            lost and extra clicks, xruns, latency. Half a minute, unless the plan ends.
            """)
    var verify = false

    @Option(help: "With --verify: the ALSA device that listens.")
    var input = "default"

    @Flag(help: "With --verify: a JSON object.")
    var json = false
}

/// The device, or a file.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("W"), .customLong("render")],
        help: ArgumentHelp(
            "Write the clicks to a file instead of playing them: .wav (float), .flac, .ogg, .mp3, or .mid (Standard "
                + "MIDI File); - is a WAV stream on standard output. One minute, unless the plan ends.",
            valueName: "FILE"))
    var render: String?

    @Option(help: ArgumentHelp("Bits of a sample of .wav (16, 24, or 32 for float) or .flac (16, 24).", valueName: "N"))
    var bits: Int?

    @Option(help: ArgumentHelp("Write a table of all strokes (- for standard output).", valueName: "FILE"))
    var csv: String?

    @Flag(name: .customLong("dry-run"), help: "Print the first bars as text, and end.")
    var isDryRun = false

    @Option(name: [.customShort("D"), .customLong("device")], help: "The ALSA device that plays.")
    var device = "default"

    @Flag(name: [.customShort("l"), .customLong("list-devices")], help: "List the sound cards that can play.")
    var listCards = false

    @Flag(name: [.customShort("L"), .customLong("list-pcms")], help: "List the names that --device takes.")
    var listNames = false

    @Flag(help: "List the sounds that --sound takes, and end.")
    var listSounds = false

    @Option(
        name: [.customShort("r"), .customLong("rate")],
        help: ArgumentHelp(
            "Frames per second; below 300 it means thousands. [48000, or what the card has]", valueName: "HZ"))
    var rate: Int?

    @Option(name: [.customShort("c"), .customLong("channels")], help: ArgumentHelp("Channels.", valueName: "N"))
    var channels: Int?

    @Option(help: ArgumentHelp("Play on this channel only, from 1; otherwise on all.", valueName: "N"))
    var channel: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How much faster the sound card's clock runs than it says, in ppm. [as `calibrate` measured it]",
            valueName: "PPM"))
    var clock: Double?

    @Flag(name: [.customShort("v"), .customLong("verbose")], help: "Tell about the device and the rendering.")
    var isVerbose = false
}
