public import Music
@_spi(Engine) public import Pitch
internal import Realtime

/// A tuner's ear: everything the analysis thread runs hangs below `process`.
///
///     var engine = try TunerEngine(sampleRate: 48.0.kilohertz)
///     engine.process(block.span)
///     while let reading = engine.nextReading() { show(reading) }
///
/// Blocks may have any size, and the readings do not depend on it; 1,024 of them wait to be pulled. Nothing allocates, locks or throws after `init`;
/// the compiler checks it. Samples that are not finite count as silence.
public struct TunerEngine: ~Copyable, Sendable {
    private var tracker: PitchTracker<MethodDetector>

    /// An engine for one sample rate. Allocates.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 to 192 kHz.
    ///   - method: which way the pitch is measured.
    ///   - hop: samples between readings, 1 to 50 ms; by default 5.33 ms (256 samples at 48 kHz).
    ///   - longestWindow: seconds that a steady note's reading rests on at most, 0.085 to 1; the error falls as its power
    ///     of -1.5. `mcleod` and `yin` have windows of their own.
    public init(
        sampleRate: Hertz, method: PitchMethod = .harmonic, hop: Int? = nil, longestWindow: Double = 0.3
    ) throws(PitchError) {
        let detector = try MethodDetector(method, sampleRate: sampleRate, hop: hop, longestWindow: longestWindow)
        tracker = PitchTracker(detector: detector)
    }

    /// How many samples lie between two readings.
    public var hop: Int { @_noLocks get { tracker.detector.hop } }

    /// How many readings were lost because nobody pulled them in time.
    public var droppedReadings: Int { @_noLocks get { tracker.droppedReadings } }

    /// Takes in mono samples, full scale ±1, as many as there are.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) { tracker.process(samples) }

    /// The oldest reading that was not pulled yet, or `nil`.
    @_noLocks public mutating func nextReading() -> PitchReading? { tracker.nextReading() }

    /// Starts again as if no sample had come yet.
    @_noLocks public mutating func reset() { tracker.reset() }
}
