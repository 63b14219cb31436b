import Music
@testable import Rhythm
import TestSignals
import Testing

@Suite struct LeveledReportTests {
    /// A report of beats as a tracker would tell them: when, how fast, and whether the tempo is known.
    private func report(_ beats: [(time: Double, tempo: Double, isKnown: Bool)]) -> TempoReport {
        var report = TempoReport(sampleRate: 48.kilohertz)
        for (index, told) in beats.enumerated() {
            var beat = TrackedBeat()
            (beat.number, beat.frame, beat.isHeard) = (index, told.time * 48_000, true)
            beat.tempo.beatsPerMinute = told.tempo
            beat.tempo.beatCount = told.isKnown ? 3 : 0
            report.add(beat)
        }
        return report
    }

    private func times(_ report: TempoReport) -> [Double] { report.beats.map(report.seconds) }

    @Test func `What is told before the tempo is known is counted again by the beats after it`() throws {
        var generator = SeededGenerator(seed: 34)
        for round in 0..<200 {
            let tempo = Double.random(in: 50...200, using: &generator)
            let count = Int.random(in: 24...60, using: &generator)
            let truth = (0..<count).map { 0.5 + 60 / tempo * Double($0) }
            // The first note; guesses; then, for a while, eighths or halves; then the beats.
            let (guesses, strayed) = (
                Int.random(in: 0...4, using: &generator), Int.random(in: 0...8, using: &generator)
            )
            var told = [(time: truth[0], tempo: 144.9, isKnown: false)]
            for n in 1..<(1 + guesses) {
                // At other notes: eighths and sixteenths.
                let part = [0.25, 0.5, -0.25].randomElement(using: &generator) ?? 0.5
                let time = truth[n] + part * 60 / tempo
                told.append((time, Double.random(in: 40...240, using: &generator), false))
            }
            let isDouble = Bool.random(using: &generator)
            for n in (1 + guesses)..<(1 + guesses + strayed) {
                if isDouble {
                    told.append((truth[n], 2 * tempo, true))
                    told.append((truth[n] + 30 / tempo, 2 * tempo, true))
                } else if n % 2 == 0 {
                    told.append((truth[n], tempo / 2, true))
                }
            }
            for time in truth[(1 + guesses + strayed)...] { told.append((time, tempo, true)) }
            let leveled = report(told).leveled
            try #require(leveled.beats.count == count, "round \(round): \(tempo), \(told)")
            // Sums of a few dozen rounded numbers.
            for (beat, time) in zip(times(leveled), truth) { #expect(abs(beat - time) < 1e-9, "round \(round)") }
            #expect(leveled.beats.map(\.number) == Array(0..<count))
            let mean = try #require(leveled.beatsPerMinute)
            #expect(abs(mean / tempo - 1) < 1e-9, "round \(round): \(mean) for \(tempo)")
            #expect(try !#require(leveled.drift).isCertain)
        }
    }

    @Test func `A tempo that rises is left as it was told`() {
        // From 80 by 3 beats per minute in a second, the most that is followed.
        let times = (0..<60).map { (beat: Int) -> Double in ((80.0 * 80 + 360 * Double(beat)).squareRoot() - 80) / 3 }
        let ramp = report(times.map { ($0, 80 + 3 * $0, true) })
        #expect(ramp.leveled.beats.map(\.frame) == ramp.beats.map(\.frame))
        #expect(ramp.leveled.drift == ramp.drift)
    }

    /// A ratio of 4 to 5, and one near 2 to 3, which trackers take for each other.
    @Test(arguments: [0.8, 0.7]) func `Another tempo that is kept is the player's, and stays`(period: Double) {
        let slow = (0..<20).map { (time: Double($0), tempo: 60.0, isKnown: true) }
        let quick = (0..<40).map { (time: 20 + period * Double($0), tempo: 60 / period, isKnown: true) }
        let both = report(slow + quick)
        #expect(both.leveled.beats.map(\.frame) == both.beats.map(\.frame))
    }

    @Test func `A phrase after a fermata goes on in its tempo, wherever it begins`() {
        var told: [(time: Double, tempo: Double, isKnown: Bool)] = []
        // Eight phrases of eight beats at 100, 2.1 s from the last to the next: no whole number of beats.
        for phrase in 0..<8 {
            for beat in 0..<8 { told.append((0.5 + 6.3 * Double(phrase) + 0.6 * Double(beat), 100, true)) }
        }
        let phrases = report(told)
        #expect(phrases.leveled.beats.map(\.frame) == phrases.beats.map(\.frame))
    }

    @Test func `There is no beat between a noise and music that begins much later`() {
        // At 120 a minute; 24 s, or with one more noise 12 s, are a pause.
        for noises in [[1.0], [1, 13]] {
            let told = noises.map { (time: $0, tempo: 144.9, isKnown: false) }
            let music = (0..<40).map { (time: 25 + 0.5 * Double($0), tempo: 120.0, isKnown: true) }
            #expect(times(report(told + music).leveled) == music.map(\.time))
        }
    }

    @Test func `Without a tempo that is known, nothing is changed`() {
        let guesses = report([(0.5, 140, false), (1.4, 90, false), (2, 100, true), (3.1, 55, false)])
        #expect(guesses.leveled.beats.map(\.frame) == guesses.beats.map(\.frame))
        #expect(report([]).leveled.beats.isEmpty)
    }
}
