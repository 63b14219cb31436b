package import Music

/// How fast a card really runs, once measured: to be applied wherever its rate becomes hertz, cents or beats a minute.
package struct CardCalibration: Codable, Sendable, Hashable {
    /// The device it was measured on, by the name it is opened with.
    package var device: String
    /// Which way sound went: the two ends of a sound server can be two cards.
    package var direction: StreamDirection
    /// Frames per second by its label, at which it was measured.
    package var sampleRate: Int
    /// By how much it is faster.
    package var rateError: PartsPerMillion
    /// The standard error (one σ) of that.
    package var standardError: PartsPerMillion
    /// Seconds of sound that went into it.
    package var observedSeconds: Double
    /// Whether a time service held the system's clock meanwhile.
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

    /// What a stream's estimate amounts to so far; `nil` in its first two seconds.
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

    /// Whether a sound card can be like that. Crystals are within 100 ppm; 2 % is no crystal but a device without one, or a
    /// damaged file.
    package var isPlausible: Bool {
        (1...768_000).contains(sampleRate) && abs(rateError.value) <= 20_000
            && (0...20_000).contains(standardError.value)
    }
}

/// How long sound takes from one device to another and what of it the devices do not tell, once measured.
package struct LatencyCalibration: Codable, Sendable, Hashable {
    /// Where clicks were played.
    package var output: String
    /// Where they were heard.
    package var input: String
    /// The time between the moments that the two streams' clocks name for a click, in seconds: the air, converters and
    /// whatever else the devices do not know of. Above zero: heard later than said.
    package var hiddenSeconds: Double
    /// The standard deviation of single clicks about that.
    package var deviationSeconds: Double
    /// From the program out and back in, in seconds, at the sizes it was measured with.
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

    /// Whether two devices in a room can be like that: within ten seconds.
    package var isPlausible: Bool {
        [hiddenSeconds, deviationSeconds, roundTripSeconds].allSatisfy { abs($0) <= 10 }
    }
}
