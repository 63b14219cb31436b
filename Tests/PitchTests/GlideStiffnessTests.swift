import Foundation
import Music
import Spectral
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct GlideStiffnessTests {
    /// A tone that is followed as one whose pitch moves, without a B, after `count` samples of it; then it is asked for B
    /// after 21 ms and again after 21 ms more.
    private func answers(
        _ frequency: Double, stiffness: Double, decays: Bool = true, using generator: inout SeededGenerator
    ) throws -> [Double] {
        let partials = min(10, Int(7_000 / frequency))
        let tone = harmonicTone(
            frequency: frequency, sampleRate: 16_000, count: 3_200, partials: partials, inharmonicity: stiffness,
            using: &generator)
        let signal = zip(tone, whiteNoise(count: 3_200, rms: 0.0005, using: &generator)).map { $0 + $1 }
        let sizes = NoteSizes(sampleRate: 16_000, step: 80, longestWindow: 0.12)
        var analyzer = try NoteAnalyzer(sizes: sizes, constants: PitchConstants(), step: 80)
        var end = 0
        func hear(_ count: Int) {
            for _ in 0..<(count / 80) {
                analyzer.bank.update(from: Array(signal[end..<(end + 80)]).span, newest: 80)
                end += 80
            }
        }
        hear(1_600)
        var note = FollowedNote()
        note.tone.fundamental = 2 * .pi * frequency / 16_000
        (note.tone.partials, note.heard, note.isDecaying) = (partials, partials, decays)
        note.tone.blockEnd = analyzer.bank.count(0)
        analyzer.measureBlocks(8, length: sizes.blockLength(level: 0), of: note.tone)
        let quick = analyzer.refine(
            analyzer.fits.short, note.tone, blocks: 4, partials: partials, prior: nil, decays: 1, weights: nil)
        var moving = Moving(note, quick, blocks: 4, told: note.tone.fundamental, &analyzer)
        moving.isScattered = true
        var found: [Double] = []
        for _ in 0..<3 {
            moving.askStiffness(note.tone.fundamental, samples: sizes.short, &analyzer)
            found.append(moving.note.tone.stiffness)
            hear(sizes.short / 80 * 80 + 80)
        }
        return found
    }

    @Test func `A string that seems to move has its inharmonicity once two windows have found the same`() throws {
        let seed: UInt64 = 208
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let frequency = generator.logUniform(300, 800)
            let stiffness = generator.logUniform(4e-4, 1.2e-3)
            let found = try answers(frequency, stiffness: stiffness, using: &generator)
            #expect(found[0] == 0, "one window is not enough")
            // 40 dB over noise a window of 21 ms tells B to some hundredths.
            #expect(abs(found[1] / stiffness - 1) < 0.1, "\(frequency) Hz, B \(stiffness): \(found)")
            #expect(found[2] == found[1], "and keeps it")
        }
    }

    @Test func `A harmonic tone gets none, and neither does a string that is driven`() throws {
        let seed: UInt64 = 209
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let frequency = generator.logUniform(150, 800)
            #expect(try answers(frequency, stiffness: 0, using: &generator) == [0, 0, 0], "\(frequency) Hz")
            #expect(try answers(frequency, stiffness: 1e-3, decays: false, using: &generator) == [0, 0, 0])
        }
    }
}
