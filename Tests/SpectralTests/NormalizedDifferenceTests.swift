import Foundation
import Spectral
import Testing
import TestSignals

@Suite struct NormalizedDifferenceTests {
    @Test func `It equals its definition for windows of every length`() throws {
        var generator = SeededGenerator(seed: 11)
        var difference = try NormalizedDifference(longestWindow: 700, longestLag: 300)
        for count in [40, 100, 333, 700] {
            let x = whiteNoise(count: count, rms: 0.3, using: &generator)
            let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
            defer { memory.deallocate() }
            _ = memory.initialize(from: x)
            let lags = min(300, count - 1)
            difference.measure(memory, lags: lags)
            for lag in 0...lags {
                var (product, energy) = (0.0, 0.0)
                for j in 0..<(count - lag) {
                    let (a, b) = (Double(x[j]), Double(x[j + lag]))
                    product += a * b
                    energy += a * a + b * b
                }
                // A float FFT's rounding, 1e-6 of the whole energy, over an overlap that may be short.
                let tolerance = 1e-5 * Double(count) / Double(count - lag)
                #expect(abs(Double(difference.values[lag]) - 2 * product / energy) < tolerance)
            }
        }
    }

    @Test func `A period scores one and silence scores nothing`() throws {
        var difference = try NormalizedDifference(longestWindow: 1_000, longestLag: 400)
        let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1_000)
        defer { memory.deallocate() }
        _ = memory.initialize(from: sine(frequency: 480, sampleRate: 48_000, count: 1_000))
        difference.measure(memory, lags: 400)
        #expect(abs(difference.values[100] - 1) < 1e-5 && abs(difference.values[50] + 1) < 1e-5)
        memory.update(repeating: 0)
        difference.measure(memory, lags: 400)
        #expect(difference.values.allSatisfy { $0 == 0 })
    }

    @Test func `A parabola's top is found exactly`() {
        let curve = { (x: Float) -> Float in 3 - 2 * (x - 0.3) * (x - 0.3) }
        let peak = parabolicPeak(curve(-1), curve(0), curve(1))
        #expect(abs(peak.offset - 0.3) < 1e-6 && abs(peak.height - 3) < 1e-6)
        #expect(parabolicPeak(1, 1, 1) == (0, 1))
    }
}
