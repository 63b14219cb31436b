import Foundation
import Music
@testable import Rhythm
import TestSignals
import Testing

/// Beats at these times, as a tracker would tell them.
private func report(_ seconds: [Double], unheard: Set<Int> = []) -> TempoReport {
    var report = TempoReport(sampleRate: 48.kilohertz)
    for (index, time) in seconds.enumerated() {
        var beat = TrackedBeat()
        (beat.number, beat.frame, beat.isHeard) = (index, time * 48_000, !unheard.contains(index))
        // The shorter interval to a beat with a note: the other may be a pause.
        let heard = seconds.indices.filter { !unheard.contains($0) && $0 != index }
        let intervals = heard.map { abs(seconds[$0] - time) / Double(abs($0 - index)) }
        beat.tempo.beatsPerMinute = 60 / (intervals.min() ?? .infinity)
        report.add(beat)
    }
    return report
}

@Suite struct TempoReportTests {
    @Test func `A steady row has its tempo, no drift and no scatter`() throws {
        let report = report((0..<40).map { 1 + 0.5 * Double($0) })
        let tempo = try #require(report.beatsPerMinute)
        #expect(abs(tempo - 120) < 1e-9)
        let drift = try #require(report.drift)
        #expect(abs(drift.perMinute) < 1e-6 && !drift.isCertain)
        let scatter = try #require(report.scatter)
        #expect(scatter < .nanoseconds(10))
        #expect(report.spans(of: 8).map(\.beats) == [8, 8, 8, 8])
    }

    @Test func `The mean tempo is as sure as is told`() throws {
        let seed: UInt64 = 31
        var generator = SeededGenerator(seed: seed)
        var within = 0
        for _ in 0..<400 {
            let tempo = Double.random(in: 60...180, using: &generator)
            let scatter = Double.random(in: 0.001...0.015, using: &generator)
            let count = Int.random(in: 24...64, using: &generator)
            let late = (0..<count).map { _ in scatter * generator.normal() }
            let report = report(
                late.enumerated().map { (index, late) -> Double in 1 + 60 / tempo * Double(index) + late })
            let mean = try #require(report.beatsPerMinute)
            let error = try #require(report.standardError)
            within += abs(mean - tempo) <= 2 * error ? 1 : 0
        }
        print("mean tempo, seed \(seed): \(within) of 400 within two standard errors")
        // 95.4 % of normal errors. The scatter is itself an estimate, by a median of 21 differences or more that are no independent
        // ones: off by a fifth or so, which costs some 3 %. Three standard deviations of 400 are 3 %.
        #expect((356...396).contains(within))
    }

    @Test func `A ramp of half a beat per minute in a second drifts by 30 in a minute`() throws {
        // Beats at which the integral of 100 + t / 2 beats per minute is whole.
        let times = (0..<60).map { (beat: Int) -> Double in
            let root: Double = (10_000 + 60 * Double(beat)).squareRoot()
            return (root - 100) / 0.5
        }
        let report = report(times)
        let drift = try #require(report.drift)
        // The mean tempo of four beats is that of their middle but for the curvature.
        #expect(abs(drift.perMinute - 30) < 0.1 && drift.isCertain, "\(drift)")
        #expect(abs(drift.first - 100) < 0.1)
        let last = 100 + times[56] / 2
        #expect(abs(drift.last - last) < 0.2)
        // What is left of the change from interval to interval.
        let scatter = try #require(report.scatter)
        #expect(scatter < .milliseconds(0.1))
    }

    @Test func `Beats that are late and early in turn by 4 ms scatter by as much`() throws {
        // The third differences are (1 + 3 + 3 + 1) · 4 ms.
        let times = (0..<41).map { (beat: Int) -> Double in 0.5 * Double(beat) + (beat % 2 == 0 ? 0.004 : -0.004) }
        let scatter = try #require(report(times).scatter)
        let expected: Double = 1.482_6 * 32 / 20.0.squareRoot()
        #expect(abs(scatter / .milliseconds(1) - expected) < 0.01)
    }

    @Test func `A beat without a note counts in no figure, and a pause neither`() throws {
        var times = (0..<20).map { 0.5 * Double($0) }
        times[7] += 0.1
        times += (0..<20).map { 60 + 0.5 * Double($0) }
        let report = report(times, unheard: [7])
        let tempo = try #require(report.beatsPerMinute)
        #expect(abs(tempo - 120) < 1e-9)
        let scatter = try #require(report.scatter)
        #expect(scatter < .nanoseconds(10))
        #expect(report.spans(of: 1).count == 37)
    }

    @Test func `With too few beats nothing is told`() {
        #expect(report([]).beatsPerMinute == nil && report([]).drift == nil && report([]).scatter == nil)
        #expect(report([1, 1.5]).drift == nil && report([1, 1.5]).scatter == nil)
    }
}
