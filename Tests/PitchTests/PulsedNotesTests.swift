import Foundation
import Music
@_spi(Engine) import Pitch
import Testing
import TestSignals

/// Notes whose sound comes in pulses, one a period, with next to nothing between them: low reeds, bows and voices.
@Suite struct PulsedNotesTests {
    /// All partials below 8 kHz in phase, strongest about a resonance of 1,200 Hz, 250 Hz wide; `rms` of the whole.
    private func pulses(_ frequency: Double, rms: Double, seconds: Double, using generator: inout SeededGenerator)
        -> [Float]
    {
        let partials = (1..<Int(8_000 / frequency)).map { k in
            let detuning = (Double(k) * frequency - 1_200) / 250
            return (Double(k), 1 / (1 + detuning * detuning).squareRoot())
        }
        let scale = rms * (2 / partials.reduce(0) { $0 + $1.1 * $1.1 }).squareRoot()
        // 40 dB below.
        let noise = whiteNoise(count: Int(seconds * 48_000), rms: rms / 100, using: &generator)
        return noise.indices.map { n in
            let phase = 2 * Double.pi * frequency * Double(n) / 48_000
            return noise[n] + Float(scale * partials.reduce(0) { $0 + $1.1 * cos($1.0 * phase) })
        }
    }

    /// The share of the readings from 0.3 s on that tell the pitch within 5 cents.
    private func share(of frequency: Double, in signal: [Float], hop: Int? = nil) throws -> Double {
        var tracker = PitchTracker(
            detector: try HarmonicDetector(sampleRate: 48.0.kilohertz, hop: hop), capacity: 4_096)
        tracker.process(signal.span)
        var (count, right) = (0, 0)
        tracker.drain { reading in
            guard reading.frame > 14_400 else { return }
            count += 1
            let error = Cents(from: frequency.hertz, to: reading.frequency).value
            right += reading.state == .voiced && abs(error) < 5 ? 1 : 0
        }
        return Double(right) / Double(max(1, count))
    }

    /// A hop of 1 ms to 21 ms: what came before an attack is looked for in milliseconds, not in hops.
    @Test(arguments: [48, 100, 256, 1_024], [30.9, 41.2])
    func `A pulse is not an attack, whatever the hop`(hop: Int, frequency: Double) throws {
        var generator = SeededGenerator(seed: 311)
        let signal = pulses(frequency, rms: 0.1, seconds: 1, using: &generator)
        let share = try share(of: frequency, in: signal, hop: hop)
        #expect(share == 1)
    }

    /// At -60 dB of full scale the pauses between the pulses lie far below the level of silence, -70 dB.
    @Test(arguments: [30.9, 41.2, 61.7, 98]) func `The pause between two pulses is not silence`(frequency: Double)
        throws
    {
        var generator = SeededGenerator(seed: 312)
        let signal = pulses(frequency, rms: 0.001, seconds: 1, using: &generator)
        #expect(try share(of: frequency, in: signal) == 1)
    }

    @Test func `Silence is told a period and a half after a sound that ends at once`() throws {
        var generator = SeededGenerator(seed: 313)
        var signal = pulses(110, rms: 0.1, seconds: 1, using: &generator)
        signal += [Float](repeating: 0, count: 24_000)
        var tracker = PitchTracker(detector: try HarmonicDetector(sampleRate: 48.0.kilohertz))
        tracker.process(signal.span)
        tracker.drain { reading in
            // 13.6 ms are three hops; and two in which they, and the sound, end.
            if reading.frame > 48_000 + 5 * 256 { #expect(reading.state == .silence, "\(reading.frame)") }
            #expect(reading.frequency.value.isFinite && reading.standardError.value.isFinite)
        }
    }
}
