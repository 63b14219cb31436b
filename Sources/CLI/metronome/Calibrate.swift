internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import DeviceCalibration

/// `metronome calibrate`: how fast the card really runs that plays.
struct Calibrate: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure how fast the sound card really runs, for true tempi.",
        usage: "metronome calibrate -D hw:1",
        discussion: """
            The card's frames are counted against the system's clock, which a time service (NTP) holds to true time on \
            most machines; what is found is kept for the device and applied whenever it plays. Nothing is heard. q ends \
            with what is reached.
            """)

    @OptionGroup var options: CalibrationOptions
    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func perform(_ settings: Settings) throws -> Int32 { try options.run("metronome", .playback) }
}
