package import Music
internal import Realtime

/// When each frame of a stream is heard: a straight line through what the device reported.
///
/// After each transfer the stream's thread notes which frame is at the converter right now. Those pairs scatter by
/// the scheduler's whims; a line fitted by least squares, with a memory of ten seconds, does not. Its slope is the
/// card's own rate, as told by the system's clock.
///
/// Everything is kept as the deviation from the nominal rate, so that a double holds it to far below a nanosecond
/// even after days.
package struct StreamClock: BitwiseCopyable, Sendable {
    /// Frames per second, by the device's label.
    package let sampleRate: Int
    private var originFrame: Int64 = 0
    private var originTime = MonotonicTime(nanoseconds: 0)
    private var fit: LineFit

    /// Ten seconds: long against the jitter of a wake-up (about 0.1 ms), short against a crystal's warming up.
    package static let memory: Duration = .seconds(10)

    /// A clock that has seen nothing yet.
    ///
    /// - Parameter sampleRate: the granted rate, above zero.
    package init(sampleRate: Int) {
        precondition(sampleRate > 0, "a stream's rate is above zero")
        self.sampleRate = sampleRate
        // What is known before any measuring: crystals are within 100 ppm, one observation scatters by 20 µs.
        let slopeScatter = 100e-6
        fit = LineFit(priorSlopeWeight: (20e-6 / slopeScatter) * (20e-6 / slopeScatter))
    }

    /// Whether a frame can be told from a time yet.
    package var isRunning: Bool { fit.weight > 0 }

    /// The newest frame that was at the converter, for certain; 0 before any observation.
    package private(set) var newestFrame: Int64 = 0

    /// Takes in that `frame` was at the converter at `time`.
    package mutating func observe(frame: Int64, at time: MonotonicTime) {
        newestFrame = frame
        if !isRunning { (originFrame, originTime) = (frame, time) }
        let (x, y) = coordinates(frame, time)
        // e^-age/10 s, to first order. After a loss the age says nothing: what is kept is the slope.
        let age = fit.hasPlace ? max(0, x - fit.lastX) : 0
        let keep = max(0, 1 - age / StreamClock.memory.inSeconds)
        fit.add(x: x, y: y, keeping: keep)
    }

    /// Forgets where the stream was, not how fast it runs: the next observation sets the place anew.
    ///
    /// To be called when frames or time were lost: after an xrun, or when the device came back.
    package mutating func reanchor() { fit.forgetPlace() }

    /// The moment `frame` is heard (playback) or was heard by the microphone (capture); `nil` before any observation.
    package func time(ofFrame frame: Int64) -> MonotonicTime? {
        guard isRunning else { return nil }
        let x = Double(frame - originFrame) / Double(sampleRate)
        let seconds = x + fit.value(at: x)
        // Far outside of what an Int64 of nanoseconds holds: 292 years.
        guard abs(seconds) < 9e9 else { return nil }
        return MonotonicTime(nanoseconds: originTime.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// The frame at the converter at `time`, rounded to the nearest; `nil` before any observation.
    package func frame(at time: MonotonicTime) -> Int64? {
        guard isRunning else { return nil }
        let seconds = (time - originTime).inSeconds
        // x + a + b·(x - mean) = seconds, solved for x.
        let x = (seconds - fit.meanY + fit.slope * fit.meanX) / (1 + fit.slope)
        return originFrame + Int64((x * Double(sampleRate)).rounded())
    }

    /// How much faster than its label the card runs, over the last ten seconds.
    package var rateError: PartsPerMillion { PartsPerMillion(ratio: 1 / (1 + fit.slope)) }

    /// x: seconds by the frame count; y: by how much the clock is ahead of that.
    private func coordinates(_ frame: Int64, _ time: MonotonicTime) -> (x: Double, y: Double) {
        let x = Double(frame - originFrame) / Double(sampleRate)
        return (x, (time - originTime).inSeconds - x)
    }
}
