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
    /// The length of the measurement; seconds in the file.
    package var observed: Duration { .seconds(observedSeconds) }
    internal var observedSeconds: Double
    /// Whether a time service disciplined the system's clock meanwhile.
    package var clockWasDisciplined: Bool
    /// When it was measured, in seconds since 1970.
    package var measuredAt: Int64

}

extension CardCalibration {
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
            clockWasDisciplined: wasDisciplined,
            measuredAt: measuredAt)
    }

    /// Whether a sound card and a measurement, of at most thirty years, can be like that.
    internal var isPlausible: Bool {
        (1...highestFrameRate).contains(sampleRate) && PartsPerMillion.clockErrors.contains(rateError.value)
            && (0...PartsPerMillion.clockErrors.upperBound).contains(standardError.value)
            && (0...1e9).contains(observedSeconds)
    }
}

/// The measured latency from one device to another, and the part of it that the devices do not report.
package struct LatencyCalibration: Codable, Sendable, Hashable {
    /// Where clicks were played.
    package var output: String
    /// Where they were heard.
    package var input: String
    /// The latency that the devices do not report, such as that of air and converters: by how much later a click is heard
    /// than the clocks of the two streams report.
    package var hidden: Duration { .seconds(hiddenSeconds) }
    /// The standard deviation of single clicks about that.
    package var deviation: Duration { .seconds(deviationSeconds) }
    /// The time from the program out and back in, at the period and buffer of the measurement.
    package var roundTrip: Duration { .seconds(roundTripSeconds) }
    // As the file has them.
    private var hiddenSeconds: Double, deviationSeconds: Double, roundTripSeconds: Double
    /// Clicks heard.
    package var clicks: Int
    /// When it was measured, in seconds since 1970.
    package var measuredAt: Int64

    /// A calibration.
    package init(
        output: String, input: String, hidden: Duration, deviation: Duration, roundTrip: Duration, clicks: Int,
        measuredAt: Int64
    ) {
        (self.output, self.input, hiddenSeconds) = (output, input, hidden.inSeconds)
        (deviationSeconds, roundTripSeconds) = (deviation.inSeconds, roundTrip.inSeconds)
        (self.clicks, self.measuredAt) = (clicks, measuredAt)
    }

    /// Whether two devices can be like that: within ten seconds.
    internal var isPlausible: Bool {
        [hiddenSeconds, deviationSeconds, roundTripSeconds].allSatisfy { abs($0) <= 10 }
    }
}
