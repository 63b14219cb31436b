public import Music
@_spi(Engine) public import Pitch
internal import Realtime

/// Detects the pitch of a stream of mono samples.
///
/// ```swift
/// var engine = try TunerEngine(sampleRate: 48.kilohertz)
/// let block = [Float](repeating: 0, count: 512)
/// engine.process(block.span)
/// while let reading = engine.nextReading() { print(reading.frequency.value) }
/// ```
///
/// Blocks may have any size, and the readings do not depend on it. At most 1,024 readings wait; then the oldest are dropped.
/// Nothing allocates, locks or throws after `init`, and the compiler checks that. Samples that are not finite count as
/// silence.
public struct TunerEngine: ~Copyable, Sendable {
    private var tracker: PitchTracker<MethodDetector>

    /// An engine for one sample rate. Allocates.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 to 192 kHz.
    ///   - method: the detector.
    ///   - hop: samples between readings, 1 to 50 ms; by default 5.33 ms (256 samples at 48 kHz).
    ///   - longestWindow: the longest window for a steady note, 85 ms to 1 s; the error falls with the power -1.5 of it.
    ///     `mcleod` and `yin` have windows of their own.
    public init(
        sampleRate: Hertz, method: PitchMethod = .harmonic, hop: Int? = nil,
        longestWindow: Duration = .milliseconds(300)
    ) throws(PitchError) {
        let detector = try MethodDetector(
            method, sampleRate: sampleRate, hop: hop, longestWindow: longestWindow.inSeconds)
        tracker = PitchTracker(detector: detector)
    }

    /// The samples between two readings.
    public var hop: Int { @_noLocks get { tracker.detector.hop } }

    /// How many readings were dropped because they were not taken in time.
    public var droppedReadings: Int { @_noLocks get { tracker.droppedReadings } }

    /// Processes mono samples, full scale ±1.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) { tracker.process(samples) }

    /// The oldest reading that was not taken yet, or `nil`.
    @_noLocks public mutating func nextReading() -> PitchReading? { tracker.nextReading() }

    /// Starts again as before the first sample.
    @_noLocks public mutating func reset() { tracker.reset() }
}
