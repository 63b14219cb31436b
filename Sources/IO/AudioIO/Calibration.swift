package import Music

/// The measured rate of a card, to be applied wherever its frames become hertz, cents or beats per minute.
package struct CardCalibration: Codable, Sendable, Hashable {
    /// The device's name, as it is opened.
    package var device: String
    /// The direction of sound: the two ends of a sound server can be two cards.
    package var direction: StreamDirection
    /// The nominal frames per second at which it was measured.
    package var sampleRate: Int
    /// How much faster it runs.
    package var rateError: PartsPerMillion
    /// The standard error (one σ) of that.
    package var standardError: PartsPerMillion
    /// The length of the measurement in seconds.
    package var observedSeconds: Double
    /// Whether a time service disciplined the system's clock meanwhile.
    package var clockWasDisciplined: Bool
    /// When it was measured, in seconds since 1970.
    package var measuredAt: Int64

    /// A calibration.
    package init(
        device: String, direction: StreamDirection, sampleRate: Int, rateError: PartsPerMillion,
        standardError: PartsPerMillion, observedSeconds: Double, clockWasDisciplined: Bool, measuredAt: Int64
    ) {
        (self.device, self.direction, self.sampleRate, self.rateError) = (device, direction, sampleRate, rateError)
        (self.standardError, self.observedSeconds) = (standardError, observedSeconds)
        (self.clockWasDisciplined, self.measuredAt) = (clockWasDisciplined, measuredAt)
    }

    /// A calibration by a stream's estimate; `nil` in its first two seconds.
    package init?(
        device: String, direction: StreamDirection, estimate: RateEstimate, discipline: SystemClock.Discipline,
        measuredAt: Int64
    ) {
        guard let error = estimate.error, let standardError = estimate.standardError else { return nil }
        var wasDisciplined = false
        if case .timeService = discipline { wasDisciplined = true }
        self.init(
            device: device, direction: direction, sampleRate: estimate.sampleRate, rateError: error,
            standardError: standardError, observedSeconds: estimate.observed.inSeconds,
            clockWasDisciplined: wasDisciplined, measuredAt: measuredAt)
    }

    /// Whether a sound card can be like that.
    package var isPlausible: Bool {
        (1...highestFrameRate).contains(sampleRate) && PartsPerMillion.clockErrors.contains(rateError.value)
            && (0...PartsPerMillion.clockErrors.upperBound).contains(standardError.value)
    }
}

/// The measured latency from one device to another, and the part of it that the devices do not report.
package struct LatencyCalibration: Codable, Sendable, Hashable {
    /// Where clicks were played.
    package var output: String
    /// Where they were heard.
    package var input: String
    /// The latency in seconds that the devices do not report, such as that of air and converters: by how much later a
    /// click is heard than the clocks of the two streams report.
    package var hiddenSeconds: Double
    /// The standard deviation of single clicks about that.
    package var deviationSeconds: Double
    /// The time in seconds from the program out and back in, at the period and buffer of the measurement.
    package var roundTripSeconds: Double
    /// Clicks heard.
    package var clicks: Int
    /// When it was measured, in seconds since 1970.
    package var measuredAt: Int64

    /// A calibration.
    package init(
        output: String, input: String, hiddenSeconds: Double, deviationSeconds: Double, roundTripSeconds: Double,
        clicks: Int, measuredAt: Int64
    ) {
        (self.output, self.input, self.hiddenSeconds) = (output, input, hiddenSeconds)
        (self.deviationSeconds, self.roundTripSeconds) = (deviationSeconds, roundTripSeconds)
        (self.clicks, self.measuredAt) = (clicks, measuredAt)
    }

    /// Whether two devices can be like that: within ten seconds.
    package var isPlausible: Bool {
        [hiddenSeconds, deviationSeconds, roundTripSeconds].allSatisfy { abs($0) <= 10 }
    }
}
