import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration

/// `tuner calibrate`: how fast the card really runs that is listened to.
struct Calibrate: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure how fast the sound card really runs, for true cents and hertz.",
        usage: "tuner calibrate -D hw:1",
        discussion: """
            The card's frames are counted against the system's clock, which a time service (NTP) holds to true time on \
            most machines; what is found is kept for the device and applied whenever it is listened to. q ends with what \
            is reached.
            """)

    @OptionGroup var options: CalibrationOptions

    @OptionGroup(title: "Configuration")
    var configurationFile: ConfigurationOption

    func perform(_ settings: Settings) throws -> Int32 { try options.run("tuner", .capture) }
}
