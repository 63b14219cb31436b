import Foundation
import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct PartialMomentsTests {
    @Test func `The folded sums are the plain ones, for even and odd lengths`() {
        var generator = SeededGenerator(seed: 52)
        for _ in 0..<100 {
            let length = Int.random(in: 20...400, using: &generator)
            let count = Int.random(in: 1...20, using: &generator)
            let frequencies = SampleBuffer<Double>(count: PartialMoments.stride)
            for k in 0..<count { frequencies.unsafeElements[k] = Double.random(in: 0...3, using: &generator) }
            var moments = PartialMoments(longest: 400)
            moments.prepare(frequencies.unsafeElements, count: count, oddLength: length % 2 == 1)
            let samples = SampleBuffer<Float>(count: length)
            for n in 0..<length { samples.unsafeElements[n] = Float.random(in: -1...1, using: &generator) }
            let rows = SampleBuffer<Float>(count: 6 * PartialMoments.stride)
            let energy = moments.measure(samples.unsafeElements, into: rows.start, withSecond: true)
            var square = 0.0
            for n in 0..<length { square += Double(samples.unsafeElements[n]) * Double(samples.unsafeElements[n]) }
            #expect(square > 0 && abs(energy / square - 1) < 1e-5)
            for k in 0..<count {
                for power in 0..<3 {
                    var (c, s) = (0.0, 0.0)
                    for n in 0..<length {
                        let m = Double(n) - Double(length - 1) / 2
                        let y = pow(m, Double(power)) * Double(samples.unsafeElements[n])
                        c += y * cos(frequencies.unsafeElements[k] * m)
                        s += y * sin(frequencies.unsafeElements[k] * m)
                    }
                    // Float sums of 400 terms; phases drift by 1e-7 per step over 25 steps.
                    let least = 2e-4 * pow(Double(length) / 2, Double(power)) * Double(length).squareRoot()
                    let at = 2 * power * PartialMoments.stride + k
                    #expect(abs(Double(rows.start[at]) - c) < least)
                    #expect(abs(Double(rows.start[at + PartialMoments.stride]) - s) < least)
                }
            }
        }
    }
}
