import Foundation
import Intonation
import Music
import Testing

@Suite struct ReferenceLearnerTests {
    @Test func `A4 follows from notes of any name`() throws {
        var learner = ReferenceLearner()
        #expect(learner.a4 == nil)
        // A minor over A4 = 443 Hz.
        for midi in [57, 60, 64, 69, 72] { learner.hear((443 * exp2(Double(midi - 69) / 12)).hertz) }
        // 1 in 10^9: rounding of doubles.
        let a4 = try #require(learner.a4)
        #expect(abs(a4.value - 443) < 443e-9)
    }

    @Test func `Notes that do not agree give no A4, and frequencies that are none do not count`() {
        var learner = ReferenceLearner()
        for cents in stride(from: 0.0, to: 100, by: 10) { learner.hear(440.hertz.raised(by: cents.cents)) }
        #expect(learner.a4 == nil)
        var still = ReferenceLearner()
        for hertz in [0, -1, Double.nan, .infinity] { still.hear(hertz.hertz) }
        #expect(still.a4 == nil)
    }

    @Test func `With a memory the newest notes count most`() throws {
        var learner = ReferenceLearner(memory: 10)
        for _ in 0..<100 { learner.hear(440.hertz) }
        for _ in 0..<100 { learner.hear(445.hertz) }
        // The first hundred have faded by e^-10.
        let a4 = try #require(learner.a4)
        #expect(abs(a4.value - 445) < 0.001)
    }
}
