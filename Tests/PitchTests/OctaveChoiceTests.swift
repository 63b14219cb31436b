import Foundation
import Music
import Spectral
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

/// A detector at 16 kHz that has heard `signal` and has not looked at it yet: the copies of a lower rate are what costs,
/// and its windows last as long as at any other rate.
func detector(hearing signal: [Float], longestWindow: Double = 0.3) throws -> HarmonicDetector {
    var detector = try HarmonicDetector(sampleRate: 16.0.kilohertz, longestWindow: longestWindow)
    let hop = detector.hop
    for start in stride(from: 0, through: signal.count - hop, by: hop) {
        detector.analyzer.bank.update(from: Array(signal[start..<(start + hop)]).span, newest: hop)
    }
    return detector
}

/// 18 hops of 80, more than the window of 1,365 samples in which a note is found.
private let count = 1_440

/// `signal` and another, sample by sample.
private func + (one: [Float], other: [Float]) -> [Float] { zip(one, other).map { $0 + $1 } }

extension HarmonicDetector {
    /// The octave that is chosen in the newest 85 ms; `running` is a note that was heard before.
    fileprivate mutating func chosen(running: Double = 0) throws -> Double {
        let length = analyzer.sizes.middle
        _ = analyzer.findPeriods(in: length)
        let first = analyzer.candidates.first
        return analyzer.chooseOctave(
            first: try #require(first), in: Stretch(start: analyzer.end - length, isOnset: false),
            running: RunningNote(frequency: running, stiffness: 0, age: 0, isFollowed: false))
    }
}

@Suite struct OctaveChoiceTests {
    @Test func `Tones with weak or missing fundamentals, gaps and stiffness are heard in their own octave`() throws {
        let seed: UInt64 = 101
        var generator = SeededGenerator(seed: seed)
        var missing = 0
        for trial in 0..<120 {
            let frequency = generator.logUniform(41, 800)
            let partials = min(Int.random(in: 4...20, using: &generator), Int(7_000 / frequency))
            var amplitudes = (1...partials).map { Double.random(in: 0.4...1, using: &generator) / Double($0) }
            if partials >= 6, Bool.random(using: &generator) {
                amplitudes[0] = 0
                missing += 1
            }
            // The fits here are rigid: the highest partial off by a 40th of the fundamental, k³ B / 2, at most.
            let stiffness = Double.random(in: 0...0.05, using: &generator) / pow(Double(partials), 3)
            var signal = whiteNoise(count: count, rms: 0.001, using: &generator)
            for (index, amplitude) in amplitudes.enumerated() {
                let k = Double(index + 1)
                let stretched = k * frequency * (1 + min(1e-3, stiffness) * k * k).squareRoot()
                signal =
                    signal
                    + sine(
                        frequency: stretched, sampleRate: 16_000, count: count, amplitude: 0.1 * amplitude,
                        phase: Double.random(in: 0...6.28, using: &generator))
            }
            var detector = try detector(hearing: signal)
            let ratio = try detector.chosen() / frequency
            // Half a semitone: B shifts a fit of rigid partials by less, the next candidate lies far beyond.
            #expect(
                abs(ratio - 1) < 0.03,
                "seed \(seed), trial \(trial): \(frequency) Hz, \(partials), B \(stiffness), \(ratio)")
        }
        #expect(missing > 20)
    }

    /// Partials 2, 4, … 24 of 200 Hz with powers 1e-2 / k², noise of 1e-4, odd ones of `share` of that noise, all alike.
    private func ambiguous(_ share: Double, using generator: inout SeededGenerator) -> [Float] {
        var signal = whiteNoise(count: count, rms: 0.01, using: &generator)
        for k in 1...24 {
            let power = k % 2 == 0 ? 1e-2 / Double(k * k) : 1e-4 * share / 12
            signal =
                signal
                + sine(
                    frequency: 200 * Double(k), sampleRate: 16_000, count: count, amplitude: (2 * power).squareRoot(),
                    phase: Double.random(in: 0...6.28, using: &generator))
        }
        return signal
    }

    /// By how much the description of a tone of 200 Hz is shorter than that of one of 400 Hz, and how far chance moves it.
    ///
    /// The odd ones of 36 partials below 7,200 Hz save N ln(1 + share) and cost 2 · 18 ln N, less what their 36 numbers
    /// explain of the noise. They beat with the noise, with a spread of 2 √(N · share); 36 numbers of it vary by √72.
    private func advantage(_ share: Double) -> (value: Double, spread: Double) {
        let n = 1_365.0
        return (n * log(1 + share) + 36 - 36 * log(n), 2 * (n * share).squareRoot() + 8.5)
    }

    @Test func `The octave is the one with the shorter description, on both sides of the border`() throws {
        let seed: UInt64 = 102
        var generator = SeededGenerator(seed: seed)
        var (lower, upper) = (0, 0)
        for trial in 0..<120 {
            let share = generator.logUniform(0.005, 5)
            let (value, spread) = advantage(share)
            // The lower octave's description is taken where its last step begins, which may cost it a part in ten.
            let isLower = value > 4 * spread + 1_365 * log(1.1)
            guard isLower || value < -4 * spread else { continue }
            var detector = try detector(hearing: ambiguous(share, using: &generator))
            let chosen = try detector.chosen()
            #expect(
                abs(chosen / (isLower ? 200 : 400) - 1) < 0.005,
                "seed \(seed), trial \(trial): \(chosen) Hz at \(share)")
            if isLower { lower += 1 } else { upper += 1 }
        }
        #expect(lower > 20 && upper > 20, "\(lower) \(upper)")
    }

    @Test func `A note that is heard already is preferred, which decides near the border`() throws {
        let seed: UInt64 = 103
        var generator = SeededGenerator(seed: seed)
        var drawn = 0
        for trial in 0..<40 {
            let share = generator.logUniform(0.1, 0.5)
            var detector = try detector(hearing: ambiguous(share, using: &generator))
            let (alone, low, high) = (
                try detector.chosen(), try detector.chosen(running: 200), try detector.chosen(running: 400)
            )
            // The bonus only draws towards the running note.
            #expect(alone > 300 || low < 300, "seed \(seed), trial \(trial)")
            #expect(alone < 300 || high > 300, "seed \(seed), trial \(trial)")
            if low < 300, high > 300 { drawn += 1 }
            // 6 ln N = 43 is no match for a clear case.
            let (value, spread) = advantage(share)
            if value < -4 * spread - 43 { #expect(low > 300, "seed \(seed), trial \(trial): \(share)") }
        }
        #expect(drawn > 3, "\(drawn)")
    }

    @Test func `A line of its own beside half the frequency is a resonance, partials in between are a lower note`()
        throws
    {
        let seed: UInt64 = 104
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<100 {
            let frequency = generator.logUniform(180, 580)
            func tone(_ frequency: Double) -> [Float] {
                harmonicTone(
                    frequency: frequency, sampleRate: 16_000, count: count, rms: 0.1, partials: 12, using: &generator)
            }
            let note = tone(frequency) + whiteNoise(count: count, rms: 0.0005, using: &generator)
            // 35 to 60 cents beside the octave below, 14 to 20 dB down.
            let off = pow(2, Double.random(in: 35...60, using: &generator) / 1_200)
            let aside = frequency / 2 * (Bool.random(using: &generator) ? off : 1 / off)
            let line = sine(
                frequency: aside, sampleRate: 16_000, count: count,
                amplitude: 0.14 * pow(10, Double.random(in: -1 ... -0.7, using: &generator)))
            var resonant = try detector(hearing: note + line)
            let upper = try resonant.chosen()
            #expect(abs(upper / frequency - 1) < 0.01, "seed \(seed), trial \(trial): \(upper) of \(frequency)")
            // A note an octave below, as strong.
            var both = try detector(hearing: note + tone(frequency / 2))
            let found = try both.chosen()
            #expect(abs(2 * found / frequency - 1) < 0.01, "seed \(seed), trial \(trial): \(found) below \(frequency)")
        }
    }

    @Test func `Stretched partials in between are a lower note too, when there are several`() throws {
        let seed: UInt64 = 105
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<60 {
            let frequency = generator.logUniform(80, 250)
            // The fifth partial lies 12 to 25 cents above its place, which one line of its own would not be forgiven.
            let stiffness = Double.random(in: 5.6e-4...1.2e-3, using: &generator)
            var signal = whiteNoise(count: count, rms: 0.0005, using: &generator)
            for k in 1...6 {
                signal =
                    signal
                    + sine(
                        frequency: frequency * Double(k) * (1 + stiffness * Double(k * k)).squareRoot(),
                        sampleRate: 16_000, count: count, amplitude: k % 2 == 0 ? 0.1 : 0.05,
                        phase: Double.random(in: 0...6.28, using: &generator))
            }
            var detector = try detector(hearing: signal)
            let chosen = try detector.chosen()
            #expect(abs(chosen / frequency - 1) < 0.03, "seed \(seed), trial \(trial): \(chosen) of \(frequency)")
        }
    }
}
