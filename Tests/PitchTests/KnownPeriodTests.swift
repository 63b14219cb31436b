import Foundation
import Music
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

private func cents(_ reading: PitchReading, _ truth: Double) -> Double {
    Cents(from: truth.hertz, to: reading.frequency).value
}

/// Calls `body` with the samples in memory of their own.
private func withMemory<Result>(_ samples: [Float], _ body: (UnsafeMutableBufferPointer<Float>) -> Result) -> Result {
    var samples = samples
    return samples.withUnsafeMutableBufferPointer { body($0) }
}

@Suite struct KnownPeriodTests {
    @Test func `The normalised difference at a lag is that of the definition`() {
        var generator = SeededGenerator(seed: 131)
        for _ in 0..<100 {
            let count = Int.random(in: 40...700, using: &generator)
            let lag = Int.random(in: 2..<(count - 2), using: &generator)
            let samples = (0..<count).map { _ in Float(generator.normal()) }
            func value(_ lag: Int) -> Double {
                var (product, energy) = (0.0, 0.0)
                for n in 0..<(count - lag) {
                    let (a, b) = (Double(samples[n]), Double(samples[n + lag]))
                    product += a * b
                    energy += a * a + b * b
                }
                return 2 * product / energy
            }
            // The same parabola through the same three points, in double precision.
            let (before, top, after) = (value(lag - 1), value(lag), value(lag + 1))
            let curvature = before - 2 * top + after
            let offset = curvature < 0 ? 0.5 * (before - after) / curvature : 2
            let expected = abs(offset) <= 1 ? top - 0.25 * (before - after) * offset : top
            let found = withMemory(samples) { x in
                repetition(of: x, energy: samples.reduce(0) { $0 + $1 * $1 }, after: Double(lag))
            }
            // Sums of up to 1,400 products of floats: 1e-4 of the energy of at least a handful of samples.
            #expect(abs(found - expected) < 2e-3, "\(count) samples, lag \(lag): \(found), not \(expected)")
        }
    }

    @Test func `A note's own period is told without a search, and an octave above it is not mistaken for it`() throws {
        var generator = SeededGenerator(seed: 132)
        let candidates = try PeriodCandidates(longestWindow: 4_096, longestLag: 2_200)
        for _ in 0..<100 {
            let period = Double.random(in: 41...600, using: &generator)
            let offset = Float.random(in: -1...1, using: &generator)
            let phases = (0..<8).map { _ in Double.random(in: 0..<(2 * .pi), using: &generator) }
            func tone(_ numbers: [Int]) -> [Float] {
                (0..<2_048).map { n in
                    var sum = 0.0
                    for k in numbers { sum += cos(2 * .pi * Double(k * n) / period + phases[k - 1]) / Double(k) }
                    return offset + Float(sum)
                }
            }
            func clarity(_ samples: [Float]) -> Double? {
                withMemory(samples) { candidates.height(ofKnown: period, in: $0, every: 1) }
            }
            let own = try #require(clarity(tone(Array(1...8))))
            // A parabola through three samples of a peak at whose flanks the 8th partial turns by 1.2 rad.
            #expect(own > 0.97, "period \(period): \(own)")
            // A part of the period repeats as well: a search has to tell.
            #expect(clarity(tone([2, 4, 6, 8])) == nil)
            #expect(clarity(tone([3, 6])) == nil)
            #expect(clarity(tone([5])) == nil)
            #expect(clarity(tone([7])) == nil)
            let noise = (0..<2_048).map { _ in Float(generator.normal()) }
            // In noise either a part is as high by chance, or the height is that of noise: 4 standard errors of 1/√1400.
            if let height = clarity(noise) { #expect(abs(height) < 0.11) }
        }
        let long = (0..<100).map { Float(sin(Double($0))) }
        #expect(withMemory(long) { candidates.height(ofKnown: 50, in: $0, every: 1) } == nil, "no two periods")
        #expect(
            withMemory(long) { candidates.height(ofKnown: 39, in: $0, every: 1) } == nil, "too few samples a period")
    }

    @Test func `A slur to a harmonic of the note is heard, whichever it is`() throws {
        var generator = SeededGenerator(seed: 133)
        for number in [2, 3, 5, 7] {
            for low in [110.0, 147] {
                let rate = 48_000.0
                // No attack: a second each, 20 ms of crossfade, equal powers.
                let count = 96_000
                let high = low * Double(number)
                let first = harmonicTone(
                    frequency: low, sampleRate: rate, count: count, slope: 1, missingFundamental: false,
                    using: &generator)
                let second = harmonicTone(
                    frequency: high, sampleRate: rate, count: count, slope: 1, missingFundamental: false,
                    using: &generator)
                let slur = (0..<count).map { n in
                    let share = Float(max(0, min(1, (Double(n) - 48_000) / 960)))
                    return first[n] * (1 - share).squareRoot() + second[n] * share.squareRoot()
                }
                let last = try #require(try heard(slur).last { $0.frame < 48_000 + 24_000 })
                #expect(last.state == .voiced && abs(cents(last, high)) < 1, "\(low) Hz to \(high) Hz: \(last)")
            }
        }
    }
}
