import Foundation
import Music
import Rhythm
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
        for time in times { taps.tap(at: .seconds(time)) }
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
        for time in [0, 0.5, 1.0, 1.5] { taps.tap(at: .seconds(time)) }
        let before = try #require(taps.estimate)
        taps.tap(at: .seconds(1.2))
        taps.tap(at: .seconds(1.5))
        #expect(taps.estimate == before)
        let afterPause = taps.estimate(tap: .seconds(10))
        #expect(afterPause == nil)
        let fresh = taps.estimate(tap: .seconds(10.75))
        #expect(fresh?.tempo?.beatsPerMinute == Ratio(80))
        taps.reset()
        #expect(taps.estimate == nil)
    }

    @Test func `A change of 8 to 40 percent is followed within four taps, one of 15 percent within three`() throws {
        for change in [0.6, 0.7, 0.8, 0.82, 0.833, 0.85, 0.87, 0.9, 0.92, 1.08, 1.1, 1.15, 1.17, 1.21, 1.25, 1.4] {
            for from in [40.0, 80, 120, 200, 280] {
                var taps = TapTempo()
                for beat in 0..<16 { taps.tap(at: .seconds(Double(beat) * 60 / from)) }
                let taken = (1...8).first { beat in
                    let result = taps.estimate(tap: .seconds(15 * 60 / from + Double(beat) * 60 / (from * change)))
                    return abs((result?.beatsPerMinute ?? 0) / (from * change) - 1) < 0.001
                }
                #expect(try #require(taken) <= (abs(change - 1) < 0.15 ? 4 : 3), "\(from) times \(change)")
            }
        }
    }

    @Test func `A change is followed with hands that shake by 10 ms, and none is seen where there is none`() throws {
        var random = SeededGenerator(seed: 43)
        var (worst, sum) = (0.0, 0.0)
        for _ in 0..<500 {
            var times = (0..<16).map { Double($0) * 0.5 + 0.01 * deviate(&random) }
            times += (1...8).map { 7.5 + Double($0) * 60 / 140 + 0.01 * deviate(&random) }
            let error = abs(try #require(estimate(times)).beatsPerMinute / 140 - 1)
            worst = max(worst, error)
            sum += error * error
        }
        print("120 to 140 with 10 ms, 8 taps later: rms \((sum / 500).squareRoot() * 100) %, at worst \(worst * 100) %")
        // 9 taps: σ · √12 / 9^1.5 = 1.28 ms of 429 are 0.3 %; the rest is a change seen one tap early or late.
        #expect((sum / 500).squareRoot() < 0.008 && worst < 0.025)
        var (resets, farthest) = (0, 0.0)
        for run in 0..<300 {
            let period = Double.random(in: 0.3...1.2, using: &random)
            let jitter = [0.01, 0.015][run % 2]
            var taps = TapTempo()
            for beat in 0..<64 {
                let result = taps.estimate(tap: .seconds(Double(beat) * period + jitter * deviate(&random)))
                guard beat >= 15, let result else { continue }
                if result.tapCount < 16 { resets += 1 }
                farthest = max(farthest, abs(60 / result.beatsPerMinute - period) / jitter)
            }
        }
        print("steady taps: \(resets) of \(300 * 49) estimates on fewer than 16 taps; at most \(farthest) jitters off")
        // At most one run in 300 that begins anew once: 15 estimates.
        #expect(resets <= 15 && farthest < 1)
    }

    @Test func `A bounce counts for nothing, first or last, once or at every tap`() throws {
        func tempi(_ times: [Double]) -> [Double] {
            var taps = TapTempo()
            return times.compactMap { taps.estimate(tap: .seconds($0))?.beatsPerMinute }
        }
        let beats = (0..<8).map { Double($0) * 0.5 }
        let bounced: [[Double]] = [
            [0.08], [0.12], [0.1, 0.2], [1.6, 1.7], [0.02, 0.04, 0.06],
            beats.map { $0 + 0.1 }, beats.map { $0 + 0.03 }, beats.flatMap { [$0 + 0.09, $0 + 0.18] },
        ]
        for bounces in bounced {
            let result = tempi((beats + bounces).sorted())
            #expect(result.count >= 7 && result.allSatisfy { abs($0 - 120) < 1e-9 }, "\(bounces): \(result)")
        }
        // At 200 too, where half of a period is 150 ms.
        let slowTaps = (0..<8).map { Double($0) * 0.3 }
        let fast = tempi(slowTaps.flatMap { tap in [tap, tap + 0.1] })
        #expect(fast.count >= 7 && fast.allSatisfy { abs($0 - 200) < 1e-9 }, "\(fast)")
    }

    @Test func `Fast hands give their tempo, up to 400 shaking and beyond it with two hands`() throws {
        var random = SeededGenerator(seed: 44)
        for tempo in [300.0, 400] {
            for _ in 0..<100 {
                let times = (0..<16).map { Double($0) * 60 / tempo + 0.004 * deviate(&random) }
                let result = try #require(estimate(times))
                #expect(abs(result.beatsPerMinute / tempo - 1) < 0.02, "\(tempo): \(result)")
            }
        }
        #expect(abs(try #require(estimate((0..<8).map { Double($0) * 0.1 })).beatsPerMinute - 600) < 1e-6)
    }

    @Test func `Slow hands give their tempo, down to ten`() throws {
        for tempo in [10.5, 12, 15, 20, 30] {
            let result = try #require(estimate((0..<5).map { Double($0) * 60 / tempo }))
            #expect(abs(result.beatsPerMinute - tempo) < 1e-9 && result.tapCount == 5)
        }
        // From 120 to 12: the first gap is a pause for who tapped 120.
        #expect(abs(try #require(estimate([0, 0.5, 1, 1.5, 6.5, 11.5])).beatsPerMinute - 12) < 1e-9)
        #expect(estimate([0, 6.1]) == nil)
    }
}
