import Foundation
import TestSignals
import Testing

@testable import Rhythm

@Suite struct PartialSeparationTests {
    private let rate = 48_000.0
    private let length = 2_160

    private func sound(_ partials: [(frequency: Double, amplitude: Double, phase: Double)]) -> [Float] {
        (0..<length).map { n in
            Float(
                partials.reduce(0) { $0 + $1.amplitude * cos(2 * .pi * $1.frequency * Double(n) / rate + $1.phase) })
        }
    }

    private func tone(_ frequency: Double, _ amplitude: Double, _ phase: Double) -> [(
        frequency: Double, amplitude: Double, phase: Double
    )] {
        (1...6).map { (frequency * Double($0), amplitude / Double($0), phase * Double($0)) }
    }

    /// A tone's power, parted from one of 10 times its amplitude a whole tone, a fourth or a fifth away, is what it is without that one.
    /// The ridge of 1e-3 leaves 60 dB of the other one, which is 20 dB above it.
    @Test(arguments: [(110.0, 123.5), (98, 130.8), (123.5, 82.4), (220, 233.1), (440, 659.3)])
    func `A loud tone beside another one does not change its power`(pair: (Double, Double)) throws {
        var separation = PartialSeparation(sampleRate: rate, length: length)
        var generator = SeededGenerator(seed: 1)
        let isParted = separation.part(pair.0, from: pair.1)
        #expect(isParted)
        for _ in 0..<20 {
            let phases = (0..<2).map { _ in Double.random(in: 0..<(2 * .pi), using: &generator) }
            let own = tone(pair.0, 0.05, phases[0])
            let alone = separation.power(sound(own))
            let both = separation.power(sound(own + tone(pair.1, 0.5, phases[1])))
            let other = separation.power(sound(tone(pair.1, 0.5, phases[1])))
            #expect(abs(both / alone - 1) < 0.1, "\(both / alone)")
            #expect(other < 0.01 * alone, "\(other / alone)")
        }
    }

    /// Without another tone the filters are those of a Hann window: their output is half of its sum times half of the amplitude.
    @Test func `Without another tone the power is that of the partials`() {
        var separation = PartialSeparation(sampleRate: rate, length: length)
        let isParted = separation.part(440, from: 0)
        #expect(isParted)
        let power = separation.power(sound(tone(440, 0.5, 1)))
        let expected = (1...6).reduce(0) { $0 + pow(0.5 / Double($1) * Double(length) / 4, 2) }
        // The ridge takes 0.1 % of the amplitude.
        #expect(abs(power / expected - 1) < 0.003, "\(power / expected)")
    }

    @Test(arguments: [(440.0, 440.0), (440, 220), (440, 445)])
    func `A tone whose partials are all those of the other one has none of its own`(pair: (Double, Double)) {
        var separation = PartialSeparation(sampleRate: rate, length: length)
        let isParted = separation.part(pair.0, from: pair.1)
        #expect(!isParted)
    }
}
