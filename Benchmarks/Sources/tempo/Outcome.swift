import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

/// What the tracker makes of a recording.
struct Outcome {
    let recording: PlayedBeats
    let beats: [TrackedBeat]
    let score: BeatScore

    init(_ recording: PlayedBeats, isHinted: Bool, _ constants: TempoConstants) throws {
        self.recording = recording
        let around = isHinted ? try hint(recording.firstTempo) : nil
        beats = try trackedBeats(recording.samples, rate: recording.rate, around: around, constants)
        score = BeatScore(played: recording.beats, told: beats.map { $0.frame / recording.rate })
    }

    /// In seconds, how long after it each beat was told.
    var delays: [Double] { beats.map { (Double($0.toldAt) - $0.frame) / recording.rate } }

    /// Seconds from the first beat played to the fourth of the first four in a row that were told, as they sounded, within 35 ms
    /// and with none between.
    var lock: Double? {
        let soon = beats.filter { (Double($0.toldAt) - $0.frame) / recording.rate < 0.15 }.map {
            $0.frame / recording.rate
        }
        let played = recording.beats
        for first in 0..<max(0, played.count - 3) {
            let four = played[first...(first + 3)]
            let isHeard = four.allSatisfy { beat in soon.contains { abs($0 - beat) < 0.035 } }
            let range = (played[first] - 0.035)...(played[first + 3] + 0.035)
            if isHeard, soon.count(where: range.contains) == 4 { return played[first + 3] - played[0] }
        }
        return nil
    }

    /// The relative error of the tempo that the first beat after 20 s tells, at the nearest level of the meter.
    var tempoError: Double? {
        guard let beat = beats.first(where: { $0.frame / recording.rate >= recording.beats[0] + 20 }) else {
            return nil
        }
        let error = levelError(beat.tempo.beatsPerMinute / recording.meanTempo)
        return error < 0.04 ? error : nil
    }
}

/// All beats of samples, fed in blocks of 512.
func trackedBeats(
    _ samples: [Float], rate: Double, around: Tempo?, _ constants: TempoConstants
) throws -> [TrackedBeat] {
    var tracker = try TempoTracker(sampleRate: rate.hertz, around: around, constants: constants)
    var beats: [TrackedBeat] = []
    for first in stride(from: 0, to: samples.count, by: 512) {
        tracker.process(samples.span.extracting(first..<min(samples.count, first + 512)))
        while let beat = tracker.nextBeat() { beats.append(beat) }
    }
    return beats
}

/// How far a ratio of two tempi is from that of two levels of a meter, as a share.
func levelError(_ ratio: Double) -> Double {
    let levels: [Double] = [1, 2, 0.5, 3, 1.0 / 3, 1.5, 2.0 / 3]
    return levels.reduce(.infinity) { min($0, abs(ratio / $1 - 1)) }
}

/// A tempo rounded to a tenth of a beat per minute.
func hint(_ beatsPerMinute: Double) throws -> Tempo {
    guard let ratio = Ratio(Int64((beatsPerMinute * 10).rounded()), 10) else { return try Tempo(120) }
    return try Tempo(ratio)
}
