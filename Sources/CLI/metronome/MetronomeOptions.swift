internal import ArgumentParser
internal import DeviceCalibration
internal import Music
internal import Timebase

/// Meter, accents, parts of the beat.
struct BeatOptions: ParsableArguments {
    @Option(
        name: [.customLong("tempo"), .customLong("bpm")],
        help: ArgumentHelp("Use this tempo; the same as the argument.", valueName: "TEMPO"))
    var tempo: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Accent these beats: 4 accents every 4th beat, 3+2+2 the first of each group; X.x./X.xx gives a letter "
                + "for each beat of each bar (\(AccentLevel.legend)), 3,1,2,1 a level; none; only.",
            valueName: "ACC"))
    var accent: String?

    @Option(
        help: ArgumentHelp(
            "Use this meter: 4/4, 7/8, 2+2+3/8. The tempo counts its beats: 7/8 140 is 140 eighths per minute, 7/8 4=140 "
                + "is 140 quarters.", valueName: "METER"))
    var meter: String?

    @Option(
        name: .customLong("sub"),
        help: ArgumentHelp(
            "Divide each beat: into 1 to 12 parts; into notes (quarter, 8th, 16th, 32nd: in 7/8, 16th makes two of "
                + "a beat); or into a triplet, quintuplet, sextuplet or septuplet. 4:0101 adds the level of each part.",
            valueName: "N"))
    var subdivision: String?

    @Option(
        help: ArgumentHelp(
            "Swing each pair of parts: 50 to 75 percent, or a ratio such as 2:1. Without --sub, a beat has two parts.",
            valueName: "S"))
    var swing: String?

    @Option(
        help: ArgumentHelp(
            "Play A against B (and C) evenly in the same bar: 3:4. The number of beats of the bar is the beat itself.",
            valueName: "A:B"))
    var poly: String?

    @Option(help: ArgumentHelp("Play bars of A beats against bars of B beats: 4:3.", valueName: "A:B"))
    var polymeter: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Train speed: +5/4b..160 adds 5 beats per minute every 4 bars, up to 160.", valueName: "STEP"))
    var step: String?

    @Flag(help: "Return from the end of a ramp or of --step to its start.")
    var bounce = false

    @Option(
        name: [.customShort("f"), .customLong("map")],
        help: ArgumentHelp("Play a tempo map, in klick's format or its extension.", valueName: "FILE"))
    var map: String?

    @Option(
        name: [.customShort("x"), .customLong("speed")],
        help: ArgumentHelp("Multiply all tempi by a factor: 0.8 or 4/5.", valueName: "FACTOR"))
    var speed: String?
}

/// Count-in, gaps, start and end.
struct PracticeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Count in this many bars (2) or beats (4beats).", valueName: "N"))
    var countIn: String?

    @Option(
        help: ArgumentHelp(
            "Play P bars and mute M, in turn: 3:1. 3:1..1:3 changes bar by bar; random:30 is --mute 30.",
            valueName: "P:M"))
    var gap: String?

    @Option(
        help: ArgumentHelp(
            "Mute beats at random: 30 percent of them, or 0..50/32b for a growing share.", valueName: "PCT"))
    var mute: String?

    @Option(help: ArgumentHelp("Seed the choice of muted beats, to repeat it. [random]", valueName: "N"))
    var seed: UInt64?

    @Option(help: ArgumentHelp("Stop after N bars.", valueName: "N"))
    var bars: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop after this time: 90, 90s, 10m, 1h30m or 2:30.", valueName: "TIME"))
    var duration: String?

    @Option(name: .customLong("from"), help: ArgumentHelp("Start at this bar.", valueName: "BAR"))
    var firstBar: Int64?

    @Option(help: ArgumentHelp("Start at this label of the tempo map.", valueName: "NAME"))
    var label: String?
}

/// Plans by name.
struct ListOptions: ParsableArguments {
    @Option(
        name: .customLong("setlist"),
        help: ArgumentHelp(
            "Play the entries of a set list, one per line: \"name: 120 --accent 4\". The keys n and N step through it.",
            valueName: "FILE"))
    var setList: String?

    @Option(
        help: ArgumentHelp(
            "Play the preset of this name; the keys n and N step through all presets.", valueName: "NAME"))
    var preset: String?

    @Option(
        name: .customLong("save"),
        help: ArgumentHelp(
            "Keep this plan as the preset of this name, and end. The key w does it while it plays.", valueName: "NAME"))
    var presetToKeep: String?

    @Flag(help: "List the presets.")
    var listPresets = false
}

/// The practice log.
struct LogOptions: ParsableArguments {
    @Flag(help: "Log this session; metronome log shows the log.")
    var log = false

    @Option(help: ArgumentHelp("Log it as practice of this piece.", valueName: "NAME"))
    var piece: String?
}

/// What the terminal shows.
struct DisplayOptions: ParsableArguments {
    @Flag(help: "Show one line instead of the full display.")
    var line = false

    @Flag(help: "Show the number of the beat as large as the screen.")
    var big = false

    @Flag(
        help: """
            Flash the screen on audible beats, at most 3 times per second. Flashing light can trigger seizures in people \
            with photosensitive epilepsy.
            """)
    var flash = false
}

/// Whether the command listens to what it plays.
struct VerificationOptions: ParsableArguments {
    @Flag(
        help: """
            Record what is played, by loop-back or microphone, and report how well it kept time: drift, jitter, lost and \
            extra clicks, xruns, latency. Plays for half a minute unless the plan ends.
            """)
    var verify = false

    @Option(help: "Use this ALSA device to record for --verify, --listen and --follow.")
    var input = "default"

    @Flag(help: "Report --verify as a JSON object, each note of --listen, and each beat of --follow.")
    var json = false
}

/// The device, or a file.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("W"), .customLong("render")],
        help: ArgumentHelp(
            "Write the clicks to a file instead of playing them: .wav (float), .flac, .ogg, .mp3, or .mid (Standard "
                + "MIDI File); - writes WAV to standard output. Ends after one minute unless the plan ends.",
            valueName: "FILE"))
    var render: String?

    @Option(
        help: ArgumentHelp(
            "Set the bits per sample: 16, 24 or 32 (float) for .wav, 16 or 24 for .flac.", valueName: "N"))
    var bits: Int?

    @Option(
        help: ArgumentHelp(
            "Write all strokes to a CSV file (- for standard output); with --listen or --follow, the notes.",
            valueName: "FILE"))
    var csv: String?

    @Flag(name: .customLong("dry-run"), help: "Print the first bars as text instead of playing them.")
    var isDryRun = false

    @Option(name: [.customShort("D"), .customLong("device")], help: "Play on this ALSA device.")
    var device = "default"

    @Flag(name: [.customShort("l"), .customLong("list-devices")], help: "List the sound cards that can play.")
    var listCards = false

    @Flag(name: [.customShort("L"), .customLong("list-pcms")], help: "List the names that --device takes.")
    var listNames = false

    @Flag(help: "List the sounds that --sound takes.")
    var listSounds = false

    @Option(
        name: [.customShort("r"), .customLong("rate")],
        help: ArgumentHelp(
            "\(rateHelp) [48000, or the rate of the card]", valueName: "HZ"), transform: Hertz.rate)
    var rate: Hertz?

    @Option(
        name: [.customShort("c"), .customLong("channels")],
        help: ArgumentHelp("Set the number of channels.", valueName: "N"))
    var channels: Int?

    @Option(help: ArgumentHelp("Play on one channel only, counted from 1.", valueName: "N"))
    var channel: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Correct for a sound card that runs this many ppm fast. [as `calibrate` measured]",
            valueName: "PPM"), transform: PartsPerMillion.clock)
    var clock: PartsPerMillion?

    @Flag(name: [.customShort("v"), .customLong("verbose")], help: "Print details of the device and of rendering.")
    var isVerbose = false

    func validate() throws {
        for (option, count) in [("--channels", channels), ("--channel", channel)] {
            guard let count, !(1...256).contains(count) else { continue }
            throw ValidationError("\(option) must be between 1 and 256, not \(count).")
        }
    }
}
