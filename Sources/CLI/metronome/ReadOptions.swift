internal import Configuration
internal import Music
internal import Notation
internal import Timebase

extension BeatOptions {
    /// Reads the options of the beat.
    func apply(to options: inout PlanOptions) throws(CommandError) {
        if poly != nil, polymeter != nil { throw .excluding("--poly", "--polymeter") }
        options.accents = try read("--accent", accent, AccentPattern.init(parsing:)) ?? options.accents
        options.meter = try read("--meter", meter, Meter.init(parsing:)) ?? options.meter
        options.subdivision = try read("--sub", subdivision, Subdivision.init(parsing:)) ?? options.subdivision
        options.swing = try read("--swing", swing, Swing.init(parsing:)) ?? options.swing
        if let voices = try read("--poly", poly, CrossRhythm.voices(parsing:)) { options.cross = .polyrhythm(voices) }
        if let voices = try read("--polymeter", polymeter, CrossRhythm.voices(parsing:)) {
            options.cross = .polymeter(voices)
        }
        options.steps = try read("--step", step, TempoSteps.init(parsing:)) ?? options.steps
        options.bounces = bounce
        if let speed = try speedFactor() { options.speed = speed }
    }

    /// The factor of `--speed`, if there is one.
    func speedFactor() throws(CommandError) -> Ratio? {
        try read("--speed", speed, Ratio.init(parsingFactor:))
    }

    /// The options that say what a tempo map says itself, and whether they are given. A map excludes them.
    var optionsOfTheMap: [(name: String, isGiven: Bool)] {
        [
            ("accent", accent != nil), ("meter", meter != nil), ("sub", subdivision != nil), ("swing", swing != nil),
            ("poly", poly != nil), ("polymeter", polymeter != nil), ("step", step != nil), ("bounce", bounce),
            ("tempo", tempo != nil),
        ]
    }
}

extension PracticeOptions {
    /// The given seed, or a random one.
    var seedOrRandom: UInt64 { seed ?? UInt64.random(in: .min ... .max) }

    /// Whether any of them is given.
    var isGiven: Bool {
        [countIn, gap, mute, bars, duration, label].contains { $0 != nil } || seed != nil || firstBar != nil
    }

    /// Reads the options of the practice.
    func apply(to plan: inout PracticePlan) throws(CommandError) {
        plan.countIn = try read("--count-in", countIn, CountIn.init(parsing:)) ?? plan.countIn
        var chance = mute
        if let gap, gap.hasPrefix("random:") {
            guard mute == nil else { throw .excluding("--gap random:", "--mute") }
            chance = String(gap.dropFirst(7))
        } else {
            plan.gap = try read("--gap", gap, GapPlan.init(parsing:)) ?? plan.gap
        }
        let mutes = try read("--mute", chance) { text throws(NotationError) in
            try RandomMute(parsing: text, seed: seedOrRandom)
        }
        plan.mutes = mutes ?? plan.mutes
        guard bars == nil || duration == nil else { throw .excluding("--bars", "--for") }
        if let bars {
            guard let count = Int64(bars), (1...1_000_000_000).contains(count) else {
                throw CommandError(
                    .usage, "--bars '\(bars)' is not a number of bars",
                    remedy: "use a whole number from 1 to 1000000000")
            }
            plan.end = .bars(count)
        }
        if let time = try read("--for", duration, Duration.init(parsing:)) { plan.end = .time(time) }
    }
}

/// Reads the value of an option, if it was given; an error becomes a usage error that names the option.
func read<Given, Value>(
    _ option: String, _ given: Given?, _ parse: (Given) throws(NotationError) -> Value
) throws(CommandError) -> Value? {
    guard let given else { return nil }
    do throws(NotationError) {
        return try parse(given)
    } catch {
        throw CommandError(.usage, error, at: option + " ")
    }
}
