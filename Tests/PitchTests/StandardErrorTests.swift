import Foundation
import Music
@_spi(Engine) import Pitch
import TestSignals
import Testing

@Suite struct StandardErrorTests {
    @Test func `Partials that do not agree are told by the standard error, though noise is far below`() throws {
        var generator = SeededGenerator(seed: 205)
        var (inside, told, white) = (0, 0, 0.0)
        for _ in 0..<24 {
            let frequency = generator.logUniform(150, 900)
            var signal = whiteNoise(count: 28_800, rms: 1e-4, using: &generator).map(Double.init)
            for k in 1...12 {
                // One cent off, give or take, each for itself.
                let partial = frequency * Double(k) * exp2(generator.normal() / 1_200)
                let phase = Double.random(in: 0...6.28, using: &generator)
                for n in signal.indices {
                    signal[n] += 0.1 / Double(k) * cos(2 * .pi * partial * Double(n) / 48_000 + phase)
                }
            }
            let reading = try #require(try heard(signal.map { Float($0) }).last)
            #expect(reading.state == .voiced)
            let cents = abs(Cents(from: frequency.hertz, to: reading.frequency).value)
            // 60 dB over noise the bound is some thousandths of a cent.
            white += reading.standardError.value / 24
            if cents <= 2 * reading.standardError.value { inside += 1 }
            told += 1
        }
        // 95 % of 24 are 23; a dozen partials tell their own scatter to a fifth, and fewer than 19 are one case in 500.
        #expect(told == 24 && inside >= 19, "\(inside)")
        #expect(white > 0.05 && white < 3, "\(white) c")
    }
}
