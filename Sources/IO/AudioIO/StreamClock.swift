package import Music
internal import Realtime

/// When each frame of a stream is heard: a straight line through what the device reported.
///
/// After each transfer the stream's thread notes which frame is at the converter. Scheduling makes these observations scatter,
/// so a line is fitted to the last ten seconds of them. Its slope is the rate of the card by the system's clock.
///
/// Times are stored as deviations from the nominal rate, so that a double resolves far less than a nanosecond even after
/// days.
package struct StreamClock: BitwiseCopyable, Sendable {
    /// The nominal rate of the device.
    package let sampleRate: Hertz
    private var originFrame: Int64 = 0
    private var originTime = MonotonicTime(nanoseconds: 0)
    private var fit: LineFit

    /// Ten seconds: long compared with the jitter of a wake-up (about 0.1 ms), short compared with the warm-up of a crystal.
    package static let memory: Duration = .seconds(10)

    /// A clock without observations.
    ///
    /// - Parameter sampleRate: the granted rate, above zero.
    package init(sampleRate: Hertz) {
        precondition(sampleRate.value > 0, "a stream's rate is above zero")
        self.sampleRate = sampleRate
        // Prior knowledge: crystals are within 100 ppm, and one observation scatters by 20 µs.
        let slopeScatter = 100e-6
        fit = LineFit(priorSlopeWeight: (20e-6 / slopeScatter) * (20e-6 / slopeScatter))
    }

    /// Whether the clock has an observation.
    package var isRunning: Bool { fit.weight > 0 }

    /// The newest frame that was certainly at the converter; 0 before any observation.
    package private(set) var newestFrame: Int64 = 0

    /// Notes that `frame` was at the converter at `time`.
    package mutating func observe(frame: Int64, at time: MonotonicTime) {
        newestFrame = frame
        if !isRunning { (originFrame, originTime) = (frame, time) }
        let (x, y) = coordinates(frame, time)
        // e^-age/10 s, to first order. After a loss only the slope is kept, and the age means nothing.
        let age = fit.hasPlace ? max(0, x - fit.lastX) : 0
        let keep = max(0, 1 - age / StreamClock.memory.inSeconds)
        fit.add(x: x, y: y, keeping: keep)
    }

    /// Forgets the position of the stream but not its rate, because frames or time were lost: after an xrun, or when the
    /// device came back.
    package mutating func reanchor() { fit.forgetPlace() }

    /// The moment at which `frame` is heard (playback) or reached the microphone (capture); `nil` before any observation.
    package func time(ofFrame frame: Int64) -> MonotonicTime? {
        guard isRunning else { return nil }
        let x = Double(frame - originFrame) / sampleRate.value
        let seconds = x + fit.value(at: x)
        // An Int64 holds 292 years of nanoseconds, which are more.
        guard abs(seconds) < 9e9 else { return nil }
        return MonotonicTime(nanoseconds: originTime.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// The frame at the converter at `time`, rounded to the nearest; `nil` before any observation.
    package func frame(at time: MonotonicTime) -> Int64? {
        guard isRunning else { return nil }
        let seconds = (time - originTime).inSeconds
        // x + a + b·(x - mean) = seconds, solved for x.
        let x = (seconds - fit.meanY + fit.slope * fit.meanX) / (1 + fit.slope)
        return originFrame + Int64((x * sampleRate.value).rounded())
    }

    /// How much faster than its label the card runs, over the last ten seconds.
    package var rateError: PartsPerMillion { PartsPerMillion(ratio: 1 / (1 + fit.slope)) }

    /// x: the time by the count of frames; y: how much later it was by the clock.
    private func coordinates(_ frame: Int64, _ time: MonotonicTime) -> (x: Double, y: Double) {
        let x = Double(frame - originFrame) / sampleRate.value
        return (x, (time - originTime).inSeconds - x)
    }
}
