import AudioIO
import Music
import TestSignals
import Testing

@Suite struct RateEstimateTests {
    /// A hundred cards of random rates, observed for 30 s with a scatter of 50 µs. If the standard error is right, the true
    /// deviations in units of it have a standard deviation of 1, known to 7 % from 100 cases.
    @Test func `The standard error tells how far off the estimate is`() throws {
        let seed: UInt64 = 31
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (sum, worst) = (0.0, 0.0)
        for _ in 0..<100 {
            let truth = Double.random(in: -300...300, using: &random)
            var estimate = RateEstimate(sampleRate: 44_100)
            for frame in stride(from: Int64(0), to: 44_100 * 30, by: 256) {
                let time = 7 + Double(frame) / (44_100 * (1 + truth * 1e-6)) + 50e-6 * random.normal()
                estimate.observe(frame: frame, at: MonotonicTime(nanoseconds: Int64(time * 1e9)))
            }
            let (error, scatter) = (try #require(estimate.error), try #require(estimate.standardError))
            sum += (error.value - truth) * (error.value - truth) / (scatter.value * scatter.value)
            worst = max(worst, abs(error.value - truth))
        }
        let honesty = (sum / 100).squareRoot()
        print("deviation in units of the standard error: \(honesty), worst \(worst) ppm")
        #expect(honesty > 0.75 && honesty < 1.25)
        #expect(worst < 1)
    }

    @Test func `In the first two seconds there is no estimate, and none after a break`() {
        var estimate = RateEstimate(sampleRate: 48_000)
        func feed(_ seconds: Int64) {
            for frame in stride(from: Int64(0), to: 48_000 * seconds, by: 480) {
                estimate.observe(frame: frame, at: MonotonicTime(nanoseconds: frame * 1_000_000 / 48))
            }
        }
        feed(1)
        #expect(estimate.error == nil && estimate.standardError == nil)
        estimate.restart()
        feed(3)
        // What is left of an exact card is rounding to nanoseconds.
        #expect(abs(estimate.error?.value ?? 9) < 0.001)
        #expect(estimate.observed > .seconds(2))
        estimate.restart()
        #expect(estimate.error == nil)
    }
}
