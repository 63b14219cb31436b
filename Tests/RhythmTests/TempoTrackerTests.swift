import CAllocationProbe
import Foundation
import Music
import Rhythm
import Testing
import TestSignals
import Timebase

/// Notes whose beginnings are known between two samples: damped sines in faint noise.
private struct Rhythm {
    var rate = 48_000.0
    private(set) var samples: [Float]

    init(seconds: Double, rate: Double = 48_000, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.rate = rate
        // -70 dB of noise, as a quiet room has.
        samples = whiteNoise(count: Int(seconds * rate), rms: 3e-4, using: &generator)
    }

    /// Adds e^(-t/τ) sin 2πft from each time on.
    mutating func add(_ times: [Double], frequency: Double, amplitude: Double) {
        let decay = 0.05
        for start in times.map({ $0 * rate }) {
            for n in Int(start.rounded(.up))..<min(samples.count, Int(start + 8 * decay * rate)) {
                let t = (Double(n) - start) / rate
                samples[n] += Float(amplitude * exp(-t / decay) * sin(2 * .pi * frequency * t))
            }
        }
    }
}

/// The beats told up to the last one with a note; what is told after it is a guess that the music goes on.
private func beats(_ rhythm: Rhythm, around hint: Tempo? = nil, block: Int = 512) throws -> [TrackedBeat] {
    var tracker = try TempoTracker(sampleRate: rhythm.rate.hertz, around: hint)
    var beats: [TrackedBeat] = []
    for first in stride(from: 0, to: rhythm.samples.count, by: block) {
        tracker.process(rhythm.samples.span.extracting(first..<min(rhythm.samples.count, first + block)))
        while let beat = tracker.nextBeat() { beats.append(beat) }
    }
    if let last = beats.lastIndex(where: \.isHeard) { beats.removeSubrange((last + 1)...) }
    return beats
}

/// The distance of each time from the nearest of others.
private func distances(_ times: [Double], from others: [Double]) -> [Double] {
    times.map { time in others.map { abs($0 - time) }.min() ?? .infinity }
}

/// Loud beats, and soft notes a share of the beat later.
private func played(_ beats: [Double], between share: Double, period: Double, seconds: Double, rate: Double = 48_000)
    -> Rhythm
{
    var rhythm = Rhythm(seconds: seconds, rate: rate, seed: 171)
    rhythm.add(beats, frequency: 600, amplitude: 0.5)
    rhythm.add(beats.map { $0 + share * period }, frequency: 1_500, amplitude: 0.05)
    return rhythm
}

@Suite struct TempoTrackerTests {
    @Test(arguments: [8_000.0, 44_100, 48_000, 192_000])
    func `Beats with soft notes between are told where they begin, at every sample rate`(rate: Double) throws {
        let truth = (0..<30).map { 0.5 + Double($0) * 0.6 }
        let told = try beats(played(truth, between: 0.5, period: 0.6, seconds: 19, rate: rate))
        // All but the first ones, when there is nothing to be steady yet.
        #expect(told.count >= 28 && told.count <= 30, "\(told.count)")
        let times = told.map { $0.frame / rate }
        // What a refined onset is good for at any rate.
        #expect(distances(times.filter { $0 > 3 }, from: truth).allSatisfy { $0 < 0.001 })
        let tempo = try #require(told.last).tempo
        #expect(abs(tempo.beatsPerMinute - 100) < 0.01, "\(tempo)")
        #expect(abs(tempo.beatsPerMinute - 100) < 4 * tempo.standardError && tempo.beatCount >= 16, "\(tempo)")
        #expect(tempo.confidence > 0.5 && tempo.confidence <= 1)
    }

    @Test func `A beat is told within 100 ms of its sound`() throws {
        let truth = (0..<20).map { 0.5 + Double($0) * 0.5 }
        let told = try beats(played(truth, between: 0.5, period: 0.5, seconds: 11), block: 64)
        #expect(told.count >= 17)
        for beat in told { #expect(Double(beat.toldAt) - beat.frame < 0.1 * 48_000) }
    }

    @Test func `The beats do not depend on the sizes of the blocks`() throws {
        let truth = (0..<16).map { 0.4 + Double($0) * 0.48 }
        let rhythm = played(truth, between: 2 / 3.0, period: 0.48, seconds: 8)
        let frames = try [1, 480, 4_096].map { block in try beats(rhythm, block: block).map(\.frame) }
        #expect(frames[0].count > 10 && frames[0] == frames[1] && frames[1] == frames[2])
    }

    @Test(arguments: [3.0, -2]) func `A ramp is followed`(perSecond: Double) throws {
        // Beats at which the integral of the tempo is a whole number.
        let first = perSecond > 0 ? 90.0 : 150
        let truth = (0..<40).map { (beat: Int) -> Double in
            let root: Double = (first * first + 120 * perSecond * Double(beat)).squareRoot()
            return 0.5 + (root - first) / perSecond
        }
        let end = try #require(truth.last)
        let told = try beats(played(truth, between: 0.5, period: 60 / first, seconds: end + 0.5))
        let times = told.map { $0.frame / 48_000 }.filter { $0 > 4 }
        #expect(times.count >= truth.count { $0 > 4 } - 1)
        #expect(distances(times, from: truth).allSatisfy { $0 < 0.001 })
        let tempo = try #require(told.last).tempo.beatsPerMinute
        // A line through four beats or more lags by half of them.
        #expect(abs(tempo - (first + perSecond * (end - 0.5))) < 8, "\(tempo)")
    }

    /// Bars of sixteen sixteenths, as a machine plays them: random accents on most places, the same ones in every bar.
    @Test func `Bars that come back decide between three beats and four`() throws {
        let seed: UInt64 = 176
        var generator = SeededGenerator(seed: seed)
        var right = 0
        for _ in 0..<100 {
            let tempo = Double.random(in: 90...140, using: &generator)
            var rhythm = Rhythm(seconds: 14, seed: generator.next())
            for sixteenth in 0..<16 where sixteenth == 0 || Double.random(in: 0...1, using: &generator) < 0.7 {
                let times = stride(from: 0.5 + 15 / tempo * Double(sixteenth), to: 13, by: 240 / tempo)
                let amplitude = Double.random(in: 0.1...0.5, using: &generator)
                let frequency = Double.random(in: 300...1_500, using: &generator)
                rhythm.add(Array(times), frequency: frequency, amplitude: amplitude)
            }
            let told = try #require(try beats(rhythm).last).tempo.beatsPerMinute
            let octaves = log2(told / tempo)
            right += abs(octaves - octaves.rounded()) < 0.05 ? 1 : 0
        }
        // A tracker that does not listen for bars has 84.
        #expect(right >= 97, "seed \(seed): \(right)")
    }

    @Test func `A hint chooses among the levels of one rhythm`() throws {
        let truth = (0..<48).map { 0.5 + Double($0) * 0.375 }
        var rhythm = Rhythm(seconds: 19, seed: 172)
        rhythm.add(truth, frequency: 600, amplitude: 0.5)
        for hint in [80, 160] as [Int64] {
            let told = try beats(rhythm, around: try Tempo(hint))
            let tempo = try #require(told.last).tempo.beatsPerMinute
            #expect(abs(tempo - Double(hint)) < 0.02, "\(tempo)")
        }
    }

    /// From 8 s on every other beat is soft, and half the tempo becomes by far the likelier. The course that is followed all the
    /// same is then no likelier than hypotheses that begin at each onset, and must not leap to one of them: a tracker that did so
    /// went over to half of each of these tempi.
    @Test(arguments: [180.0, 210, 240])
    func `Beats of which every other becomes soft are followed as before`(tempo: Double) throws {
        let period = 60 / tempo
        let truth = Array(stride(from: 0.5, to: 59, by: period))
        let soft = truth.indices.filter { $0 % 2 == 1 && truth[$0] >= 8 }.map { truth[$0] }
        var rhythm = Rhythm(seconds: 60, seed: 173)
        rhythm.add(truth.filter { !soft.contains($0) }, frequency: 600, amplitude: 0.5)
        rhythm.add(soft, frequency: 900, amplitude: 0.05)
        let told = try beats(rhythm).map { $0.frame / 48_000 }
        let late = zip(told, told.dropFirst()).filter { $0.0 > 5 }
        #expect(late.count > Int(53 / period))
        #expect(late.allSatisfy { abs($0.1 - $0.0 - period) < 0.1 * period })
        // What a refined onset is good for.
        #expect(distances(told.filter { $0 > 5 }, from: truth).allSatisfy { $0 < 0.001 })
    }

    /// Two levels differ in likelihood by a constant for each beat, so a tracker that asks for any fixed ratio changes over in the end:
    /// one that asked for 3 000 took these beats twice as fast after 59 to 74 % of the minute.
    @Test(arguments: [60.0, 66], [3, 4])
    func `Soft notes off some beats do not move the level that has proved itself`(tempo: Double, notes: Int) throws {
        let period = 60 / tempo
        let times = Array(stride(from: 0.5, to: 59, by: period))
        var rhythm = Rhythm(seconds: 60, seed: 171)
        rhythm.add(times, frequency: 600, amplitude: 0.5)
        // Three or four of ten, spread over them.
        let off = times.indices.filter { $0 * 7 % 10 < notes }.map { times[$0] + period / 2 }
        rhythm.add(off, frequency: 1_500, amplitude: 0.05)
        let told = try beats(rhythm).map { $0.frame / 48_000 }
        // The first beats may be those of another level; a tenth of the period is far from half of it.
        let late = zip(told, told.dropFirst()).filter { $0.0 > 10 }
        #expect(late.count > 40)
        #expect(late.allSatisfy { abs($0.1 - $0.0 - period) < 0.1 * period })
    }

    @Test func `Beats without notes are told where they have to be`() throws {
        let truth = (0..<32).map { 0.5 + Double($0) * 0.5 }
        var rhythm = Rhythm(seconds: 17, seed: 173)
        // Three beats of rest.
        let notes = Array(truth[..<20] + truth[23...])
        rhythm.add(notes, frequency: 600, amplitude: 0.5)
        let told = try beats(rhythm)
        let rests = told.filter { (10.3...11.7).contains($0.frame / 48_000) }
        #expect(rests.count == 3 && rests.allSatisfy { !$0.isHeard })
        // The states are 6 ms apart.
        #expect(distances(rests.map { $0.frame / 48_000 }, from: truth).allSatisfy { $0 < 0.02 })
        #expect(!told.contains { $0.frame > 12 * 48_000 && !$0.isHeard })
    }

    @Test func `When the music stops the beats stop, and other music is found anew`() throws {
        let first = (0..<16).map { 0.5 + Double($0) * 0.5 }
        let second = (0..<20).map { 20 + Double($0) * 0.4 }
        var rhythm = Rhythm(seconds: 29, seed: 174)
        rhythm.add(first + second, frequency: 600, amplitude: 0.5)
        let told = try beats(rhythm).map { $0.frame / 48_000 }
        // Four beats and three seconds after the last note.
        #expect(!told.contains { (12.1...19.9).contains($0) })
        let late = told.filter { $0 > 22 }
        #expect(late.count >= 14 && distances(late, from: second).allSatisfy { $0 < 0.001 })
    }

    @Test func `Silence and noise have no beat`() throws {
        let noise = Rhythm(seconds: 10, seed: 175)
        #expect(try beats(noise).isEmpty)
        var silence = noise
        silence.add([], frequency: 1, amplitude: 0)
        #expect(try beats(silence).isEmpty)
    }

    @Test func `Samples that are not finite do no harm`() throws {
        let truth = (0..<24).map { 0.5 + Double($0) * 0.5 }
        let rhythm = played(truth, between: 0.5, period: 0.5, seconds: 13)
        var tracker = try TempoTracker(sampleRate: 48.kilohertz)
        var samples = rhythm.samples
        for place in stride(from: 10_000, to: samples.count, by: 30_011) { samples[place] = .nan }
        samples[200_001] = .infinity
        tracker.process(samples.span)
        var told: [Double] = []
        while let beat = tracker.nextBeat() { if beat.frame < 12.1 * 48_000 { told.append(beat.frame / 48_000) } }
        #expect(told.count > 15 && !told.contains { !$0.isFinite })
        #expect(distances(told.filter { $0 > 6 }, from: truth).allSatisfy { $0 < 0.005 })
    }

    @Test func `A reset begins as before the first sample`() throws {
        let truth = (0..<16).map { 0.5 + Double($0) * 0.5 }
        let rhythm = played(truth, between: 0.5, period: 0.5, seconds: 9)
        var tracker = try TempoTracker(sampleRate: 48.kilohertz)
        var runs: [[Double]] = []
        for _ in 0..<2 {
            tracker.process(rhythm.samples.span)
            var frames: [Double] = []
            while let beat = tracker.nextBeat() { frames.append(beat.frame) }
            runs.append(frames)
            tracker.reset()
        }
        #expect(runs[0].count > 10 && runs[0] == runs[1])
    }

    @Test func `Following makes no heap call`() throws {
        let truth = (0..<16).map { 0.5 + Double($0) * 0.5 }
        let rhythm = played(truth, between: 0.5, period: 0.5, seconds: 9)
        var tracker = try TempoTracker(sampleRate: 48.kilohertz)
        allocation_probe_reset()
        let control = [Float](repeating: 1, count: 1_000 + rhythm.samples.count % 7)
        let seen = allocation_probe_count()
        #expect(seen > 0 && !control.isEmpty)
        allocation_probe_reset()
        tracker.process(rhythm.samples.span)
        var told = 0
        while tracker.nextBeat() != nil { told += 1 }
        let count = allocation_probe_count()
        #expect(count == 0 && told > 10)
    }
}
