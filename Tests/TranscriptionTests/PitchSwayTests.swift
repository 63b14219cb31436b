import Foundation
import TestSignals
import Testing

@_spi(Measurement) @testable import Transcription

@Suite struct PitchSwayTests {
    private let hop = 256 / 48_000.0
    private let constants = SegmenterConstants()

    /// What is told of readings of a course, with the scatter of those of a clear tone, and whether that is a vibrato.
    private func swing(
        seconds: Double, scatter: Double = 0.01, _ generator: inout SeededGenerator, _ key: (Double) -> Double
    ) -> (swing: PitchSway.Swing, isVibrato: Bool) {
        var sway = PitchSway(hopSeconds: hop)
        let count = Int(seconds / hop)
        for n in 0..<count { sway.add(key(Double(n) * hop) + scatter * generator.normal()) }
        let swing = sway.swing(within: seconds)
        return (swing, sway.isVibrato(swing, constants))
    }

    @Test func `A vibrato is found with its middle and its depth, at any phase`() {
        let seed: UInt64 = 41
        var generator = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let key = Double.random(in: 40...90, using: &generator)
            let rate = Double.random(in: 4...8, using: &generator)
            let depth = Double.random(in: 0.4...1.1, using: &generator)
            let phase = Double.random(in: 0...(2 * .pi), using: &generator)
            let (swing, isVibrato) = swing(seconds: 0.25, &generator) { time in
                key + depth * sin(2 * .pi * rate * time + phase)
            }
            #expect(isVibrato, "round \(round): \(swing)")
            // The standard error of the fit is at most 0.009 of the depth, that of a period of 4 Hz.
            #expect(abs(swing.depth / depth - 1) < 0.05, "round \(round): \(swing)")
            #expect(abs(swing.center - key) < 0.05 * depth, "round \(round): \(swing)")
        }
    }

    @Test func `A vibrato that sets in after a steady tone is found at its first turn`() {
        let seed: UInt64 = 42
        var generator = SeededGenerator(seed: seed)
        var (early, late) = (0, 0)
        for _ in 0..<200 {
            let rate = Double.random(in: 4.5...7, using: &generator)
            let depth = Double.random(in: 0.65...1.1, using: &generator)
            let begin = Double.random(in: 0.03...0.12, using: &generator)
            let course = { (time: Double) in 60 + depth * sin(2 * .pi * rate * max(0, time - begin)) }
            // Until it is back at half of its depth, with twice the scatter that is assumed; and until it is back in its middle.
            if swing(seconds: begin + 5 / 12 / rate, scatter: 0.02, &generator, course).isVibrato { early += 1 }
            if swing(seconds: begin + 1 / 2 / rate, &generator, course).isVibrato { late += 1 }
        }
        print("seed \(seed): \(early) and \(late) of 200 first turns")
        // 198 and 199; where places and rates are whole steps, 125 and 200.
        #expect(early >= 190 && late >= 190)
    }

    /// As slow as a slur is that a note without an onset is told after: it holds still for 55 ms.
    @Test func `A slur from one key to another is no vibrato`() {
        let seed: UInt64 = 43
        var generator = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let step = Double.random(in: 0.8...4, using: &generator) * (Bool.random(using: &generator) ? 1 : -1)
            let length = Double.random(in: 0.005...0.08, using: &generator)
            let begin = Double.random(in: 0.03...0.1, using: &generator)
            let (swing, isVibrato) = swing(seconds: begin + length + 0.055, &generator) { time in
                60 + step * min(1, max(0, (time - begin) / length))
            }
            #expect(!isVibrato, "round \(round): \(step) in \(length) s from \(begin) s: \(swing)")
        }
    }

    @Test func `What was not read counts for nothing, and nothing is told of too little`() {
        var sway = PitchSway(hopSeconds: hop)
        for _ in 0..<9 { sway.add(60) }
        #expect(sway.swing(within: 1).odds == -.infinity)
        #expect(sway.swing(within: -.infinity).odds == -.infinity)
        sway.reset()
        // Every third reading fails.
        for n in 0..<46 { sway.add(n % 3 == 0 ? 0 : 60 + 0.8 * sin(2 * .pi * 5.5 * Double(n) * hop)) }
        let swing = sway.swing(within: 0.25)
        #expect(sway.isVibrato(swing, constants) && abs(swing.center - 60) < 0.12, "\(swing)")
    }
}
