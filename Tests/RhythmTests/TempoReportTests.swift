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
        let neighbours = [heard.last { $0 < index }, heard.first { $0 > index }].compactMap(\.self)
        let intervals = neighbours.map { abs(seconds[$0] - time) / Double(abs($0 - index)) }
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

    @Test func `Where most beats have no note, the mean tempo is as sure as is told too`() throws {
        let seed: UInt64 = 35
        var generator = SeededGenerator(seed: seed)
        var (within, shares) = (0, [Double]())
        for _ in 0..<400 {
            let tempo = Double.random(in: 60...180, using: &generator)
            let scatter = Double.random(in: 0.001...0.015, using: &generator)
            let count = Int.random(in: 48...96, using: &generator)
            let late = (0..<count).map { _ in scatter * generator.normal() }
            // A note on every third beat and on half of those after it: never four in a row.
            let unheard = (0..<count).filter { $0 % 3 == 2 || $0 % 3 == 1 && Bool.random(using: &generator) }
            let report = report(
                late.enumerated().map { (index, late) -> Double in 1 + 60 / tempo * Double(index) + late },
                unheard: Set(unheard))
            let mean = try #require(report.beatsPerMinute)
            let error = try #require(report.standardError)
            within += abs(mean - tempo) <= 2 * error ? 1 : 0
            shares.append(try #require(report.scatter).inSeconds / scatter)
        }
        shares.sort()
        print("sparse beats, seed \(seed): \(within) of 400 within two standard errors; scatter times \(shares[200])")
        // As above. The median of the estimates is that of the scatter, to the 8 % that 400 of them and the differences between
        // dependent ones leave.
        #expect((356...396).contains(within))
        #expect(abs(shares[200] - 1) < 0.08)
    }

    @Test func `One short row of beats does not outweigh the beats without a row`() throws {
        let seed: UInt64 = 36
        var generator = SeededGenerator(seed: seed)
        var near = 0
        for _ in 0..<200 {
            let tempo = Double.random(in: 60...180, using: &generator)
            let scatter = Double.random(in: 0.001...0.015, using: &generator)
            // A note on every other beat, and six in a row.
            let row = 2 * Int.random(in: 2..<40, using: &generator)
            let unheard = (0..<96).filter { $0 % 2 == 1 && !(row..<row + 6).contains($0) }
            let late = (0..<96).map { _ in scatter * generator.normal() }
            let report = report(
                late.enumerated().map { (index, late) -> Double in 1 + 60 / tempo * Double(index) + late },
                unheard: Set(unheard))
            near += abs(try #require(report.scatter).inSeconds / scatter - 1) < 0.5 ? 1 : 0
        }
        print("a row of six, seed \(seed): \(near) of 200 within half of the scatter")
        // The median of 49 normal magnitudes scatters by 1.17 / √49 of itself, 17 %, and by up to half as much again where
        // neighbours depend on each other: 0.5 is two of that or more, 95 %. Of three differences it scatters by 70 %.
        #expect(near >= 190)
    }

    @Test func `A tempo that sways is not known better than the mean of its parts`() throws {
        let seed: UInt64 = 36
        var generator = SeededGenerator(seed: seed)
        var within = 0
        for round in 0..<100 {
            let tempo = Double.random(in: 70...140, using: &generator)
            // From 88 to 112 when it is 100, in 8 to 20 s, as in a rubato.
            let (depth, period) = (0.12, Double.random(in: 8...20, using: &generator))
            let phase = Double.random(in: 0...(2 * .pi), using: &generator)
            var time = 1.0
            let times = (0..<120).map { _ in
                defer { time += 60 / (tempo * (1 + depth * sin(2 * .pi * time / period + phase))) }
                return time + 0.004 * generator.normal()
            }
            let report = report(times)
            // Four beats level a period of 8 s or more by a fifth at most: sin(x)/x at 4 beats of 70 per minute is 0.73.
            let sway = try #require(report.fluctuation, "round \(round)")
            let expected = tempo * depth / 2.0.squareRoot()
            #expect((0.7...1.1).contains(sway / expected), "round \(round): \(sway), \(expected)")
            let (mean, error) = (try #require(report.beatsPerMinute), try #require(report.standardError))
            within += abs(mean - tempo) < 2 * error ? 1 : 0
            // The mean of 30 independent parts would be off by that much.
            #expect(error < sway / 5, "round \(round): \(error), \(sway)")
        }
        print("swaying tempo, seed \(seed): \(within) of 100 within two standard errors")
        // A part of a period is off by more than parts that do not depend on each other, whole ones by less.
        #expect(within >= 95)
    }

    @Test func `A step from one tempo to another is no sway, and what sways on both sides of it is`() throws {
        let seed: UInt64 = 38
        var generator = SeededGenerator(seed: seed)
        var (told, swaying) = (0, 0)
        for round in 0..<200 {
            let first = Double.random(in: 60...140, using: &generator)
            let ratio = Double.random(in: 1.2...1.5, using: &generator)
            let second = Bool.random(using: &generator) ? first * ratio : first / ratio
            let scatter = Double.random(in: 0.001...0.01, using: &generator)
            let depth = round % 2 == 0 ? 0 : 0.04
            let (before, count) = (Int.random(in: 24...40, using: &generator), 72)
            var time = 1.0
            let times = (0..<count).map { (beat: Int) -> Double in
                let tempo = (beat < before ? first : second) * (1 + depth * sin(2 * .pi * Double(beat) / 16))
                defer { time += 60 / tempo }
                return time + scatter * generator.normal()
            }
            let report = report(times)
            guard report.changes.count == 1 else { continue }
            let sway = report.fluctuation ?? 0
            if depth == 0 { told += sway > 0 ? 1 : 0 } else { swaying += sway > 0.02 * first ? 1 : 0 }
        }
        print("seed \(seed): \(told) of 100 steps of steady tempi sway, \(swaying) of 100 of swaying ones")
        // As often as a steady tempo, and the 4 % that four beats level to 3.6 % have a standard deviation of 2.5 %.
        #expect(told <= 4)
        #expect(swaying >= 80)
    }

    @Test func `A steady tempo is told to sway in one take of 50 at most`() {
        let seed: UInt64 = 37
        var generator = SeededGenerator(seed: seed)
        var told = 0
        for _ in 0..<400 {
            let tempo = Double.random(in: 60...180, using: &generator)
            let scatter = Double.random(in: 0.001...0.015, using: &generator)
            let count = Int.random(in: 32...120, using: &generator)
            let late = (0..<count).map { _ in scatter * generator.normal() }
            let report = report(
                late.enumerated().map { (index, late) -> Double in 1 + 60 / tempo * Double(index) + late })
            if report.fluctuation != nil { told += 1 }
        }
        print("seed \(seed): \(told) of 400 steady takes are told to sway")
        #expect(told <= 8)
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

    @Test func `Where the tempo steps to another one that is told, and no drift over both`() throws {
        let seed: UInt64 = 33
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for round in 0..<200 {
            let first = Double.random(in: 60...140, using: &generator)
            let ratio = Double.random(in: 1.12...1.5, using: &generator)
            let second = Bool.random(using: &generator) ? first * ratio : first / ratio
            let scatter = Double.random(in: 0.001...0.01, using: &generator)
            let (before, after) = (
                Int.random(in: 16...40, using: &generator), Int.random(in: 16...40, using: &generator)
            )
            let edge = 1 + 60 / first * Double(before)
            let times = (0...(before + after)).map { (beat: Int) -> Double in
                let place = Double(beat - before)
                return edge + 60 / (place < 0 ? first : second) * place + scatter * generator.normal()
            }
            let report = report(times)
            guard report.changes.count == 1, let change = report.changes.first else {
                print("round \(round): \(first) to \(second), \(report.changes)")
                continue
            }
            found += 1
            #expect(report.drift == nil)
            // Spans of four beats: the one with the step is within four of either tempo.
            #expect(abs(change.start - edge) < 4 * 60 / min(first, second), "round \(round): \(change) at \(edge)")
            #expect(abs(change.before / first - 1) < 0.02 && abs(change.after / second - 1) < 0.02, "\(change)")
        }
        print("seed \(seed): \(found) of 200 steps told as one")
        #expect(found >= 194)
    }

    @Test func `A steady player and one who gets faster little by little are told of no step`() {
        let seed: UInt64 = 34
        var generator = SeededGenerator(seed: seed)
        var (told, ramps) = (0, 0)
        for round in 0..<400 {
            let tempo = Double.random(in: 60...140, using: &generator)
            let gain = round % 2 == 0 ? 0 : Double.random(in: -0.3...0.5, using: &generator)
            let scatter = Double.random(in: 0.001...0.012, using: &generator)
            let count = Int.random(in: 24...120, using: &generator)
            // From steady over a ramp of 16 beats or more to steady.
            let begin = Double.random(in: 0...Double(count / 4), using: &generator)
            let length = Double.random(in: 16...max(17, Double(count) - begin), using: &generator)
            var time = 1.0
            let times = (0..<count).map { (beat: Int) -> Double in
                let share = min(1, max(0, (Double(beat) - begin) / length))
                time += 60 / (tempo * (1 + gain * share))
                return time + scatter * generator.normal()
            }
            guard !report(times).changes.isEmpty else { continue }
            if gain == 0 { told += 1 } else { ramps += 1 }
            print("round \(round): \(tempo), \(gain) over \(length) of \(count) beats, \(report(times).changes)")
        }
        print("seed \(seed): steps told of \(told) of 200 steady takes and of \(ramps) of 200 ramps")
        #expect(told <= 1 && ramps <= 10)
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
