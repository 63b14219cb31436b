import Foundation
import TestSignals
import Testing
import Timebase

@Suite struct TapTempoTests {
    /// Normal deviates by the method of Box and Muller.
    private func deviate(_ random: inout SeededGenerator) -> Double {
        (-2 * log(Double.random(in: 1e-12..<1, using: &random))).squareRoot()
            * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }

    private func estimate(_ times: [Double]) -> TapTempo.Estimate? {
        var taps = TapTempo()
        for time in times { taps.tap(at: time) }
        return taps.estimate
    }

    @Test func `Even taps give the tempo exactly`() throws {
        for tempo in [33.3, 60, 97.3, 180, 299] {
            let result = try #require(estimate((0..<12).map { 1e6 + Double($0) * 60 / tempo }))
            // A clock of a million seconds has steps of 10⁻¹⁰ s.
            #expect(abs(result.beatsPerMinute - tempo) < 1e-6 && result.tapCount == 12)
        }
        #expect(estimate([5]) == nil && estimate([]) == nil)
        #expect(try #require(estimate([0, 0.5])).tempo == Tempo(120))
    }

    @Test func `Hands that shake by up to 20 ms give the tempo within the error they claim`() throws {
        var random = SeededGenerator(seed: 41)
        var (inside, total) = (0, 0)
        for _ in 0..<200 {
            let tempo = Double.random(in: 50...200, using: &random)
            let jitter = min(0.02, 0.03 * 60 / tempo)
            let times = (0..<16).map { Double($0) * 60 / tempo + jitter * deviate(&random) }
            let result = try #require(estimate(times))
            // 16 taps: σ · √12 / n^1.5 of a period is 0.054 σ; five of them.
            #expect(abs(60 / result.beatsPerMinute - 60 / tempo) < 5 * 0.055 * jitter)
            if abs(result.beatsPerMinute - tempo) <= 2 * result.standardError { inside += 1 }
            total += 1
        }
        // Two standard errors with 14 degrees of freedom hold 93.5 % of cases; 200 of them, five deviations.
        print("tap tempo: \(inside) of \(total) within two standard errors")
        #expect(inside > 170)
    }

    @Test func `A missed tap and a doubled one change nothing`() throws {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<100 {
            let tempo = Double.random(in: 60...180, using: &random)
            var times = (0..<14).map { Double($0) * 60 / tempo + 0.008 * deviate(&random) }
            times.remove(at: Int.random(in: 5...11, using: &random))
            let doubled = Int.random(in: 4...11, using: &random)
            times.insert(times[doubled] + Double.random(in: 0.01...0.06, using: &random), at: doubled + 1)
            let result = try #require(estimate(times))
            #expect(abs(result.beatsPerMinute / tempo - 1) < 0.02, "\(tempo): \(result)")
        }
    }

    @Test func `A real change is followed within three taps, up, down, to the half and to the double`() throws {
        for (from, to) in [(120.0, 90.0), (90, 140), (100, 75), (160, 80), (80, 160), (60, 180)] {
            var times = (0..<10).map { Double($0) * 60 / from }
            let last = times[9]
            times += (1...4).map { last + Double($0) * 60 / to }
            let result = try #require(estimate(times))
            #expect(abs(result.beatsPerMinute - to) < 0.03 * to, "\(from) to \(to): \(result.beatsPerMinute)")
        }
    }

    @Test func `A pause begins anew, and nonsense is ignored`() throws {
        var taps = TapTempo()
        for time in [0, 0.5, 1.0, 1.5] { taps.tap(at: time) }
        let before = try #require(taps.estimate)
        taps.tap(at: .nan)
        taps.tap(at: 1.2)
        taps.tap(at: 1.5)
        #expect(taps.estimate == before)
        let afterPause = taps.tap(at: 10)
        #expect(afterPause == nil)
        let fresh = taps.tap(at: 10.75)
        #expect(fresh?.tempo?.beatsPerMinute == Ratio(80))
        taps.reset()
        #expect(taps.estimate == nil)
    }
}
