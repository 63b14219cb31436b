import Foundation
import Music
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

/// The readings of a tone of `partials` partials 1/k whose pitch moves by `cents(t)`.
private func readings(
    _ frequency: Double, partials: Int, noise: Double, using generator: inout SeededGenerator,
    moving cents: (Double) -> Double
) throws -> [PitchReading] {
    let rate = 16_000.0
    let count = 24_000
    let offsets = (1...partials).map { _ in Double.random(in: 0...(2 * .pi), using: &generator) }
    let hiss = whiteNoise(count: count, rms: noise, using: &generator)
    var (phase, signal) = (0.0, [Float]())
    for n in 0..<count {
        phase += 2 * .pi * frequency * pow(2, cents(Double(n) / rate) / 1_200) / rate
        let tone = (1...partials).reduce(0.0) { $0 + cos(Double($1) * phase + offsets[$1 - 1]) / Double($1) }
        signal.append(Float(0.1 * tone) + hiss[n])
    }
    var tracker = PitchTracker(detector: try HarmonicDetector(sampleRate: 16.0.kilohertz))
    tracker.process(signal.span)
    var heard: [PitchReading] = []
    tracker.drain { heard.append($0) }
    return heard
}

@Suite struct GlideFollowingTests {
    @Test func `Low notes in vibrato and glides are followed as closely as high ones`() throws {
        let seed: UInt64 = 151
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<16 {
            let frequency = exp(Double.random(in: log(75)...log(600), using: &generator))
            let slope = Double.random(in: -150...150, using: &generator)
            func cents(_ t: Double) -> Double { trial % 2 == 0 ? 30 * sin(2 * .pi * 5.5 * t) : slope * t }
            let heard = try readings(
                frequency, partials: min(30, Int(7_000 / frequency)), noise: 1e-4, using: &generator, moving: cents)
            var (square, count) = (0.0, 0)
            for reading in heard where reading.frame > 8_000 {
                let truth = frequency * pow(2, cents(Double(reading.frame) / 16_000 - 0.010) / 1_200)
                #expect(reading.state == .voiced)
                let error = 1_200 * log2(reading.frequency.value / truth)
                square += error * error
                count += 1
            }
            #expect(count > 150)
            // The window's curvature takes 0.3 c off a vibrato's turning points; the rest is noise and waiting.
            #expect((square / Double(count)).squareRoot() < 0.8, "\(frequency) Hz, trial \(trial)")
        }
    }

    @Test func `A pitch that jumps about in noise never runs away from the note`() throws {
        let seed: UInt64 = 152
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let frequency = exp(Double.random(in: log(100)...log(900), using: &generator))
            let depth = Double.random(in: 5...25, using: &generator)
            let steps = (0..<400).map { _ in Double.random(in: -1...1, using: &generator) }
            // A bow's jitter: a new pitch every 5 ms, smoothed by the line between.
            func cents(_ t: Double) -> Double {
                let (index, part) = (Int(t / 0.005), (t / 0.005).truncatingRemainder(dividingBy: 1))
                return depth * (steps[index] * (1 - part) + steps[index + 1] * part)
            }
            let heard = try readings(
                frequency, partials: min(20, Int(7_000 / frequency)), noise: 3e-3, using: &generator, moving: cents)
            let voiced = heard.filter { $0.state == .voiced && $0.frame > 4_000 }
            #expect(voiced.count > 150)
            for reading in voiced {
                #expect(abs(1_200 * log2(reading.frequency.value / frequency)) < 2 * depth + 10)
            }
        }
    }
}
