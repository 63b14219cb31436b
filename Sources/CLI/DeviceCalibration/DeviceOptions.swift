internal import ArgumentParser
package import AudioIO

/// The period of a device that plays, an option of both programs.
package struct PeriodOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Transfer 16 to 4096 frames at a time, a power of two; the device buffers four times as many. Smaller "
                + "periods have less latency and underrun more easily. [256, or more on a slow machine]",
            valueName: "frames"))
    var period: Int?

    package init() {}

    package func validate() throws {
        if let period, !(16...4_096).contains(period) || period.nonzeroBitCount > 1 {
            throw ValidationError("--period must be a power of two from 16 to 4096 frames, not \(period).")
        }
    }

    /// What is asked of the device. A period that was asked for does not grow.
    package func request(device: String) -> StreamRequest {
        guard let period else { return .playback(device: device) }
        var request = StreamRequest.playback(device: device, periodFrames: period)
        request.growsOnXruns = false
        return request
    }
}

/// The help of an option `--rate`.
package let rateHelp = "Use this sample rate in hertz; values below \(kilohertzLimit) mean kilohertz."

extension PartsPerMillion {
    /// Reads the clock error of an option `--clock`.
    package static func clock(_ text: String) throws -> PartsPerMillion {
        guard let value = Double(text), clockErrors.contains(value) else {
            throw ValidationError(
                "--clock goes from \(Int(clockErrors.lowerBound)) to \(Int(clockErrors.upperBound)) ppm.")
        }
        return value.ppm
    }
}

extension Hertz {
    /// Reads the sample rate of an option `--rate`, in hertz or kilohertz.
    package static func rate(_ text: String) throws -> Hertz {
        // What the rate converter of alsa-lib takes.
        let rates = 4_000...highestFrameRate
        guard let rate = Int(text).map(frameRate(option:)), rates.contains(rate) else {
            throw ValidationError(
                "--rate goes from \(rates.lowerBound) to \(rates.upperBound) Hz, or from 4 to \(kilohertzLimit - 1) kHz."
            )
        }
        return rate.hertz
    }
}
