import BigInt
import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

/// Tempi that share nothing: a common denominator of the first nine has 62 bits, of the first 18 it has 127.
private let primes: [Int64] = [
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
]

private func section(_ tempo: Int64, beats: Int64) throws -> PlanSection {
    var section = PlanSection(
        tempo: .steady(try Tempo(tempo), counting: .quarter), levels: [[.accent]], meter: try Meter(1, 4))
    section.bars = beats
    return section
}

private func instant(_ tempo: Int64, beats: Int64, sampleRate: Int) -> ExactFrames {
    .beats(BigInt(beats), over: 1, tempo: Ratio(tempo), denominator: 4, sampleRate: sampleRate)
}

@Suite struct ExactInstantTests {
    @Test(arguments: [5, 9, 18, 23])
    func `A tie behind any number of tempi goes up`(count: Int) throws {
        let sampleRate = 44_100
        // 2,646,000 / 160 is a half frame. Each other tempo has one beat, and later the rest of a whole number of frames.
        var sections = [(Int64(160), Int64(1))]
        sections += primes.prefix(count).map { ($0, 1) }
        sections += primes.prefix(count).map { ($0, $0 - 1) }
        sections.append((160, 9))
        var plan = PracticePlan(sections: [])
        var expected: [Int64] = []
        var here = ExactFrames.zero
        for (tempo, beats) in sections {
            plan.sections.append(try section(tempo, beats: beats))
            for beat in 0..<beats {
                expected.append((here + instant(tempo, beats: beat, sampleRate: sampleRate)).nearest)
            }
            here = here + instant(tempo, beats: beats, sampleRate: sampleRate)
        }
        let found = try strokes(of: plan, sampleRate: sampleRate)
        #expect(found.map(\.frame) == expected)
        #expect(found.suffix(9).filter { $0.fraction == 0.5 && $0.frame == $0.floorFrame + 1 }.count == 5)
        // And from any bar on, whatever has been added up on the way there.
        for bar in [2, Int64(count) + 1, Int64(expected.count) - 8, Int64(expected.count)] {
            let tail = try strokes(of: plan, sampleRate: sampleRate, from: bar)
            #expect(tail.map(\.frame) == Array(expected.dropFirst(Int(bar) - 1)), "bar \(bar)")
            var entered = plan
            entered.entryBar = bar
            #expect(try BeatSchedule(entered, sampleRate: sampleRate.hertz).startFrame == expected[Int(bar) - 1])
        }
    }

    @Test(arguments: [5, 9, 18, 23])
    func `An instant as near to half a frame as its tempi allow is told from one`(count: Int) throws {
        let sampleRate = 44_100
        let tempi = Array(primes.prefix(count))
        let product = tempi.reduce(BigInt(1)) { $0 * BigInt($1) }
        for (target, isUp) in [((product - 1) / 2, false), ((product + 1) / 2, true)] {
            // As many beats of each tempo as the Chinese remainder theorem asks for.
            var plan = PracticePlan(sections: [])
            var here = ExactFrames.zero
            for tempo in tempi {
                let step: BigInt = BigInt(60 * sampleRate) * (product / BigInt(tempo)) % BigInt(tempo)
                let wanted: BigInt = target % BigInt(tempo)
                let beats = try #require((1...tempo).first { BigInt($0) * step % BigInt(tempo) == wanted })
                plan.sections.append(try section(tempo, beats: beats))
                here = here + instant(tempo, beats: beats, sampleRate: sampleRate)
            }
            plan.sections.append(try section(120, beats: 3))
            let found = try strokes(of: plan, sampleRate: sampleRate).suffix(3)
            let first = try #require(found.first)
            let distance: BigInt = 2 * here.above * product - (2 * BigInt(here.floor) + 1) * here.below * product
            #expect(distance == (isUp ? here.below : -here.below), "half of the smallest step from half a frame")
            #expect(first.frame == here.nearest && first.frame == here.floor + (isUp ? 1 : 0))
            #expect(found.map(\.frame) == (0...2).map { here.nearest + 22_050 * $0 })
            let end = try BeatSchedule(plan, sampleRate: sampleRate.hertz).endFrame
            #expect(end == here.nearest + 3 * 22_050)
        }
    }

    @Test func `A repeat for ever of twelve tempi is exact in every turn`() throws {
        let sampleRate = 44_100
        var sections = [(Int64(160), Int64(1))]
        sections += primes.prefix(12).map { ($0, 1) }
        sections += primes.prefix(12).map { ($0, $0 - 1) }
        sections.append((160, 2))
        var plan = PracticePlan(sections: try sections.map { try section($0.0, beats: $0.1) })
        plan.loopSection = 0
        let turn = sections.reduce(0) { $0 + Int($1.1) }
        let found = try strokes(of: plan, sampleRate: sampleRate, limit: 4 * turn)
        var expected: [Int64] = []
        var here = ExactFrames.zero
        for _ in 0..<4 {
            for (tempo, beats) in sections {
                for beat in 0..<beats {
                    expected.append((here + instant(tempo, beats: beat, sampleRate: sampleRate)).nearest)
                }
                here = here + instant(tempo, beats: beats, sampleRate: sampleRate)
            }
            let divisor = here.above.greatestCommonDivisor(with: here.below)
            here = ExactFrames(above: here.above / divisor, below: here.below / divisor)
        }
        #expect(found.map(\.frame) == expected && found.count == 4 * turn)
    }

    @Test func `Random plans of sixty tempi lie on the oracle's frames`() throws {
        let seed: UInt64 = 128
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var plan = PracticePlan(sections: [])
            var here = ExactFrames.zero
            var expected: [Int64] = []
            for _ in 0..<60 {
                let tempo = Int64.random(in: 100...1_000, using: &random)
                plan.sections.append(try section(tempo, beats: 2))
                for _ in 0..<2 {
                    expected.append(here.nearest)
                    here = here + instant(tempo, beats: 1, sampleRate: 44_100)
                }
                let divisor = here.above.greatestCommonDivisor(with: here.below)
                here = ExactFrames(above: here.above / divisor, below: here.below / divisor)
            }
            #expect(try strokes(of: plan, sampleRate: 44_100).map(\.frame) == expected)
        }
    }
}
