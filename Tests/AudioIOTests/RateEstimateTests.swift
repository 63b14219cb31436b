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

    @Test func `In the first two seconds there is no estimate, and a break takes away none`() {
        var estimate = RateEstimate(sampleRate: 48_000)
        var frame: Int64 = 0
        func feed(_ seconds: Double) {
            for _ in 0..<Int(seconds * 100) {
                estimate.observe(frame: frame, at: MonotonicTime(nanoseconds: frame * 1_000_000 / 48))
                frame += 480
            }
        }
        feed(1)
        #expect(estimate.error == nil && estimate.standardError == nil)
        estimate.noteBreak()
        feed(1)
        #expect(estimate.error == nil, "two pieces of a second are less than two seconds in one")
        feed(3)
        // What is left of an exact card is rounding to nanoseconds.
        #expect(abs(estimate.error?.value ?? 9) < 0.001)
        let (before, known) = (estimate.observed, estimate.error)
        #expect(before > .seconds(4) && before < .seconds(5))
        estimate.noteBreak()
        #expect(estimate.error == known && estimate.observed == before)
        estimate.noteBreak()
        #expect(estimate.error == known, "a break right after a break")
    }

    /// Sixty cards with a break about every seven seconds, of which nobody knows how long it was: in each stretch the place is
    /// another one.
    @Test func `Breaks cost precision, not truth: the standard error is right with them`() throws {
        let seed: UInt64 = 32
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (sum, worst) = (0.0, 0.0)
        for _ in 0..<60 {
            let truth = Double.random(in: -300...300, using: &random)
            var (estimate, lost) = (RateEstimate(sampleRate: 44_100), 7.0)
            var next = Double.random(in: 0.1...14, using: &random)
            for frame in stride(from: Int64(0), to: 44_100 * 60, by: 256) {
                if Double(frame) / 44_100 > next {
                    estimate.noteBreak()
                    lost += Double.random(in: -0.1...2, using: &random)
                    next += Double.random(in: 0.1...14, using: &random)
                }
                let time = lost + Double(frame) / (44_100 * (1 + truth * 1e-6)) + 50e-6 * random.normal()
                estimate.observe(frame: frame, at: MonotonicTime(nanoseconds: Int64(time * 1e9)))
            }
            let (error, scatter) = (try #require(estimate.error), try #require(estimate.standardError))
            sum += (error.value - truth) * (error.value - truth) / (scatter.value * scatter.value)
            worst = max(worst, abs(error.value - truth))
            #expect(estimate.observed > .seconds(50) && estimate.observed < .seconds(60))
        }
        let honesty = (sum / 60).squareRoot()
        print("with breaks: deviation in units of the standard error \(honesty), worst \(worst) ppm")
        // A standard deviation of 60 cases is known to 9 %.
        #expect(honesty > 0.7 && honesty < 1.3)
        #expect(worst < 1)
    }

    /// "default" is a name: after a headset was pulled out another card may answer to it.
    @Test func `Another card under the same name begins anew, and a moment of nonsense does not`() throws {
        var random = SeededGenerator(seed: 33)
        var (estimate, clock) = (RateEstimate(sampleRate: 48_000), 3.0)
        func play(_ seconds: Double, ppm: Double) {
            for frame in stride(from: Int64(0), to: Int64(seconds * 48_000), by: 480) {
                let time = clock + Double(frame) / (48_000 * (1 + ppm * 1e-6)) + 50e-6 * random.normal()
                estimate.observe(frame: frame, at: MonotonicTime(nanoseconds: Int64(time * 1e9)))
            }
            estimate.noteBreak()
            clock += seconds + 1
        }
        play(60, ppm: 40)
        // Half a second at another rate by far, as of a server that catches up: too short to prove anything.
        play(0.9, ppm: 50_000)
        #expect(abs(try #require(estimate.error).value - 40) < 0.5)
        play(30, ppm: -20)
        #expect(abs(try #require(estimate.error).value + 20) < 0.5)
        #expect(estimate.observed < .seconds(31))
    }
}
