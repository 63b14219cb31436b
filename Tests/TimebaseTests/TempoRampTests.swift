import Foundation
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

@Suite struct TempoRampTests {
    /// ∫ 60 / T(b) db by Simpson's rule on 20,000 pieces: its error is below 10⁻¹² s for these tempi.
    private func integral(_ ramp: TempoRamp, to beat: Double) -> Double {
        let pieces = 20_000
        let width = beat / Double(pieces)
        var sum = 60 / ramp.tempo(atBeat: 0) + 60 / ramp.tempo(atBeat: beat)
        for i in 1..<pieces { sum += (i.isMultiple(of: 2) ? 2 : 4) * 60 / ramp.tempo(atBeat: Double(i) * width) }
        return sum * width / 3
    }

    @Test(arguments: TempoCurve.allCases)
    func `The closed form is the integral of the tempo`(curve: TempoCurve) {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<40 {
            let (from, to) = (Double.random(in: 20...300, using: &random), Double.random(in: 20...300, using: &random))
            let length = Double.random(in: 1...200, using: &random)
            let ramp = TempoRamp(from: from, to: to, over: length, curve: curve)
            let beat = Double.random(in: 0.1...1, using: &random) * length
            #expect(abs(ramp.seconds(atBeat: beat) - integral(ramp, to: beat)) < 1e-9 * (1 + integral(ramp, to: beat)))
            #expect(abs(ramp.tempo(atBeat: length) - to) < 1e-9)
            // Beyond the end the tempo stays.
            #expect(abs(ramp.seconds(atBeat: length + 3) - ramp.seconds(atBeat: length) - 180 / to) < 1e-9)
            let beats = TempoRamp.beats(from: from, to: to, lasting: ramp.seconds(atBeat: length), curve: curve)
            #expect(abs(beats - length) < 1e-9 * length)
        }
    }

    @Test(arguments: TempoCurve.allCases)
    func `A change too small to see is as good as none`(curve: TempoCurve) {
        for change in [1e-15, 1e-12, 1e-10, 1e-8, 1e-6] {
            let ramp = TempoRamp(from: 120, to: 120 * (1 + change), over: 64, curve: curve)
            // First order: half of the change is felt on average.
            #expect(abs(ramp.seconds(atBeat: 64) - 32 * (1 - change / 2)) < 1e-9)
        }
    }

    @Test(arguments: ["80..160/8b", "160..80/8b:time", "60..240/30s:exp", "80-120/0.3", "100..101/2b", "90..45..90/3b"])
    func `Where a ramp begins, turns and ends, the phase goes on within a billionth of a beat`(text: String) throws {
        let placed = try strokes(text, limit: 200)
        let instants = placed.map { Double($0.floorFrame) + $0.fraction }
        for (index, stroke) in placed.enumerated().dropLast() {
            // The time of each beat lies between those of the tempi at its ends, and nothing is lost at the seams.
            let here = 60 * 48_000 / stroke.tempo
            let next = 60 * 48_000 / placed[index + 1].tempo
            let taken = instants[index + 1] - instants[index]
            let slack = 1e-9 * here + 1e-5
            #expect(taken >= min(here, next) - slack && taken <= max(here, next) + slack, "beat \(index)")
            #expect(abs(Double(stroke.frame) - instants[index]) <= 0.5)
        }
    }

    @Test func `A spoken ramp, a short one and klick's are the same`() throws {
        let spoken = try strokes("80..160 over 32 bars", limit: 200)
        let short = try strokes("80..160/32b", limit: 200)
        let klick = try strokes("80-160/0.4", limit: 200)
        #expect(spoken.map(\.frame) == short.map(\.frame) && short.map(\.frame) == klick.map(\.frame))
        #expect(try TempoWords(parsing: ["80..160", "over", "32", "bars"]).tempo.points.count == 2)
    }
}
