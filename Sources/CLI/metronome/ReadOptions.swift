internal import Music
internal import Notation
internal import TerminalUI
internal import Timebase

extension BeatOptions {
    /// Reads the options of the beat.
    func apply(to options: inout PlanOptions) throws(CommandError) {
        if let accent {
            options.accents = try read("--accent") { () throws(NotationError) in try AccentPattern(parsing: accent) }
        }
        if let meter { options.meter = try read("--meter") { () throws(NotationError) in try Meter(parsing: meter) } }
        if let subdivision {
            options.subdivision = try read("--sub") { () throws(NotationError) in
                try Subdivision(parsing: subdivision)
            }
        }
        if let swing { options.swing = try read("--swing") { () throws(NotationError) in try Swing(parsing: swing) } }
        if poly != nil, polymeter != nil {
            throw CommandError(
                "--poly and --polymeter exclude each other: use one of them", exitStatus: ExitStatus.usage)
        }
        if let poly {
            options.cross = try read("--poly") { () throws(NotationError) in try CrossRhythm.polyrhythm(parsing: poly) }
        }
        if let polymeter {
            options.cross = try read("--polymeter") { () throws(NotationError) in
                try CrossRhythm.polymeter(parsing: polymeter)
            }
        }
        if let step { options.steps = try read("--step") { () throws(NotationError) in try TempoSteps(parsing: step) } }
        options.bounces = bounce
        if let speed = try speedFactor() { options.speed = speed }
    }

    /// The factor of `--speed`, if there is one.
    func speedFactor() throws(CommandError) -> Ratio? {
        guard let speed else { return nil }
        return try read("--speed") { () throws(NotationError) in try Ratio(parsingFactor: speed) }
    }

    /// The first given option that a tempo map excludes.
    var optionOfTheMap: String? {
        let given: [(String, Bool)] = [
            ("--accent", accent != nil), ("--meter", meter != nil), ("--sub", subdivision != nil),
            ("--swing", swing != nil), ("--poly", poly != nil), ("--polymeter", polymeter != nil),
            ("--step", step != nil), ("--bounce", bounce),
        ]
        return given.first { $0.1 }?.0
    }
}

extension PracticeOptions {
    /// The given seed, or a random one.
    var seedOrRandom: UInt64 { seed ?? UInt64.random(in: .min ... .max) }

    /// Reads the options of the practice.
    func apply(to plan: inout PracticePlan) throws(CommandError) {
        if let countIn {
            plan.countIn = try read("--count-in") { () throws(NotationError) in try CountIn(parsing: countIn) }
        }
        var chance = mute
        if let gap, gap.hasPrefix("random:") {
            guard mute == nil else {
                throw CommandError(
                    "--gap random: and --mute exclude each other: use one of them", exitStatus: ExitStatus.usage)
            }
            chance = String(gap.dropFirst(7))
        } else if let gap {
            plan.gap = try read("--gap") { () throws(NotationError) in try GapPlan(parsing: gap) }
        }
        if let chance {
            plan.mutes = try read("--mute") { () throws(NotationError) in
                try RandomMute(parsing: chance, seed: seedOrRandom)
            }
        }
        guard bars == nil || duration == nil else {
            throw CommandError(
                "--bars and --for both set the end: use one of them", exitStatus: ExitStatus.usage)
        }
        if let bars {
            guard let count = Int64(bars), (1...1_000_000_000).contains(count) else {
                throw CommandError(
                    "--bars '\(bars)': expected a whole number from 1 to 1000000000", exitStatus: ExitStatus.usage)
            }
            plan.end = .bars(count)
        }
        if let duration {
            plan.end = .time(try read("--for") { () throws(NotationError) in try Duration(parsing: duration) })
        }
    }
}

/// Reads one notation; an error becomes a usage error that names the option.
func read<Value>(_ option: String, _ body: () throws(NotationError) -> Value) throws(CommandError) -> Value {
    do throws(NotationError) {
        return try body()
    } catch {
        throw CommandError("\(option) \(error.message)", exitStatus: ExitStatus.usage)
    }
}

/// The message for a wrong notation; `nil` if it is right.
func complaint(_ option: String, _ body: () throws(NotationError) -> Void) -> String? {
    do throws(NotationError) {
        try body()
        return nil
    } catch {
        return "\(option) \(error.message)"
    }
}
