import Foundation
import Music
import Realtime
import Spectral
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct NoteStiffnessTests {
    /// A note of so many partials that is followed, and an analyzer with a second of blocks that has heard nothing.
    private struct Case: ~Copyable {
        var note: FollowedNote
        var analyzer: NoteAnalyzer

        init(_ note: FollowedNote, _ analyzer: consuming NoteAnalyzer) {
            self.note = note
            self.analyzer = analyzer
        }

        mutating func update(_ estimate: HarmonicEstimate, blocks: Int) -> Bool {
            note.updateStiffness(estimate, blocks: blocks, analyzer)
        }
    }

    private func following(_ frequency: Double, partials: Int = 10) throws -> Case {
        let sizes = NoteSizes(sampleRate: 48_000, step: 256, longestWindow: 0.3)
        var constants = PitchConstants()
        constants.unknownInterval = 8 * 256 / 48_000.0
        var analyzer = try NoteAnalyzer(sizes: sizes, constants: constants, step: 256)
        var note = FollowedNote()
        (note.tone.fundamental, note.tone.partials, note.heard) = (2 * .pi * frequency / 48_000, partials, partials)
        let fit = analyzer.fits.long
        fit.pointee.gram.tune(fundamental: note.tone.fundamental, inharmonicity: 0, partials: partials)
        analyzer.blocks.start(fit.pointee.gram.frequency.unsafeElements, partials: partials, length: 256)
        return Case(note, analyzer)
    }

    private func estimate(_ value: Double, _ error: Double) -> HarmonicEstimate {
        var estimate = HarmonicEstimate()
        (estimate.inharmonicity, estimate.inharmonicityVariance) = (value, error * error)
        return estimate
    }

    @Test func `A stiffness comes on with the window at which all that was told stands out by five`() throws {
        let seed: UInt64 = 111
        var generator = SeededGenerator(seed: seed)
        var longest = 0
        for trial in 0..<200 {
            let count = Int.random(in: 16...48, using: &generator)
            // Out of reach of a step is what turns the highest partial by a radian: 10³ w B N / 4.
            let reach = 4 / (1_000 * 2 * Double.pi * 100 / 48_000 * Double(count * 256))
            let value = reach * Double.random(in: 0.05...0.9, using: &generator)
            let error = value / Double.random(in: 1.5...8, using: &generator)
            // What the window says by itself, its prior of 1e-4 ± 1e-3 taken off; a hop of its samples in eight is new.
            let own = 1 / (error * error) - 1e6
            let alone = (value / (error * error) - 1e-4 * 1e6) / own
            let news = own * min(1, 8 * 256 / Double(count * 256))
            let expected = max(1, Int((25 / (alone * alone * news)).rounded(.down)) + 1)
            var given = try following(100)
            var windows = 0
            repeat {
                windows += 1
                #expect(given.note.tone.stiffness == 0 && given.note.stiffnessPrior.variance == 1e-6)
            } while !given.update(estimate(value, error), blocks: count) && windows < 1_000
            #expect(windows == expected, "seed \(seed), trial \(trial)")
            #expect(abs(given.note.tone.stiffness / alone - 1) < 1e-9, "the mean of all that was told")
            let prior = given.note.stiffnessPrior
            #expect(abs(prior.value / alone - 1) < 1e-9)
            #expect(abs(prior.variance * min(Double(windows) * news, 1e6 / (alone * alone)) - 1) < 1e-9)
            longest = max(longest, windows)
        }
        #expect(longest > 5)
    }

    @Test
    func `It goes when windows speak against it, at once when a fit runs away, and stays when one is out of reach`()
        throws
    {
        var generator = SeededGenerator(seed: 112)
        for _ in 0..<100 {
            // A fit's step reaches 7.5e-5 here.
            let value = generator.logUniform(1e-5, 6e-5)
            func stiff() throws -> Case {
                var detector = try following(100)
                let isOn = detector.update(estimate(value, value / 40), blocks: 16)
                #expect(isOn)
                return detector
            }
            // Windows that say zero, as surely as the first one said `value`; each was told what was known before.
            var faded = try stiff()
            var windows = 0
            while faded.note.tone.stiffness > 0, windows < 1_000 {
                windows += 1
                let prior = faded.note.stiffnessPrior
                let variance = 1 / (1 / prior.variance + 1_600 / (value * value))
                let combined = variance * prior.value / prior.variance
                _ = faded.update(estimate(combined, variance.squareRoot()), blocks: 16)
            }
            // The first counted half, 8 hops of 16, and these a sixteenth: after n of them the mean is v / (1 + n / 8),
            // the precision 800 (1 + n / 8) / v², and 40 / √(2 (1 + n / 8)) falls to 3 at n = 703. The first one's prior
            // shifts that by its share of the information, 1e6 v² / 1,600 < 3e-6.
            #expect(faded.note.memory.isEmpty && abs(windows - 703) <= 1, "\(windows)")

            var astray = try stiff()
            let isStill = astray.update(estimate(1.95e-3, 1e-6), blocks: 16)
            #expect(!isStill && astray.note.tone.stiffness == 0 && astray.note.memory.isEmpty)

            var far = try stiff()
            let before = (far.note.tone.stiffness, far.note.memory.mean)
            let turn = 4 / (1_000 * far.note.tone.fundamental * 16 * 256)
            let isKept = far.update(estimate(value + 1.01 * turn, value / 40), blocks: 16)
            #expect(isKept && far.note.tone.stiffness == before.0 && far.note.memory.mean == before.1)
            let isSame = far.update(estimate(value, 0), blocks: 16)
            #expect(isSame && far.note.tone.stiffness == before.0, "no variance, no estimate")
        }
    }

    @Test func `It is looked for at 43, 112 and 261 ms and every third of a second, in windows that can tell`() throws {
        var given = try following(100)
        var due: [Int] = []
        for age in 1..<400 {
            let last = given.note.clock.samples
            given.note.clock.advance(by: 256)
            let isDue = given.note.isDueForStiffness(blocks: 16, isScattered: false, since: last, given.analyzer)
            if isDue { due.append(age) }
            // 3 / 4 of 4,096 samples are 12 blocks of 256.
            let isShort = given.note.isDueForStiffness(blocks: 11, isScattered: false, since: last, given.analyzer)
            var few = given.note
            few.tone.partials = 4
            let isPoor = few.isDueForStiffness(blocks: 16, isScattered: false, since: last, given.analyzer)
            #expect(!isShort && !isPoor)
        }
        #expect(due == [8, 21] + Array(stride(from: 49, to: 400, by: 64)))
    }

    @Test func `Where the partials do not hold together it is looked for every 85 ms besides`() throws {
        func times(stiffness: Double, isDecaying: Bool) throws -> [Int] {
            var given = try following(100)
            (given.note.tone.stiffness, given.note.isDecaying) = (stiffness, isDecaying)
            return (1..<200).filter { _ in
                let last = given.note.clock.samples
                given.note.clock.advance(by: 256)
                return given.note.isDueForStiffness(blocks: 16, isScattered: true, since: last, given.analyzer)
            }
        }
        let plain = [8, 21, 49, 113, 177]
        let often = Array(stride(from: 16, to: 200, by: 16))
        #expect(try times(stiffness: 0, isDecaying: true) == (plain + often).sorted())
        // What has one already, and what is driven, is asked no more often.
        #expect(try times(stiffness: 1e-4, isDecaying: true) == plain)
        #expect(try times(stiffness: 0, isDecaying: false) == plain)
    }

    /// The tone of a stiff string that is followed as if its stiffness were `assumed`.
    private func heard(
        _ frequency: Double, stiffness: Double, assumed: Double, partials: Int, using generator: inout SeededGenerator
    ) throws -> Case {
        let tone = harmonicTone(
            frequency: frequency, sampleRate: 16_000, count: 1_920, partials: partials, inharmonicity: stiffness,
            using: &generator)
        let signal = zip(tone, whiteNoise(count: 1_920, rms: 0.0005, using: &generator)).map { $0 + $1 }
        let sizes = NoteSizes(sampleRate: 16_000, step: 80, longestWindow: 0.12)
        var analyzer = try NoteAnalyzer(sizes: sizes, constants: PitchConstants(), step: 80)
        for start in stride(from: 0, to: 1_920, by: 80) {
            analyzer.bank.update(from: Array(signal[start..<(start + 80)]).span, newest: 80)
        }
        var note = FollowedNote()
        (note.tone.fundamental, note.tone.stiffness) = (2 * .pi * frequency / 16_000, assumed)
        (note.tone.partials, note.heard) = (partials, partials)
        if assumed > 0 { note.memory.add(estimate(assumed, assumed / 10), after: .broad(), share: 1) }
        note.tone.blockEnd = analyzer.bank.count(0)
        analyzer.measureBlocks(20, length: sizes.blockLength(level: 0), of: note.tone)
        return Case(note, analyzer)
    }

    /// What a fit of the given case hears without B.
    private func search(_ given: inout Case) {
        let tone = given.analyzer.estimateStiffness(
            given.note.tone.fundamental, 0, partials: given.note.tone.partials, blocks: 20, given.note.tone
        ).tone
        given.note.searchStiffness(blocks: 20, heard: tone.heardPartials(), &given.analyzer)
    }

    @Test func `From nothing the stiffness of a string is found, with the fundamental that goes with it`() throws {
        let seed: UInt64 = 113
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<100 {
            let frequency = generator.logUniform(150, 450)
            let stiffness = generator.logUniform(2e-5, 5e-4)
            var detector = try heard(
                frequency, stiffness: stiffness, assumed: 0, partials: Int.random(in: 10...14, using: &generator),
                using: &generator)
            // As far off as a fit without B would be.
            detector.note.tone.fundamental *= 1 + Double.random(in: -3e-4...3e-4, using: &generator)
            search(&detector)
            let (w, b) = (detector.note.tone.fundamental * 16_000 / (2 * .pi), detector.note.tone.stiffness)
            // Cramér-Rao: 46 dB below 12 partials of 1/k over 1,600 samples, B is known to 1e-7; floats and the decay
            // that is fitted with it cost ten times that.
            #expect(abs(b - stiffness) < 1e-6 + 0.003 * stiffness, "seed \(seed), trial \(trial): \(b) of \(stiffness)")
            #expect(abs(w / frequency - 1) < 2e-5, "seed \(seed), trial \(trial): \(w) of \(frequency)")
            #expect(!detector.note.memory.isEmpty && abs(detector.note.memory.mean / b - 1) < 1e-3)
        }
    }

    @Test func `A string that is not stiff gets none, and loses the one that it was given`() throws {
        let seed: UInt64 = 114
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<50 {
            let frequency = generator.logUniform(150, 450)
            for assumed in [0, generator.logUniform(2e-5, 1e-4)] {
                var detector = try heard(
                    frequency, stiffness: 0, assumed: assumed, partials: 10, using: &generator)
                search(&detector)
                #expect(detector.note.tone.stiffness == 0, "seed \(seed), trial \(trial): \(assumed)")
                #expect(detector.note.memory.isEmpty)
                let w = detector.note.tone.fundamental * 16_000 / (2 * .pi)
                #expect(abs(w / frequency - 1) < 1e-4, "seed \(seed), trial \(trial): \(w) of \(frequency)")
            }
        }
    }
}
