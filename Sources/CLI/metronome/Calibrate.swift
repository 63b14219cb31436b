internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import DeviceCalibration

/// `metronome calibrate`: how fast the card really runs that plays; or how late it is heard.
struct Calibrate: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure how fast the sound card really runs, for true tempi; or how late it is heard.",
        usage: """
            metronome calibrate -D hw:1
            metronome calibrate latency -D hw:1 --input hw:1
            """,
        discussion: """
            The card's frames are counted against the system's clock, which a time service (NTP) holds to true time on \
            most machines; what is found is kept for the device and applied whenever it plays. Nothing is heard. q ends \
            with what is reached. With latency clicks are played and heard again by a microphone beside the loudspeaker: \
            by what the devices do not tell of the time between, beats are then shown later.
            """)

    @Argument(help: ArgumentHelp("rate or latency.", valueName: "what"))
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
