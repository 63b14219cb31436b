internal import Glibc
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    func readPlan() throws(CommandError) -> PracticePlan {
        guard let tempo else {
            throw CommandError(
                "a tempo is missing: say it in beats per minute, as in metronome 120 --accent 4",
                exitStatus: ExitStatus.usage)
        }
        let quarters = try read("tempo") { () throws(NotationError) in try Tempo(parsing: tempo) }
        let pattern = try read("--accent") { () throws(NotationError) in try AccentPattern(parsing: accent) }
        var plan = try read("--accent") { () throws(NotationError) in
            try PracticePlan(tempo: quarters, accents: pattern)
        }
        if let bars {
            guard duration == nil else {
                throw CommandError(
                    "--bars and --for both say where to end: give one of them", exitStatus: ExitStatus.usage)
            }
            guard let count = Int64(bars), (1...1_000_000_000).contains(count) else {
                throw CommandError(
                    "--bars '\(bars)': expected a whole number from 1 to 1000000000", exitStatus: ExitStatus.usage)
            }
            plan.end = .bars(count)
        }
        if let duration {
            plan.end = .time(try read("--for") { () throws(NotationError) in try TimeSpan(parsing: duration) })
        }
        return plan
    }

    /// Lays the plan out for a rate.
    func schedule(_ plan: PracticePlan, sampleRate: Int) throws(CommandError) -> BeatSchedule {
        do throws(PlanError) {
            return try BeatSchedule(plan, sampleRate: sampleRate)
        } catch {
            throw CommandError(error.message, exitStatus: ExitStatus.usage)
        }
    }

    /// The rate asked for in frames per second, if one was.
    func readRate() throws(CommandError) -> Int? {
        guard let rate else { return nil }
        let value = rate > 0 && rate < 300 ? rate * 1_000 : rate
        guard (4_000...768_000).contains(value) else {
            throw CommandError(
                "--rate \(rate): expected 4000 to 768000 frames per second", exitStatus: ExitStatus.usage)
        }
        return value
    }

    /// The number of channels asked for, if one was.
    func readChannels() throws(CommandError) -> Int? {
        guard let channels else { return nil }
        guard (1...256).contains(channels) else {
            throw CommandError("--channels \(channels): expected 1 to 256", exitStatus: ExitStatus.usage)
        }
        return channels
    }
}

/// Reads one notation; what is wrong with it becomes a usage error that names the option.
private func read<Value>(_ option: String, _ body: () throws(NotationError) -> Value) throws(CommandError) -> Value {
    do throws(NotationError) {
        return try body()
    } catch {
        throw CommandError("\(option) \(error.message)", exitStatus: ExitStatus.usage)
    }
}

/// What is wrong with a notation, or `nil` when nothing is.
func notationMessage(_ option: String, _ body: () throws(NotationError) -> Void) -> String? {
    do throws(NotationError) {
        try body()
        return nil
    } catch {
        return "\(option) \(error.message)"
    }
}
