internal import ArgumentParser
internal import Configuration
internal import Notation
internal import TerminalUI
internal import Timebase

/// Plans from lists: `--setlist`, `--preset`.
extension MetronomeCommand {
    /// The list that the options name; `nil`: none.
    func readList() throws -> SetList? {
        if let file = lists.setList {
            guard lists.preset == nil else { throw CommandError.excluding("--setlist", "--preset") }
            try refuseTempo(beside: "--setlist")
            return try SetList(reading: file)
        }
        guard let name = lists.preset else { return nil }
        try refuseTempo(beside: "--preset")
        guard var presets = try SetList.presets() else {
            throw CommandError(
                .usage, "--preset '\(name)': there are no presets yet",
                remedy: "keep one: metronome 120 --accent 4 --save \(name)")
        }
        try presets.choose(name)
        return presets
    }

    private func refuseTempo(beside option: String) throws(CommandError) {
        guard words.isEmpty, beat.map == nil else { throw .excluding(option, "a tempo or a map") }
    }

    /// This command with the plan and the sounds of an entry.
    func playing(_ entry: SetList.Entry, of path: String) throws -> MetronomeCommand {
        let place = "\(path), line \(entry.line): "
        var own = self
        do {
            let other = try MetronomeCommand.parse(entry.words)
            try Self.check(entry.words)
            (own.typed, own.beat, own.sounds) = (other.typed, other.beat, other.sounds)
            (own.practice, own.looks) = (other.practice, looks)
            own.complete(from: self)
            _ = try own.readPlan()
        } catch let error as CommandError {
            throw CommandError(.input, error, at: place)
        } catch  where MetronomeCommand.exitCode(for: error).isSuccess {
            throw CommandError(
                .input, place + "an entry is played, and cannot ask for a text",
                remedy: "leave out --help and --version")
        } catch {
            let text = MetronomeCommand.message(for: error).split(separator: "\n").joined(separator: " ")
            throw CommandError(.input, place + text, remedy: "write what follows metronome on a command line")
        }
        return own
    }

    /// What the command line and the settings say, where the entry leaves it open; and the end, which counts for each entry.
    private mutating func complete(from given: MetronomeCommand) {
        beat.subdivision = beat.subdivision ?? given.beat.subdivision
        beat.swing = beat.swing ?? given.beat.swing
        beat.speed = beat.speed ?? given.beat.speed
        practice.countIn = practice.countIn ?? given.practice.countIn
        practice.gap = practice.gap ?? given.practice.gap
        practice.mute = practice.mute ?? given.practice.mute
        practice.seed = practice.seed ?? given.practice.seed
        sounds.sound = sounds.sound ?? given.sounds.sound
        sounds.crossSound = sounds.crossSound ?? given.sounds.crossSound
        sounds.volume = sounds.volume ?? given.sounds.volume
        guard given.practice.bars != nil || given.practice.duration != nil else { return }
        (practice.bars, practice.duration) = (given.practice.bars, given.practice.duration)
    }

    /// Throws for an option that an entry cannot have: of the device, of files, of other lists.
    private static func check(_ words: [String]) throws(CommandError) {
        let options = words.prefix { $0 != "--" }.lazy.map { String($0.prefix { $0 != "=" }) }
        guard let option = options.first(where: refusedNames.contains) else { return }
        throw CommandError(
            .input, "an entry cannot have \(option)", remedy: "give it on the command line, for all entries")
    }

    /// The names of those options.
    private static let refusedNames: Set<String> = {
        func names(_ options: [CommandOption]) -> Set<String> {
            Set(options.flatMap { ["--" + $0.name] + ($0.short.map { ["-" + $0] } ?? []) })
        }
        let own: [any ParsableArguments.Type] = [BeatOptions.self, SoundOptions.self, PracticeOptions.self]
        let allowed = own.reduce(into: Set<String>()) { $0.formUnion(names(CommandOption.all(of: $1))) }
        // Names that only the parser knows, such as synonyms, stay. --save is no setting, so it is not among the options.
        return names(CommandOption.all(of: MetronomeCommand.self)).subtracting(allowed).union(["--save"])
    }()

    /// The arguments that make this plan, with another tempo where the player has changed it.
    func arguments(tempo changed: String?, sound: String, volume: Double) -> [String] {
        plan(
            tempo: changed,
            [
                ("sound", sound), ("cross-sound", sounds.crossSound),
                ("volume", volume < 0 ? fixedPoint(volume, decimals: 0) : sounds.volume),
                // Where it begins and ends, and which beats are muted, are the plan's too.
                ("seed", practice.seed.map { "\($0)" }), ("bars", practice.bars), ("for", practice.duration),
                ("from", practice.firstBar.map { "\($0)" }),
            ]) + (sounds.wholeSamples ? ["--whole-samples"] : [])
    }

    /// The options among the arguments of a command line that a preset cannot have: of the device, of files, of the display.
    static func optionsNotKept(of words: some Sequence<String>) -> [String] {
        let options = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
        return options.filter { refusedNames.contains($0) && $0 != "--save" }
    }

    /// The arguments that make this plan, without its sounds.
    var plan: [String] { plan(tempo: nil, []) }

    private func plan(tempo changed: String?, _ more: [(String, String?)]) -> [String] {
        var words: [String] = []
        let said = try? TempoWords(parsing: self.words)
        if let changed, beat.map == nil, said?.tempo.points.count == 1 {
            words = typed.filter { $0.contains("/") && said?.meter != nil && TempoWords.isMeterWord($0) } + [changed]
            words += typed.suffix(typed.last.map(TempoWords.isPattern) ?? false ? 1 : 0)
        } else {
            words = self.words
        }
        let options: [(String, String?)] = [
            ("map", beat.map), ("meter", beat.meter), ("accent", beat.accent), ("sub", beat.subdivision),
            ("swing", beat.swing), ("poly", beat.poly), ("polymeter", beat.polymeter), ("step", beat.step),
            ("speed", beat.speed), ("count-in", practice.countIn), ("gap", practice.gap), ("mute", practice.mute),
            ("label", practice.label),
        ]
        for (name, value) in options + more { if let value { words.append("--\(name)=\(value)") } }
        if beat.bounce { words.append("--bounce") }
        return words
    }
}
