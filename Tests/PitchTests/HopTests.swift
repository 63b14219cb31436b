import Foundation
import Music
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

/// 2.5, 5.33, 11 and 50 ms at 48 kHz.
private let hops = [120, 256, 528, 2_400]

@Suite struct HopTests {
    @Test func `A note is found at the same moment with any hop, and told within the hop`() throws {
        var generator = SeededGenerator(seed: 401)
        for frequency in [82.4, 220, 880] {
            let silence = [Float](repeating: 0, count: 4_800)
            let tone = harmonicTone(
                frequency: frequency, sampleRate: 48_000, count: 28_800, attack: 0.003, using: &generator)
            var first: [Double] = []
            for hop in hops {
                let readings = try heard(silence + tone, hop: hop)
                let voiced = try #require(readings.first { $0.state == .voiced })
                first.append(Double(voiced.frame - Int64(hop)) / 48_000)
                let last = try #require(readings.last)
                let cents = Cents(from: frequency.hertz, to: last.frequency).value
                #expect(last.state == .voiced && abs(cents) < 0.01, "\(frequency) Hz, hop \(hop): \(cents) c")
                #expect(readings.filter { $0.frame < 4_800 }.allSatisfy { $0.state == .silence })
            }
            // Two steps of at most 6.1 ms, in which the attack and the note fall differently.
            let (earliest, latest) = (first.min() ?? 0, first.max() ?? 0)
            #expect(latest - earliest < 0.0125 + 0.05, "\(frequency) Hz: \(first)")
            #expect(earliest > 0.05 && latest < 0.18)
        }
    }

    @Test(arguments: [120, 256, 528, 2_400])
    func `A vibrato is followed as closely with any hop, and white noise is not amplified`(hop: Int) throws {
        var generator = SeededGenerator(seed: 402)
        let noise = whiteNoise(count: 144_000, rms: 3e-3, using: &generator)
        func cents(_ t: Double) -> Double { 30 * sin(2 * .pi * 5.5 * t) }
        var phase = 0.0
        let signal = (0..<144_000).map { n -> Float in
            phase += 2 * .pi * 330 * pow(2, cents(Double(n) / 48_000) / 1_200) / 48_000
            let tone = (1...12).reduce(0.0) { $0 + cos(Double($1) * phase + Double($1)) / Double($1) }
            return Float(0.1 * tone) + noise[n]
        }
        var (square, count) = (0.0, 0)
        for reading in try heard(signal, hop: hop) where reading.frame > 24_000 {
            #expect(reading.state == .voiced)
            // A step of several hops is told late by up to half of it on average.
            let step = StepCutter(hop: hop, sampleRate: 48_000).step
            let late = hop < step ? Double(step - hop) / 2 / 48_000 : 0
            let truth = 330 * pow(2, cents(Double(reading.frame) / 48_000 - 0.010 - late) / 1_200)
            let error = Cents(from: truth.hertz, to: reading.frequency).value
            square += error * error
            count += 1
        }
        #expect(count > 45)
        // The bound of `accuracy`, and half a hop of 2.5 ms at 1 c/ms.
        let rms = (square / Double(count)).squareRoot()
        #expect(rms < 0.8 + (hop < 256 ? 1.3 : 0), "\(rms) c at a hop of \(hop)")
    }

    @Test func `Steps are 3 to 6 ms, whole, and hold every sample in turn`() {
        for (rate, hop) in [
            (48_000.0, 48), (48_000, 120), (48_000, 256), (48_000, 2_400), (8_000, 48), (44_100, 2_203),
        ] {
            var cutter = StepCutter(hop: hop, sampleRate: rate)
            #expect(Double(cutter.step) > 0.003 * rate && Double(cutter.step) < 0.0062 * rate, "\(rate) \(hop)")
            var (given, taken) = (0, [Float]())
            for _ in 0..<50 {
                let window = (0..<hop).map { Float(given + $0) }
                given += hop
                let steps = cutter.add(window.span, newest: hop)
                for index in 0..<steps { taken += cutter.step(index) }
            }
            #expect(taken == (0..<taken.count).map(Float.init) && given - taken.count < cutter.step)
        }
    }
}
