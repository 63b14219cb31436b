internal import ALSABackend
internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Glibc
internal import Rhythm
internal import TerminalUI

/// The options of `metronome calibrate latency`.
package struct LatencyOptions: ParsableArguments {
    @Option(name: .long, help: "Use this ALSA device to record.")
    var input = "default"

    @Option(name: .long, help: ArgumentHelp("Play this many clicks, two per second.", valueName: "n"))
    var clicks = 16

    package init() {}

    package func validate() throws {
        guard (4...1_000).contains(clicks) else {
            throw ValidationError("--clicks goes from 4 to 1000; it cannot be \(clicks).")
        }
    }

    /// Plays clicks on the device of `options`, hears them, and stores the latency. Returns the exit status.
    package func run(_ program: String, _ options: CalibrationOptions) throws -> Int32 {
        let signals = try SignalWatch()
        var request = StreamRequest.playback(device: options.device)
        request.sampleRate = options.rate
        var status = ExitStatus.ok
        let isTold = !options.json
        let result = try measureRoundTrip(
            from: request, to: .capture(device: input), clicks: clicks
        ) { (soFar) -> Bool in
            if let ended = signals.status(pausing: SignalWatch.pause) { status = ended }
            if isTold {
                complain(
                    program,
                    "\(soFar.heard) of \(soFar.played) clicks heard, "
                        + "\(fixedPoint(soFar.whole.inSeconds * 1_000, decimals: 2)) ms round trip")
            }
            return status == ExitStatus.ok
        }
        guard status == ExitStatus.ok else { return status }
        guard result.heard >= max(3, clicks / 2) else {
            guard result.dropped == 0 else {
                throw CommandError(
                    .interrupted,
                    "the streams were interrupted (xruns and other breaks: \(result.breaks)), which left "
                        + "\(result.heard) of \(result.played) clicks, nothing is stored",
                    remedy: "close other programs, choose other devices, or ask for more --clicks")
            }
            throw CommandError(
                .device,
                "\"\(input)\" heard \(result.heard) of \(result.played) clicks from \"\(options.device)\", "
                    + "nothing is stored", remedy: "turn it up, or move the microphone to the loudspeaker")
        }
        if result.dropped > 0 {
            complain(
                program,
                "the streams were interrupted (xruns and other breaks: \(result.breaks)): \(result.dropped) clicks "
                    + "around that are left out")
        }
        let store = CalibrationStore()
        let kept = LatencyCalibration(
            output: options.device, input: input, hidden: result.hidden, deviation: result.deviation,
            roundTrip: result.whole, clicks: result.heard, measuredAt: Int64(time(nil)))
        try store.keep(kept)
        let stored = "stored in \(store.path); \(program) delays its display by it from now on"
        return try printLines(options.json ? [kept.json(kept: store.path)] : [kept.text, stored])
    }
}
