internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import Glibc
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
    var words: [String] = []

    @OptionGroup(title: "Beat") var beat: BeatOptions
    @OptionGroup(title: "Practice") var practice: PracticeOptions
    @OptionGroup(title: "Sound") var sounds: SoundOptions
    @OptionGroup(title: "Display") var looks: DisplayOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var period: PeriodOption
    @OptionGroup(title: "Verification") var verification: VerificationOptions
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func perform(_ settings: Settings) throws -> Int32 {
        if output.listCards || output.listNames { return try listDevices(.playback, cards: !output.listNames) }
        if output.listSounds { return try printLines(ClickVoice.all.map(\.name)) }
        try checkVerification()
        let grid = try readPlan()
        let sounds = try sounds.read()
        if output.isDryRun { return try printLines(try firstBars(of: grid)) }
        if output.render != nil || output.csv != nil {
            if let table = output.csv { try writeTable(grid, to: table) }
            if let render = output.render { try renderFile(grid, sounds, to: render) }
            return ExitStatus.ok
        }
        return try verification.verify ? verify(grid, sounds) : play(grid, sounds)
    }

    private func checkVerification() throws(CommandError) {
        let silent =
            output.isDryRun ? "--dry-run" : output.render != nil ? "--render" : output.csv != nil ? "--csv" : nil
        if verification.verify, let silent {
            throw CommandError(
                .usage, "--verify listens to what is played, and \(silent) plays nothing",
                remedy: "use one of them")
        }
        if verification.json && !verification.verify {
            throw CommandError(.usage, "--json needs --verify", remedy: "add --verify")
        }
    }
}
