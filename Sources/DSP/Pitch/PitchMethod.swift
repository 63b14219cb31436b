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
/// An enumeration rather than an existential, which would allocate.
@_spi(Engine) public enum MethodDetector: ~Copyable, PitchDetector, Sendable {
    /// This package's own method.
    case harmonic(HarmonicDetector)
    /// McLeod's pitch method.
    case mcleod(McLeodDetector)
    /// YIN.
    case yin(YINDetector)

    /// The detector of a method, for one sample rate. Allocates.
    ///
    /// - Parameter longestWindow: see `HarmonicDetector`; the others have windows of their own.
    public init(
        _ method: PitchMethod, sampleRate: Hertz, hop: Int? = nil, longestWindow: Double = 0.3
    ) throws(PitchError) {
        switch method {
        case .harmonic:
            self = .harmonic(
                try HarmonicDetector(sampleRate: sampleRate, hop: hop, longestWindow: longestWindow))
        case .mcleod: self = .mcleod(try McLeodDetector(sampleRate: sampleRate, hop: hop))
        case .yin: self = .yin(try YINDetector(sampleRate: sampleRate, hop: hop))
        }
    }

    /// How many samples lie between two readings.
    public var hop: Int {
        @_noLocks get {
            switch self {
            case .harmonic(let detector): detector.hop
            case .mcleod(let detector): detector.hop
            case .yin(let detector): detector.hop
            }
        }
    }

    /// How many of the newest samples the detector wants to see.
    public var windowLength: Int {
        @_noLocks get {
            switch self {
            case .harmonic(let detector): detector.windowLength
            case .mcleod(let detector): detector.windowLength
            case .yin(let detector): detector.windowLength
            }
        }
    }

    /// Reads the pitch at the end of `window`.
    @_noLocks public mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        switch consume self {
        case .harmonic(var detector):
            let reading = detector.reading(of: window, endingAt: frame)
            self = .harmonic(detector)
            return reading
        case .mcleod(var detector):
            let reading = detector.reading(of: window, endingAt: frame)
            self = .mcleod(detector)
            return reading
        case .yin(var detector):
            let reading = detector.reading(of: window, endingAt: frame)
            self = .yin(detector)
            return reading
        }
    }

    /// Forgets all sound so far.
    @_noLocks public mutating func reset() {
        switch consume self {
        case .harmonic(var detector):
            detector.reset()
            self = .harmonic(detector)
        case .mcleod(var detector):
            detector.reset()
            self = .mcleod(detector)
        case .yin(var detector):
            detector.reset()
            self = .yin(detector)
        }
    }
}
