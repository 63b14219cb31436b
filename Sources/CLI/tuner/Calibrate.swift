import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration

/// `tuner calibrate`: measures the clock of a capture device.
struct Calibrate: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure the sound card's clock, for accurate cents and hertz.", usage: "tuner calibrate -D hw:1",
        discussion: """
            Compares the clock of the card with the system clock, which a time service (NTP) keeps accurate on most \
            machines. The result is stored and applied whenever tuner listens to the device. q stops early and stores \
            the result so far.
            """)

    @OptionGroup var options: CalibrationOptions

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func perform(_ settings: Settings) throws -> Int32 { try options.run("tuner", .capture) }
}
