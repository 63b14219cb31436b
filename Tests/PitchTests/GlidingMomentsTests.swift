import Foundation
import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct GlidingMomentsTests {
    @Test func `The recurrence gives the plain sums in bent time, for any frequencies, lengths and slopes`() {
        let seed: UInt64 = 141
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let length = Int.random(in: 24...600, using: &generator)
            let count = Int.random(in: 1...12, using: &generator)
            let glide = Double.random(in: -0.1...0.1, using: &generator) / Double(length)
            let frequencies = (0..<count).map { _ in Double.random(in: 0...2.9, using: &generator) }
            let samples = SampleBuffer<Float>(count: length)
            for n in 0..<length { samples.unsafeElements[n] = Float.random(in: -1...1, using: &generator) }
            let rows = SampleBuffer<Float>(count: 6 * PartialMoments.stride)
            let energy = measure(samples, glide: glide, frequencies, into: rows)
            #expect(energy > 0.1 * Double(length))
            let half = Double(length - 1) / 2
            for (k, frequency) in frequencies.enumerated() {
                for power in 0..<2 {
                    var (c, s) = (0.0, 0.0)
                    for n in 0..<length {
                        let m = Double(n) - half
                        let u = m + glide * (m * m - half * half) / 2
                        let y = (1 + glide * m) * pow(u, Double(power)) * Double(samples.unsafeElements[n])
                        c += y * cos(frequency * u)
                        s += y * sin(frequency * u)
                    }
                    // As for a steady tone, and the step's own drift, which grows with the square of 75 steps.
                    let least = 1e-3 * pow(half, Double(power)) * Double(length).squareRoot()
                    let at = 2 * power * PartialMoments.stride + k
                    #expect(abs(Double(rows.start[at]) - c) < least)
                    #expect(abs(Double(rows.start[at + PartialMoments.stride]) - s) < least)
                }
            }
        }
    }

    @Test func `A tone that glides at the slope expected has the amplitude of one at rest`() {
        let seed: UInt64 = 142
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let length = 2 * Int.random(in: 100...250, using: &generator)
            let frequency = Double.random(in: 0.5...1.5, using: &generator)
            let glide = Double.random(in: 0.02...0.1, using: &generator) / Double(length)
            let phase = Double.random(in: 0...(2 * .pi), using: &generator)
            let half = Double(length - 1) / 2
            let samples = SampleBuffer<Float>(count: length)
            for n in 0..<length {
                let m = Double(n) - half
                samples.unsafeElements[n] = Float(cos(frequency * (m + glide * m * m / 2) + phase))
            }
            func amplitude(expecting glide: Double) -> Double {
                let rows = SampleBuffer<Float>(count: 6 * PartialMoments.stride)
                _ = measure(samples, glide: glide, [frequency], into: rows)
                let (c, s) = (Double(rows.start[0]), Double(rows.start[PartialMoments.stride]))
                return 2 * (c * c + s * s).squareRoot() / Double(length)
            }
            let bent = amplitude(expecting: glide)
            // The double frequency leaves 1 / (N sin ω) at most.
            #expect(abs(bent - 1) < 2 / (Double(length) * sin(frequency)))
            // The control: a glide that nobody expects turns the ends away from the middle.
            let turn = frequency * glide * half * half / 2
            if turn > 1 { #expect(amplitude(expecting: 0) < bent - 0.02) }
        }
    }

    private func measure(
        _ samples: borrowing SampleBuffer<Float>, glide: Double, _ frequencies: [Double],
        into rows: borrowing SampleBuffer<Float>
    ) -> Double {
        let omega = SampleBuffer<Double>(count: PartialMoments.stride)
        for (k, frequency) in frequencies.enumerated() { omega.unsafeElements[k] = frequency }
        return PartialMoments(longest: 600).measure(
            samples.unsafeElements, glide: glide, frequencies: omega.start, count: frequencies.count, into: rows.start)
    }
}
