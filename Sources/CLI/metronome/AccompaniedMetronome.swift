package import ArgumentParser
package import Configuration
internal import DeviceCalibration
internal import Synchronization
package import Transport

/// Runs the command `metronome` to its end.
package func runMetronome() { MetronomeProgram.main() }

/// The options of a companion, and how it comes to be.
package protocol CompanionOptions: ParsableArguments, Sendable {
    static var configuration: CommandConfiguration { get }
    /// Throws where the companion cannot go along with it: told before anything about the tempo or the device.
    func check(_ folder: String) throws
    /// Makes the companion, once the device is open.
    ///
    /// - Parameter folder: what it goes along with.
    func companion(_ folder: String) throws -> any PlayCompanion
}

/// All that `metronome` takes, and a companion that goes along where it plays.
///
/// It lists the groups of `MetronomeCommand` itself: a group of groups costs the parser seconds.
package struct AccompaniedMetronome<Companion: CompanionOptions>: Subcommand {
    package static var configuration: CommandConfiguration { Companion.configuration }

    @Argument(help: ArgumentHelp("The folder of the scores: .pdf, .png and .jpg files.", valueName: "scores"))
    var folder: String

    @Argument(help: ArgumentHelp("A tempo with its words, or a tempo map, as metronome has them.", valueName: "tempo"))
    var typed: [String] = []

    @OptionGroup(title: "Stand") var companion: Companion
    @OptionGroup(title: "Beat") var beat: BeatOptions
    @OptionGroup(title: "Practice") var practice: PracticeOptions
    @OptionGroup(title: "Practice") var lists: ListOptions
    @OptionGroup(title: "Practice") var logging: LogOptions
    @OptionGroup(title: "Sound") var sounds: SoundOptions
    @OptionGroup(title: "Display") var looks: DisplayOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var period: PeriodOption
    @OptionGroup(title: "Listening") var hears: ListenOptions
    @OptionGroup(title: "Verification") var verification: VerificationOptions
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    package init() {}

    package func perform(_ settings: Settings) throws -> Int32 {
        try companion.check(folder)
        var command = MetronomeCommand()
        (command.typed, command.beat, command.practice) = (typed, beat, practice)
        (command.lists, command.logging, command.sounds) = (lists, logging, sounds)
        (command.looks, command.output, command.period) = (looks, output, period)
        (command.hears, command.verification) = (hears, verification)
        command.configurationFile = configurationFile
        let (companion, folder) = (companion, folder)
        PlayCompanions.maker = { try companion.companion(folder) }
        defer { PlayCompanions.maker = nil }
        return try command.perform(settings)
    }
}

/// What the command line of the metronome knows of its arguments, for a companion's.
package enum MetronomeArguments {
    /// What Tab offers for an argument.
    package static func completion(of argument: String, given: [String]) -> Completion? {
        MetronomeProgram.completion(of: argument, in: "play", given: given)
    }

    /// The settings that arguments remove.
    package static func displacedSettings(given: [String]) -> Set<String> {
        MetronomeProgram.displacedSettings(of: MetronomeCommand.self, given: given)
    }

    package static var exclusiveSettings: [[String]] { MetronomeProgram.exclusiveSettings }

    /// A better error than the parser's for arguments that it refused.
    package static func complaint(about words: [String]) -> CommandError? {
        MetronomeProgram.complaint(about: words)
    }
}

/// Who goes along with what plays. No argument: a plan of a set list is played by a command of its own. No task-local value
/// either: `withValue` of a release build with static libraries ends in a segmentation fault (Swift 6.3).
enum PlayCompanions {
    typealias Maker = @Sendable () throws -> any PlayCompanion
    private static let stored = Mutex<Maker?>(nil)

    static var maker: Maker? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
