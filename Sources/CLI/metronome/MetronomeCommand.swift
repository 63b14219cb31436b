internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import Glibc
internal import Notation
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// `metronome 120`: plays a plan, or writes it to a file.
struct MetronomeCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play exact beats, or write them to a file.",
        usage: """
            metronome 120 --accent 4
            metronome 7/8 140 --accent 3+2+2 --sub 16th --swing 60
            metronome 80..160 over 32 bars --gap 3:1
            metronome song.map --render click.flac
            """,
        discussion: """
            The tempo is exact: 97.3 and 100/3 beats per minute are fractions, and beat k lies at the frame nearest to \
            k · 60 · rate / tempo for as long as it plays. Ctrl-C ends at once.
            """)

    @Argument(
        help: ArgumentHelp(
            "A tempo in beats per minute: 120, 97.3, 100/3; 4=140 counts quarters; 80..160/32b is a ramp (also beats, "
                + "s, m; then :time or :exp), and so is 80-120/10. A number of bars and a meter may precede it, and a "
                + "pattern may follow: 8 3/4 120 X.x. Or the name of a tempo map.", valueName: "tempo"))
    var typed: [String] = []

    @OptionGroup(title: "Beat") var beat: BeatOptions
    @OptionGroup(title: "Practice") var practice: PracticeOptions
    @OptionGroup(title: "Practice") var lists: ListOptions
    @OptionGroup(title: "Practice") var logging: LogOptions
    @OptionGroup(title: "Sound") var sounds: SoundOptions
    @OptionGroup(title: "Display") var looks: DisplayOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var period: PeriodOption
    @OptionGroup(title: "Listening") var hears: ListenOptions
    @OptionGroup(title: "Verification") var verification: VerificationOptions
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    /// The words of the tempo, with that of `--tempo` in its place: before a pattern.
    var words: [String] {
        guard let tempo = beat.tempo else { return typed }
        let isBeforePattern = typed.last.map(TempoWords.isPattern) ?? false
        return typed.dropLast(isBeforePattern ? 1 : 0) + [tempo] + typed.suffix(isBeforePattern ? 1 : 0)
    }

    func perform(_ settings: Settings) throws -> Int32 {
        if output.listCards || output.listNames { return try listDevices(.playback, cards: !output.listNames) }
        if output.listSounds { return try printLines(ClickSound.names) }
        for word in words {
            if let complaint = MetronomeProgram.complaint(aboutSubcommand: word) { throw complaint }
        }
        try checkVerification(settings)
        try hears.check(output, verification)
        if lists.listPresets {
            return try printLines(
                try SetList.presets()?.entries.map { "\($0.name): " + $0.words.joined(separator: " ") } ?? [])
        }
        guard let list = try readList() else { return try run(settings) }
        if lists.setList != nil,
            let file = output.render.map({ _ in "--render" }) ?? output.csv.map({ _ in "--csv" })
        {
            throw CommandError(
                .usage, "\(file) writes one plan, and --setlist has several", remedy: "write each by its own command")
        }
        // A line that cannot be played is told now, not on the stage.
        for entry in list.entries where lists.setList != nil { _ = try playing(entry, of: list.path) }
        return try playing(list.current, of: list.path).run(settings, list)
    }

    /// Plays or writes the plan.
    ///
    /// - Parameter list: the list that it comes from.
    private func run(_ settings: Settings, _ list: SetList? = nil) throws -> Int32 {
        let grid = try readPlan()
        let sounds = try sounds.read()
        if hears.hears {
            try checkListening(grid)
            for file in [output.csv, hears.plot] { if let file, file != "-" { try SmallFile.checkWritable(file) } }
        }
        if hears.follow { try checkFollowing(grid) }
        if let name = lists.presetToKeep {
            try SetList.keep(
                arguments(tempo: nil, sound: self.sounds.sound ?? ClickVoice.woodBlock.name, volume: 0), as: name)
            let left = Self.optionsNotKept(of: CommandLine.arguments.dropFirst())
            if !left.isEmpty {
                complain("not in the preset, to be given when it is played: " + left.joined(separator: ", "))
            }
            return ExitStatus.ok
        }
        if output.isDryRun { return try printLines(try firstBars(of: grid)) }
        if !hears.hears, output.render != nil || output.csv != nil {
            if let table = output.csv { try writeTable(grid, to: table) }
            if let render = output.render { try renderFile(grid, sounds, to: render) }
            return ExitStatus.ok
        }
        return try verification.verify ? verify(grid, sounds) : play(grid, sounds, settings, list)
    }

    private func checkListening(_ grid: PlanGrid) throws(CommandError) {
        guard sounds.sound != RecordedClick.countName || hears.headphones else {
            throw CommandError(
                .usage,
                "\(hears.follow ? "--follow" : "--listen") takes its own click out of what it hears, "
                    + "and no two words are alike",
                remedy: "use another --sound than \(RecordedClick.countName), or wear --headphones")
        }
        guard hears.until == nil || beat.step != nil || grid.plan.end != nil || grid.barCount != nil else {
            throw CommandError(
                .usage, "--until repeats a section, and this plan has no end", remedy: "add --bars 8, or --step")
        }
    }

    private func checkVerification(_ settings: Settings) throws(CommandError) {
        let silent =
            output.isDryRun
            ? "--dry-run" : output.render != nil ? "--render" : output.csv != nil && !hears.hears ? "--csv" : nil
        if verification.verify, let silent {
            throw CommandError(
                .usage, "--verify listens to what is played, and \(silent) plays nothing",
                remedy: "use one of them")
        }
        // A settings file may log what plays, and a rendering is none of it.
        if logging.log, settings.truth(of: "log", in: "metronome") == nil, let silent {
            throw CommandError(
                .usage, "--log logs what is played, and \(silent) plays nothing", remedy: "use one of them")
        }
        if verification.json && !verification.verify && !hears.hears {
            throw CommandError(.usage, "--json needs --listen, --follow or --verify", remedy: "add one of them")
        }
    }
}
