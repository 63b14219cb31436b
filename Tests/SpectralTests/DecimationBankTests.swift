import Foundation
import Spectral
import Testing
import TestSignals

@Suite struct DecimationBankTests {
    private func fed(_ signal: [Float], base: Int, hop: Int) -> DecimationBank {
        var bank = DecimationBank(base: base, levelCount: 5, length: 8_192, hop: hop)
        for start in stride(from: 0, to: signal.count - hop + 1, by: hop) {
            bank.update(from: Array(signal[start..<(start + hop)]).span, newest: hop)
        }
        return bank
    }

    @Test(arguments: [1, 2]) func `A copy is the input at every so many samples, for what is within its band`(base: Int)
    {
        let signal = sine(frequency: 150, sampleRate: 48_000, count: 9_600, phase: 0.3)
        var bank = fed(signal, base: base, hop: 240)
        for level in 0..<5 {
            let (factor, count) = (bank.factor(level), bank.count(level))
            let copy = bank.latest(100, of: level)
            var worst: Float = 0
            for n in 0..<100 { worst = max(worst, abs(copy[n] - signal[(count - 100 + n) * factor])) }
            // The ripple of a Kaiser window of β = 7 is -70 dB, of an amplitude of 1/2.
            #expect(worst < 2.5e-4 && factor == base << level, "factor \(factor): \(worst)")
        }
    }

    @Test func `What lies beyond half a copy's rate is gone from it`() {
        let signal = sine(frequency: 5_000, sampleRate: 48_000, count: 9_600)
        var bank = fed(signal, base: 1, hop: 256)
        let copy = bank.latest(200, of: 3)
        // 5 kHz is over half of 6 kHz; -70 dB of 1/2.
        #expect(copy.allSatisfy { abs($0) < 2.5e-4 })
        #expect(bank.latest(200, of: 1).contains { abs($0) > 0.3 })
    }

    @Test func `The noise density makes up for the band's edge`() {
        var generator = SeededGenerator(seed: 8)
        let noise = whiteNoise(count: 96_000, rms: 1, using: &generator)
        var bank = fed(noise, base: 1, hop: 256)
        let copy = bank.latest(2_000, of: 2)
        let power = copy.reduce(0.0) { $0 + Double($1) * Double($1) } / 2_000
        // White noise of unit power has a density of 1/4 in a copy of factor 4; 2,000 samples tell it to 1/√1000 · 3.
        #expect(abs(power * bank.noiseDensity(2) - 0.25) < 0.1 * 0.25)
        #expect(bank.noiseDensity(0) == 1)
    }
}
