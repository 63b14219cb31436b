import ALSABackend
import ArgumentParser
import AudioIO
import Glibc
import Music
import Synchronization

/// Plays clicks and hears them: how long they take from the program to the program, and whether the moments that both
/// clocks give for a click are the same.
struct Loop: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the way from output to input.")
    @OptionGroup var options: DeviceOptions

    func run() throws {
        let options = options
        try measureLoop(options)
    }
}

private func measureLoop(_ options: DeviceOptions) throws {
    try run { () throws(AudioError) in
        var request = options.capture
        (request.periodFrames, request.bufferFrames) = (options.period, options.buffer)
        var input = try CaptureStream(request)
        guard var samples = input.takeSamples() else { return }
        // The program in C reads on its audio thread, so the reader here gets the same priority.
        raisePriority()
        let device = try PlaybackDevice(options.playback)
        let format = device.format
        var output = try PlaybackStream(device, playing: Clicks())
        let start = MonotonicTime.now()
        var position: Int64 = 0
        var block = [Float](repeating: 0, count: options.period)
        var (loops, residuals) = ([Double](), [Double]())
        while (MonotonicTime.now() - start).inSeconds < options.seconds {
            var span = block.mutableSpan
            let result = try samples.read(into: &span)
            let now = MonotonicTime.now()
            for i in 0..<result.count where block[i] > 0.2 {
                guard (now - start).inSeconds > 1 else { continue }
                let asked = MonotonicTime(nanoseconds: Clicks.asked.load(ordering: .relaxed))
                loops.append((now - asked).inSeconds * 48_000)
                guard let heard = input.report().clock.time(ofFrame: position + Int64(i)),
                    let frame = output.report().clock.frame(at: heard)
                else { continue }
                let click = (Double(frame) / Double(Clicks.interval)).rounded()
                guard let due = output.report().clock.time(ofFrame: Int64(click) * Clicks.interval) else { continue }
                residuals.append((heard - due).inSeconds * 48_000)
            }
            position += Int64(result.count)
        }
        let (played, heard) = (output.report(), input.report())
        output.stop()
        let (loop, residual) = (Summary(loops), Summary(residuals))
        say(
            "period \(format.periodFrames) buffer \(format.bufferFrames) clicks \(loops.count) loop \(loop) "
                + "residual \(residual) xruns \(played.statistics.xruns) \(heard.statistics.xruns) "
                + "discontinuities \(played.statistics.discontinuities) \(heard.statistics.discontinuities) "
                + "ppm \(text(played.rate.error?.value ?? .nan)) +- \(text(played.rate.standardError?.value ?? .nan))")
    }
}

/// Median, standard deviation and extremes, in frames. Not the mean: one wake-up that was late says nothing.
struct Summary: CustomStringConvertible {
    let (median, deviation, least, greatest): (Double, Double, Double, Double)

    init(_ values: [Double]) {
        let count = Double(max(1, values.count))
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        (median, deviation) = (values.isEmpty ? 0 : values.sorted()[values.count / 2], variance.squareRoot())
        (least, greatest) = (values.min() ?? 0, values.max() ?? 0)
    }

    var description: String { "\(tenths(median)) sd \(tenths(deviation)) [\(tenths(least))..\(tenths(greatest))]" }

    private func tenths(_ value: Double) -> String {
        let whole = (value * 10).rounded() / 10
        return "\(whole == 0 ? 0 : whole)"
    }
}
