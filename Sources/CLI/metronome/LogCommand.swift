internal import ArgumentParser
internal import Configuration
internal import Platform
internal import PracticeLog
internal import TerminalUI

/// `metronome log`: the practice log.
struct LogCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show the practice log: sessions, weeks, pieces.",
        usage: """
            metronome log
            metronome log --piece "Bourrée" --plot progress.svg
            metronome log --export csv > practice.csv
            """,
        discussion: """
            A session is logged with metronome 120 --log, with log = true in the settings file, or always after \
            metronome log --on. The log is a file of yours, $XDG_DATA_HOME/well-tempered/practice.sqlite; nothing \
            leaves this machine.
            """)

    /// What the log is written as.
    enum Export: String, CaseIterable, ExpressibleByArgument { case csv, json }

    @Option(help: ArgumentHelp("Show only the sessions of this piece.", valueName: "NAME"))
    var piece: String?

    @Option(help: ArgumentHelp("Show this many of the newest sessions and weeks.", valueName: "N"))
    var last = 10

    @Option(help: ArgumentHelp("Draw tempo, spread and time over the weeks.", valueName: "FILE.svg"))
    var plot: String?

    @Option(help: ArgumentHelp("Write all sessions as csv, or as json with one object per line.", valueName: "FORMAT"))
    var export: Export?

    @Flag(help: "Log every session from now on.")
    var on = false

    @Flag(help: "Log no session from now on, and do not ask again.")
    var off = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if last < 1 { throw ValidationError("--last counts sessions: it must be 1 or more, not \(last).") }
        if on && off { throw ValidationError("--on and --off exclude each other.") }
        if let plot, !plot.lowercased().hasSuffix(".svg") {
            throw ValidationError("--plot draws SVG: \"\(plot)\" must end in .svg.")
        }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        if on || off {
            try PracticeLog().want(on)
            return ExitStatus.ok
        }
        guard PracticeLog.exists() else { throw empty("there is no practice log yet") }
        let log = try PracticeLog()
        let (sessions, count) = (try log.sessions(of: piece), try log.count(of: piece))
        guard !sessions.isEmpty else {
            throw empty(piece.map { "the practice log has no piece \"\($0)\"" } ?? "the practice log is empty")
        }
        if sessions.count < count {
            complain("the practice log is long: these are the newest \(sessions.count) of its \(count) sessions")
        }
        if let plot {
            let picture = PracticeLogPlot(sessions, title: piece ?? "Practice")
            try SmallFile.write(Array(picture.svg.utf8), to: plot)
        }
        let text = PracticeLogText(sessions)
        var output = StandardOutput()
        switch export {
        // A terminal must not obey what a name holds; a file gets it as it is.
        case .csv where output.isTerminal:
            try output.print(lines: text.csv.split(separator: "\n").map { String($0).legible })
        case .csv: try output.print(text.csv)
        case .json: try output.print(text.json)
        case nil where plot == nil: try output.print(text.text(newest: last))
        case nil: break
        }
        try output.flush()
        return ExitStatus.ok
    }

    private func empty(_ problem: String) -> CommandError {
        CommandError(
            .input, problem, remedy: "play with --log, name what you practise with --piece, or log always with log --on"
        )
    }
}
