import Foundation
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct LongerPeriodTests {
    /// The candidates of partials of 200 Hz with the given amplitudes, over white noise, in 4,096 samples at 48 kHz.
    private func candidates(_ amplitudes: [Double], noise: Double = 0, seed: UInt64 = 1) throws -> PeriodCandidates {
        var generator = SeededGenerator(seed: seed)
        let samples = (0..<4_096).map { n in
            var y = noise * generator.normal()
            for (index, amplitude) in amplitudes.enumerated() {
                y += amplitude * cos(2 * .pi * 200 * Double((index + 1) * n) / 48_000 + Double(index * index))
            }
            return Float(y)
        }
        var candidates = try PeriodCandidates(longestWindow: 4_096, longestLag: 2_234)
        var copy = samples
        copy.withUnsafeMutableBufferPointer {
            candidates.find($0, every: 1, shortest: 48_000 / 5_600, longest: 48_000 / 21.5)
        }
        return candidates
    }

    private func hasClearerMultiple(_ candidates: borrowing PeriodCandidates, of period: Double) -> Bool {
        candidates.hasClearerMultiple(of: period, below: 0.9, PitchConstants())
    }

    @Test func `The period of a strong second partial is only a part of the note's`() throws {
        let candidates = try candidates([0.4, 1, 0.4, 0.2])
        let (isPart, isWhole) = (hasClearerMultiple(candidates, of: 120), !hasClearerMultiple(candidates, of: 240))
        #expect(isPart && isWhole)
    }

    @Test func `Noise costs multiples of a period as much as the period`() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            // 5 dB over the noise: the period has three quarters of its height.
            let candidates = try candidates([1, 0.5, 0.3], noise: 0.46, seed: seed)
            let (height, isPart) = (candidates.height(at: 240), hasClearerMultiple(candidates, of: 240))
            #expect(height < 0.9)
            #expect(!isPart)
        }
    }

    @Test func `Where the highest maximum comes after eight others, one of those is the first candidate`() throws {
        // 269.7 Hz 10 dB over a line of 60 Hz: they repeat together after nine periods of one and two of the other.
        let samples: [Float] = (0..<4_096).map { n in
            let turn: Double = 2 * .pi * Double(n) / 48_000
            let (note, hum): (Double, Double) = (sin(269.7 * turn), sin(60 * turn))
            return Float(note + 0.32 * hum)
        }
        var candidates = try PeriodCandidates(longestWindow: 4_096, longestLag: 2_234)
        var copy = samples
        copy.withUnsafeMutableBufferPointer {
            candidates.find($0, every: 1, shortest: 48_000 / 5_600, longest: 48_000 / 21.5)
        }
        let (count, first, highest) = (candidates.count, candidates.first, candidates.highest)
        #expect(count == 8)
        #expect(first != nil)
        #expect(highest < 1)
    }

    @Test func `A resonance below the first periods of a note is none of its partials, and later it may be`() {
        // A single line below partials 2, 4 and 6, with a thirtieth of the power.
        let tone = makeTone([0.04, 1, 0, 0.2, 0, 0.05])
        #expect(tone.isResonance(besides: 2, isRunning: false, isEarly: true, noise: 1e-6))
        #expect(!tone.isResonance(besides: 2, isRunning: false, isEarly: false, noise: 1e-6))
        // Several lines between them are those of a lower note at any time.
        let low = makeTone([0.04, 1, 0.04, 0.2, 0.04, 0.05])
        #expect(!low.isResonance(besides: 2, isRunning: false, isEarly: true, noise: 1e-6))
    }
}
