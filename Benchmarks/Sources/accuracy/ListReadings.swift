import ArgumentParser
import Figures
import Foundation
import WellTempered

/// `accuracy readings FILE...`: the readings of sound files as comma-separated lines, for a scorer of one's own.
struct ListReadings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readings",
        abstract:
            "Prints every reading of sound files: file, time of the last sample used, hertz (0 if unvoiced), clarity."
    )
    @Argument(help: "Sound files; the first channel is heard.") var files: [String]
    @Option(help: "harmonic, mcleod or yin.") var method = "harmonic"
    @Option(help: "Seconds of the longest window.") var window = 4_096.0 / 48_000

    func run() throws {
        guard let method = PitchMethod(rawValue: method) else { throw ValidationError("no such method: \(method)") }
        print("file,time_s,hz,clarity,state,standard_error_c,B,window,level_db")
        for file in files {
            let (samples, rate) = try readSound(file)
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent
            for reading in try Listener(method: method, rate: rate, window: window)(samples) {
                print(
                    "\(name),"
                        + String(
                            format: "%.6f,%.6f,%.4f,%d,%.5f,%.3e,%d,%.1f", Double(reading.frame) / rate,
                            reading.frequency.value, reading.clarity, Int(reading.state.rawValue),
                            reading.standardError.value, reading.inharmonicity, Int(reading.window),
                            reading.level.value))
            }
        }
    }
}
