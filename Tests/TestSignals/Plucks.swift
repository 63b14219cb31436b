import Foundation

/// Adds plucked notes that begin at exact instants, also between two samples: three damped partials, zero before, and below
/// the noise where they are cut off.
///
/// - Parameters:
///   - instants: in samples.
///   - amplitude: of the strongest partial.
public func addPlucks(
    at instants: [Double], to samples: inout [Float], sampleRate: Double, amplitude: Double = 0.4,
    using generator: inout SeededGenerator
) {
    for instant in instants where instant > -1 {
        let pitch = 220 * pow(2, Double(Int.random(in: 0...12, using: &generator)) / 12)
        let loudness = amplitude * Double.random(in: 0.7...1, using: &generator)
        for n in max(0, Int(instant.rounded(.up)))..<max(0, min(samples.count, Int(instant + 1.2 * sampleRate))) {
            let t = (Double(n) - instant) / sampleRate
            var value = 0.0
            for (partial, share) in [(1.0, 0.5), (3, 1), (7, 0.7)] {
                value += share * exp(-t * partial / 0.12) * sin(2 * .pi * pitch * partial * t)
            }
            samples[n] += Float(loudness * value)
        }
    }
}
