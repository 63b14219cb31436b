import Music
@_spi(Engine) @testable import Pitch

/// The readings of the harmonic method on a signal, from the first sample to the last.
func heard(
    _ signal: [Float], sampleRate: Double = 48_000, hop: Int? = nil, longestWindow: Double = 0.3
) throws -> [PitchReading] {
    let detector = try HarmonicDetector(sampleRate: sampleRate.hertz, hop: hop, longestWindow: longestWindow)
    var tracker = PitchTracker(detector: detector, capacity: 10_000)
    tracker.process(signal.span)
    var result: [PitchReading] = []
    tracker.drain { result.append($0) }
    return result
}
