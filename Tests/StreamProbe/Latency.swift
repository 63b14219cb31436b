import ALSABackend
import ArgumentParser
import AudioIO
import DeviceCalibration
import Rhythm

/// Measures the round trip by clicks: `heard N of N hidden SECONDS sd SECONDS round SECONDS gain G breaks N`.
struct Latency: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the round trip by clicks.")
    @OptionGroup var options: DeviceOptions
    @Option(help: "Clicks.") var clicks = 10

    func run() throws {
        let (output, input, clicks) = (options.playback, options.capture, clicks)
        try stream_probe.run { () throws(AudioError) in
            let result = try measureRoundTrip(from: output, to: input, clicks: clicks)
            say(
                "heard \(result.heard) of \(result.played) hidden \(text(result.hidden.inSeconds)) "
                    + "sd \(text(result.deviation.inSeconds)) round \(text(result.whole.inSeconds)) "
                    + "gain \(text(result.gain)) breaks \(result.breaks)")
        }
    }
}
