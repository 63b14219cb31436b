import Foundation
import Music
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct NoteEvidenceTests {
    private func evidence(
        clarity: Double = 0.95, explained: Double = 0.9, periods: Double = 5, agreed: Double = 0.006
    ) -> NoteEvidence {
        NoteEvidence(
            clarity: clarity, explained: explained, periods: periods, agreed: agreed)
    }

    @Test func `A window alone is enough only without noise; two must agree otherwise`() {
        #expect(evidence().isEnough(PitchConstants()))
        #expect(!evidence(agreed: 0).isEnough(PitchConstants()))
        #expect(evidence(explained: 0.995, periods: 1.8, agreed: 0).isEnough(PitchConstants()))
        #expect(!evidence(periods: 2.2).isEnough(PitchConstants()))
    }

    @Test func `What the period lacks the fit may have, and the other way round, but not both`() {
        #expect(evidence(clarity: 0.8, explained: 0.97).isEnough(PitchConstants()))
        #expect(evidence(clarity: 0.97, explained: 0.8).isEnough(PitchConstants()))
        #expect(!evidence(clarity: 0.85, explained: 0.85).isEnough(PitchConstants()))
        #expect(!evidence(clarity: 1, explained: 0.74).isEnough(PitchConstants()))
    }
}

@Suite struct BackgroundTests {
    @Test func `No note of the scale is mains hum, at A4 from 435 to 445 Hz`() {
        for a4 in stride(from: 435.0, through: 445, by: 0.5) {
            for midi in 21...108 {
                let frequency = a4 * pow(2, Double(midi - 69) / 12)
                #expect(!Background.isMains(frequency), "\(frequency) Hz")
            }
        }
        for mains in [49.9, 50, 50.1, 59.9, 60, 60.1, 100, 120] { #expect(Background.isMains(mains)) }
    }

    @Test func `Hum that no attack announced and rumble have no pitch; a note over the hum has`() throws {
        var generator = SeededGenerator(seed: 204)
        for mains in [50.0, 60] {
            let hum = (0..<72_000).map { n -> Float in
                let phase = 2 * .pi * mains * Double(n) / 48_000
                return Float(0.003 * (cos(phase) + 0.5 * cos(2 * phase + 1) + 0.3 * cos(3 * phase + 2)))
            }
            #expect(try voiced(hum).isEmpty)
            let note = harmonicTone(
                frequency: 196, sampleRate: 48_000, count: 36_000, rms: 0.03, attack: 0.005, using: &generator)
            let readings = try voiced(zip(hum, [Float](repeating: 0, count: 36_000) + note).map { $0 + $1 })
            #expect(readings.count > 120)
            for reading in readings where reading.frame > 42_000 {
                #expect(abs(Cents(from: 196.0.hertz, to: reading.frequency).value) < 10)
            }
        }
        let lines = (0..<100).map { _ in (Double.random(in: 15...40, using: &generator), 6.28 * generator.normal()) }
        let rumble = (0..<72_000).map { n -> Float in
            Float(lines.reduce(0.0) { $0 + 0.001 * cos(2 * .pi * $1.0 * Double(n) / 48_000 + $1.1) })
        }
        // One in a hundred.
        #expect(try voiced(rumble).count <= 2)
    }

    private func voiced(_ signal: [Float]) throws -> [PitchReading] {
        var tracker = PitchTracker(detector: try HarmonicDetector(sampleRate: 48.0.kilohertz))
        tracker.process(signal.span)
        var result: [PitchReading] = []
        tracker.drain { if $0.state == .voiced { result.append($0) } }
        return result
    }
}
