internal import ArgumentParser
internal import Configuration
internal import Music

/// Whether the metronome hears the player.
struct ListenOptions: ParsableArguments {
    @Flag(
        help: """
            Hear how you play, through a microphone: how early or late each note is, mean, spread and tendency. Counts in \
            two bars, which teach it its own click.
            """)
    var listen = false

    @Flag(
        help: """
            Follow a player: silent until four even notes, taps or claps are heard, the click then comes in on the fifth \
            and keeps with the player. A tempo given is about the one of the start. After four bars without a note on the \
            beat it falls silent, and waits for four notes again.
            """)
    var follow = false

    @Flag(help: "With --listen and --follow: the microphone does not hear the click.")
    var headphones = false

    @Option(
        help: ArgumentHelp(
            "With --listen: repeat the section until the spread of its notes is below this, as in 10ms; with --step, raise the "
                + "tempo only then.", valueName: "SPREAD"))
    var until: String?

    @Option(
        help: ArgumentHelp(
            "With --listen and --follow: draw lateness, histograms and dynamics.", valueName: "FILE.svg"))
    var plot: String?

    func validate() throws {
        if let plot, !plot.lowercased().hasSuffix(".svg") {
            throw ValidationError("--plot draws SVG: \"\(plot)\" must end in .svg.")
        }
    }

    /// Whether a microphone is open while it plays.
    var hears: Bool { listen || follow }

    /// The spread of `--until`.
    func limit() throws(CommandError) -> Duration? {
        guard let until else { return nil }
        guard let value = number(until, unit: "ms"), (0.1...1_000).contains(value) else {
            throw CommandError(
                .usage, "--until '\(until)' is not a spread", remedy: "use milliseconds from 0.1 to 1000, as in 10ms")
        }
        return .seconds(value / 1_000)
    }

    /// Refuses what makes no sense without `--listen`.
    func check(_ output: OutputOptions, _ verification: VerificationOptions) throws(CommandError) {
        for (option, isGiven) in [("--headphones", headphones), ("--until", until != nil), ("--plot", plot != nil)]
        where isGiven && !hears {
            throw CommandError(.usage, "\(option) needs --listen", remedy: "add --listen")
        }
        guard hears else { return }
        if follow && listen { throw .excluding("--follow", "--listen") }
        if follow && until != nil { throw .excluding("--follow", "--until") }
        let mode = follow ? "--follow" : "--listen"
        _ = try limit()
        if verification.verify { throw .excluding(mode, "--verify") }
        if output.isDryRun { throw .excluding(mode, "--dry-run") }
        if output.render != nil { throw .excluding(mode, "--render") }
    }
}
