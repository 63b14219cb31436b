internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import DeviceCalibration

/// `metronome calibrate`: measures the clock of the sound card, or the latency that it does not report.
struct Calibrate: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure the clock of the sound card, or the latency that it does not report.",
        usage: """
            metronome calibrate -D hw:1
            metronome calibrate latency -D hw:1 --input hw:1
            """,
        discussion: """
            rate compares the clock of the card with the system clock, which a time service (NTP) keeps accurate on most \
            machines. The result is stored and applied whenever the device plays. It plays silence; q stops early and \
            stores the result so far. latency plays clicks and records them with a microphone next to the loudspeaker. \
            The display then delays each beat by the latency that the devices do not report.
            """)

    @Argument(help: ArgumentHelp("What to measure: rate or latency.", valueName: "what"))
    var subject = Subject.rate

    @OptionGroup var options: CalibrationOptions
    @OptionGroup(title: "Latency") var latency: LatencyOptions
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    enum Subject: String, ExpressibleByArgument { case rate, latency }

    func perform(_ settings: Settings) throws -> Int32 {
        subject == .latency && !options.isAboutTheStore
            ? try latency.run("metronome", options) : try options.run("metronome", .playback)
    }
}
