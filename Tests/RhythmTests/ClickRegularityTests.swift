@testable import Rhythm
import TestSignals
import Testing

@Suite struct ClickRegularityTests {
    /// Lags that are on a line of two clocks, but for a share that lies anywhere within the millisecond to either side.
    private func regularity(of count: Int, astray: Double, seed: UInt64) -> ClickRegularity {
        var (random, regularity) = (SeededGenerator(seed: seed), ClickRegularity())
        for click in 0..<count {
            let time = Double(click) * 0.5
            let isAstray = Double.random(in: 0..<1, using: &random) < astray
            let error = isAstray ? Double.random(in: -0.001...0.001, using: &random) : 0.000_02 * random.normal()
            regularity.add(time: time, lag: 0.031 + 1e-4 * time + error)
        }
        return regularity
    }

    @Test(arguments: [6, 16, 64, 1_000])
    func `Clicks on the line of two clocks are a machine's`(count: Int) {
        #expect(regularity(of: count, astray: 0, seed: 1_710).isOfMachine)
    }

    @Test func `A player over every fourth click hides no machine`() {
        for seed in 1_711..<1_731 { #expect(regularity(of: 40, astray: 0.25, seed: UInt64(seed)).isOfMachine) }
    }

    @Test func `Lags that lie anywhere are no machine's, and of a few nothing is told`() {
        // A tenth of the lags are in the window by chance, and the fullest window has three times as many.
        for seed in 1_731..<1_831 { #expect(!regularity(of: 40, astray: 1, seed: UInt64(seed)).isOfMachine) }
        #expect(!regularity(of: 5, astray: 0, seed: 1_831).isOfMachine && !ClickRegularity().isOfMachine)
    }
}
