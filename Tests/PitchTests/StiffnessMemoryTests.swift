import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

private func estimate(_ value: Double, _ variance: Double) -> HarmonicEstimate {
    var estimate = HarmonicEstimate()
    (estimate.inharmonicity, estimate.inharmonicityVariance) = (value, variance)
    return estimate
}

@Suite struct StiffnessMemoryTests {
    @Test func `Estimates are averaged by their information once their prior is taken off`() {
        var memory = StiffnessMemory()
        #expect(memory.isEmpty)
        // Two windows say 1e-4 ± 1e-5 and 2e-4 ± 2e-5 by themselves; each came with a prior of 1e-4 ± 1e-3.
        for (value, error) in [(1e-4, 1e-5), (2e-4, 2e-5)] {
            let (own, prior) = (1 / (error * error), 1e6)
            let seen = (value * own + 1e-4 * prior) / (own + prior)
            memory.add(estimate(seen, 1 / (own + prior)), after: .broad(), share: 1)
        }
        let mean = (1e-4 * 1e10 + 2e-4 * 0.25e10) / 1.25e10
        #expect(abs(memory.mean / mean - 1) < 1e-9)
        #expect(abs(memory.prior.variance * 1.25e10 - 1) < 1e-9)
        #expect(abs(memory.significance / (mean * 1.25e10.squareRoot()) - 1) < 1e-9)
    }

    @Test func `Only the new share of a window counts, and never more than a thousandth of B is believed`() {
        var (whole, quarters) = (StiffnessMemory(), StiffnessMemory())
        whole.add(estimate(3e-4, 1e-8), after: .broad(), share: 1)
        for _ in 0..<4 { quarters.add(estimate(3e-4, 1e-8), after: .broad(), share: 0.25) }
        #expect(abs(quarters.prior.variance / whole.prior.variance - 1) < 1e-9)
        for _ in 0..<1_000 { whole.add(estimate(3e-4, 1e-14), after: .broad(), share: 1) }
        #expect(abs(whole.mean / 3e-4 - 1) < 1e-3)
        #expect(abs(whole.prior.variance.squareRoot() / whole.mean - 1e-3) < 1e-6)
    }

    @Test func `An estimate that says no more than its prior changes nothing`() {
        var memory = StiffnessMemory()
        memory.add(estimate(5e-4, 1e-6), after: .broad(), share: 1)
        memory.add(estimate(5e-4, 0), after: .broad(), share: 1)
        #expect(memory.isEmpty)
    }
}
