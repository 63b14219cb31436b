public import Music

/// How the pitch is measured.
@frozen
public enum PitchMethod: String, Sendable, CaseIterable {
    /// This package's own: maximum likelihood of a stiff string's tone.
    case harmonic
    /// McLeod's pitch method, for comparison.
    case mcleod
    /// YIN, for comparison.
    case yin
}

/// A detector whose method is chosen when the program runs.
///
/// One of three optionals rather than an existential, which would allocate, or an enumeration, whose payload can only be
/// changed by moving all of it out and in again.
@_spi(Engine) public struct MethodDetector: ~Copyable, PitchDetector, Sendable {
    /// How many samples lie between two readings.
    public let hop: Int
    /// How many of the newest samples the detector wants to see.
    public let windowLength: Int
    /// The detector of the method; the other two are `nil`.
    private var harmonic: HarmonicDetector?
    private var mcleod: McLeodDetector?
    private var yin: YINDetector?

    /// The detector of a method, for one sample rate. Allocates.
    ///
    /// - Parameter longestWindow: see `HarmonicDetector`; the others have windows of their own.
    public init(
        _ method: PitchMethod, sampleRate: Hertz, hop: Int? = nil, longestWindow: Double = 0.3
    ) throws(PitchError) {
        switch method {
        case .harmonic:
            let detector = try HarmonicDetector(sampleRate: sampleRate, hop: hop, longestWindow: longestWindow)
            (self.hop, windowLength) = (detector.hop, detector.windowLength)
            harmonic = consume detector
        case .mcleod:
            let detector = try McLeodDetector(sampleRate: sampleRate, hop: hop)
            (self.hop, windowLength) = (detector.hop, detector.windowLength)
            mcleod = consume detector
        case .yin:
            let detector = try YINDetector(sampleRate: sampleRate, hop: hop)
            (self.hop, windowLength) = (detector.hop, detector.windowLength)
            yin = consume detector
        }
    }

    /// Reads the pitch at the end of `window`.
    @_noLocks public mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        if let reading = harmonic?.reading(of: window, endingAt: frame) { return reading }
        if let reading = mcleod?.reading(of: window, endingAt: frame) { return reading }
        if let reading = yin?.reading(of: window, endingAt: frame) { return reading }
        return PitchReading(frame: frame, state: .silence, level: Decibels(-.infinity))
    }

    /// Forgets all sound so far.
    @_noLocks public mutating func reset() {
        harmonic?.reset()
        mcleod?.reset()
        yin?.reset()
    }
}
