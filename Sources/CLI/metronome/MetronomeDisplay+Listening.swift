internal import ALSABackend
internal import Configuration
internal import MetronomeEngine
internal import PracticeLog
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// What the display does with the player's notes.
extension MetronomeDisplay {
    /// Takes the notes that are known now.
    mutating func listen(_ stream: inout PlaybackStream<MetronomeEngine>) throws {
        guard listening != nil else { return }
        let notes = listening?.hearing.hear(stream.report()) ?? []
        if let failure = listening?.hearing.failure { throw failure }
        if let warning = listening?.hearing.pathWarning() {
            // It stays on the screen; in a pipe it is told once.
            if isTerminal { model.trouble = warning } else { complain(warning) }
        }
        try tell(notes)
        judge()
        try follow()
    }

    private mutating func tell(_ notes: [PlayedNote]) throws(OutputClosed) {
        guard !notes.isEmpty, let summary = listening?.hearing.summary else { return }
        listening?.trainer?.hear(notes)
        if let timing = summary.report.timing, let spread = timing.spread {
            recorder.hear(
                PracticeSession.Timing(
                    notes: timing.count, mean: summary.isAbsolute ? timing.mean : nil, spread: spread))
        }
        hasChanged = true
        model.notes?.hear(notes, of: summary)
        let runs = listening?.newRuns(isShort: isTerminal) ?? []
        if isTerminal {
            if let run = runs.last { model.say(run) }
            if listening?.isForScripts == true { return }
            return
        }
        var lines = listening?.lines(notes) ?? []
        if listening?.isForScripts == false { lines += runs }
        if !lines.isEmpty { try terminal.output.print(lines: lines) }
    }

    /// Goes back where the last bars were too uneven for a higher tempo.
    private mutating func judge() {
        guard let decision = listening?.trainer?.decision, Self.now >= decision,
            let (verdict, back) = listening?.trainer?.judgeStep()
        else { return }
        say(verdict.words)
        if let back, !keys.control.jump(toBar: back, .nextBar) { model.say("the sound device does not answer") }
    }

    /// Plays the section again, if it was too uneven. Returns whether it does.
    mutating func repeats() -> Bool {
        guard let verdict = listening?.trainer?.judge("done") else { return false }
        say(verdict.words)
        guard !verdict.isWithin else { return false }
        keys.hasMoved = true
        if let bar = keys.grid.plan.entryBar { return keys.control.jump(toBar: bar) }
        return keys.control.start()
    }

    private mutating func say(_ words: String) {
        if isTerminal { model.say(words) } else if listening?.isForScripts == false { complain(words) }
    }

    /// Tells the notes that are left, and the summary.
    mutating func conclude() throws {
        guard listening != nil else { return }
        try tell(listening?.hearing.finish() ?? [])
        let summary = try listening?.conclude() ?? ""
        try terminal.output.print(summary)
        try terminal.output.flush()
    }
}
