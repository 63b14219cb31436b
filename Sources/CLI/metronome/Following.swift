internal import AudioIO
internal import Configuration
internal import MetronomeEngine
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// `metronome --follow`: the player leads.
extension MetronomeCommand {
    /// A plan has a tempo; that of a player is not known before the start.
    static let anyTempo = "120"

    /// After how many bars without a note on the beat it stops.
    private static let patience = 4

    /// The player's tempo is neither a ramp nor counted in bars.
    static var severalTempi: CommandError {
        CommandError(
            .usage, "--follow takes one tempo, about that of the start",
            remedy: "leave ramps and numbers of bars out")
    }

    /// How it begins and ends.
    func lead(_ grid: PlanGrid) -> PlayerHearing.Lead {
        let place = grid.place(of: .none)
        let beats = grid.plan.sections.first?.levels.first?.count ?? 4
        let hint = Ratio(Int64((6_000 / place.beatSeconds).rounded()), 100).flatMap { try? Tempo($0) }
        return PlayerHearing.Lead(around: words.isEmpty ? nil : hint, patience: Self.patience * max(1, beats))
    }

    /// Refuses what a player who leads leaves no room for.
    func checkFollowing(_ grid: PlanGrid) throws(CommandError) {
        let given: [(option: String, isGiven: Bool)] = [
            ("--map", (try? mapFile()) != nil), ("--step", beat.step != nil), ("--bounce", beat.bounce),
            ("--speed", beat.speed != nil), ("--poly", beat.poly != nil), ("--polymeter", beat.polymeter != nil),
            ("--count-in", practice.countIn != nil), ("--gap", practice.gap != nil), ("--mute", practice.mute != nil),
            ("--bars", practice.bars != nil), ("--from", practice.firstBar != nil), ("--label", practice.label != nil),
            ("--setlist", lists.setList != nil), ("--preset", lists.preset != nil),
        ]
        for (option, isGiven) in given where isGiven {
            throw CommandError(
                .usage, "--follow leaves tempo and course to the player, and \(option) sets them",
                remedy: "use one of them")
        }
        let place = grid.place(of: .none)
        guard TempoTracker.hints.contains(60 / place.beatSeconds) else {
            throw CommandError(
                .usage, "--follow finds a beat of 30 to 320 per minute", remedy: "use a tempo among them, or none")
        }
    }
}

extension MetronomeKeys {
    /// What a key does while the player leads; `nil`: what it always does.
    func lead(_ key: Key, _ model: inout MetronomeModel) -> Request? {
        switch key {
        case .character(" "):
            return .wait
        case .character("q"), .character("Q"), .character("m"), .character("+"), .character("="), .character("-"),
            .character("_"), .character("b"), .character("f"), .character("?"), .character("h"), .escape:
            return nil
        default:
            model.say("the player leads")
            return Request.none
        }
    }
}

/// Passes what leads on to the engine, and tells the beats.
extension MetronomeDisplay {
    mutating func follow() throws(OutputClosed) {
        guard let state = listening?.hearing.state else { return }
        let steering = listening?.hearing.steering
        let starts = listening?.hearing.starts ?? 0
        if isLed, steering == nil || starts != self.starts {
            keys.control.stop()
            isLed = false
            model.wait()
            hasChanged = true
        }
        if let steering {
            keys.control.steer(steering)
            (isLed, self.starts) = (true, starts)
        }
        let shown = FollowedPlayer(state)
        if model.leads != shown { hasChanged = true }
        model.leads = shown
        let lineFormat = FollowedBeatFormat(sampleRate: format.sampleRate)
        var lines: [String] = []
        for (beat, stroke) in listening?.hearing.beats() ?? [] where !isTerminal {
            if listening?.isJSON == true {
                lines.append(lineFormat.json(beat, stroke))
            } else if listening?.isForScripts == false {
                lines.append(lineFormat.line(beat, stroke))
            }
        }
        if !lines.isEmpty { try terminal.output.print(lines: lines) }
    }
}
