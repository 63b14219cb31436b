internal import ArgumentParser
package import Configuration
package import Transport

/// Runs the command `metronome` to its end.
package func runMetronome() { MetronomeProgram.main() }

/// All that `metronome` takes, for a command that goes along with it.
package struct AccompaniedMetronome: ParsableArguments {
    @OptionGroup var command: MetronomeCommand

    package init() {}

    /// What `metronome` does with these arguments. Where it plays, a companion goes along.
    ///
    /// - Parameter companion: makes the companion, once the device is open.
    package func perform(
        _ settings: Settings, beside companion: @escaping @Sendable () throws -> any PlayCompanion
    ) throws -> Int32 {
        try PlayCompanions.$maker.withValue(companion) { try command.perform(settings) }
    }

    /// What Tab offers for an argument of the metronome.
    package static func completion(of argument: String, given: [String]) -> Completion? {
        MetronomeProgram.completion(of: argument, in: "play", given: given)
    }

    /// The settings that the arguments of the metronome remove.
    package static func displacedSettings(given: [String]) -> Set<String> {
        MetronomeProgram.displacedSettings(of: MetronomeCommand.self, given: given)
    }

    package static var exclusiveSettings: [[String]] { MetronomeProgram.exclusiveSettings }

    /// A better error than the parser's for arguments that it refused.
    package static func complaint(about words: [String]) -> CommandError? {
        MetronomeProgram.complaint(about: words)
    }
}

/// Who goes along with what plays. A scope and no argument: a plan of a set list is played by a command of its own.
enum PlayCompanions {
    @TaskLocal static var maker: (@Sendable () throws -> any PlayCompanion)?
}
