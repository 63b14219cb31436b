import Foundation
import Music
import Realtime
import Synthesis
import Testing

@Suite struct ToneGeneratorTests {
    private static let rate = 48_000.0

    /// A second of tones; `change` is pushed after half of it.
    private func tone(_ frequencies: [Double], level: Double = 0, change: ToneCommand? = nil) -> [Float] {
        let ring = SPSCRing<ToneCommand>(minimumCapacity: 4, filler: .release)
        var commands = ring.producer
        var generator = ToneGenerator(
            frequencies: frequencies.map { $0.hertz }, color: .sine, level: level.decibels,
            sampleRate: Hertz(Self.rate),
            commands: ring.consumer)
        var samples: [Float] = []
        for half in 0..<2 {
            if half == 1, let change { _ = commands.push(change) }
            var block = [Float](repeating: 0, count: 24_000)
            var span = block.mutableSpan
            generator.render(into: &span)
            samples += block
        }
        return samples
    }

    /// The amplitude of a frequency, over a whole number of its periods.
    private func amplitude(_ frequency: Double, in samples: ArraySlice<Float>) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / Self.rate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    @Test func `Two tones sound at half the amplitude each, and never clip together`() {
        let samples = tone([100, 150])
        // After the ramp of 10 ms: 0.4 s are whole periods of both.
        let steady = samples[4_800..<24_000]
        #expect(abs(amplitude(100, in: steady) - 0.5) < 1e-3 && abs(amplitude(150, in: steady) - 0.5) < 1e-3)
        #expect(samples.allSatisfy { abs($0) <= 1 })
    }

    @Test func `A voice changes its pitch, and the other goes on`() {
        let samples = tone([100, 150], change: .pitch(200.hertz, voice: 1))
        let steady = samples[28_800..<48_000]
        #expect(abs(amplitude(100, in: steady) - 0.5) < 1e-3 && abs(amplitude(200, in: steady) - 0.5) < 1e-3)
        #expect(amplitude(150, in: steady) < 1e-2)
        // No jump: two sines of 0.5 rise by at most their slopes in a sample.
        let steepest = 2 * Double.pi * (0.5 * 100 + 0.5 * 200) / Self.rate
        let steps = zip(samples, samples.dropFirst()).map { Double(abs($1 - $0)) }
        #expect((steps.max() ?? 1) < steepest * 1.01)
    }

    @Test func `The level changes within a tenth of a second, without a jump`() {
        let samples = tone([100], change: .level((-20.0).decibels))
        #expect(abs(amplitude(100, in: samples[28_800..<48_000]) - 0.1) < 1e-3)
        let steepest = 2 * Double.pi * 100 / Self.rate + 1 / (0.01 * Self.rate)
        let steps = zip(samples, samples.dropFirst()).map { Double(abs($1 - $0)) }
        #expect((steps.max() ?? 1) < steepest)
    }
}
