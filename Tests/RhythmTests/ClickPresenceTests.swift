import Foundation
import Music
import Rhythm
import Synthesis
import TestSignals
import Testing
import Timebase

private let rate = 48_000.0

/// A recording in which a click at 120 beats per minute may be heard, and the strokes of its plan.
private struct Recording {
    var samples: [Float]
    let strokes: [BeatEvent]
    private let tempo: Double

    init(beatsPerMinute: Ratio = Ratio(120), seconds: Double = 30, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        samples = whiteNoise(count: Int(seconds * rate), rms: 3e-4, using: &random)
        var source = try PlanStrokes(PracticePlan(tempo: Tempo(beatsPerMinute)), sampleRate: rate.hertz)
        strokes = (0..<60).compactMap { _ in source.next() }
        tempo = beatsPerMinute.value
    }

    /// Adds the wood block's clicks, half as loud as a note.
    mutating func addClicks(from begin: Double, isExact: Bool) {
        var track = ClickTrack(sounds: [.voice(.woodBlock)], sampleRate: rate.hertz)
        var clicks = [Float](repeating: 0, count: samples.count)
        var span = clicks.mutableSpan
        var rendered = 0
        for stroke in strokes {
            let place = Int(begin * rate) + Int(stroke.frame)
            guard place < samples.count else { break }
            track.render(into: &span, from: rendered, to: place)
            rendered = place
            track.strike(
                layer: 0, level: stroke.level, gain: 0.2, fraction: isExact ? stroke.fractionOfNearest : nil)
        }
        track.render(into: &span, from: rendered, to: samples.count)
        for n in samples.indices { samples[n] += clicks[n] }
    }

    /// Adds a note of 880 Hz, which is like the beep, at each beat.
    mutating func addNotes(from begin: Double, beats: Range<Int>, late: (Int) -> Double) {
        for beat in beats {
            let first = Int((begin + 60 / tempo * Double(beat) + late(beat)) * rate)
            for n in 0..<14_400 where first + n < samples.count {
                let t = Double(n) / rate
                samples[first + n] += Float(0.3 * (1 - exp(-t / 0.002)) * exp(-t / 0.1) * sin(2 * .pi * 880 * t))
            }
        }
    }

    /// Follows what is found.
    func presence(offsets: [Double], of sound: ClickVoice = .woodBlock) -> ClickPresence? {
        var presence = ClickPresence(
            in: samples, from: 0, sampleRate: rate.hertz, strokes: strokes, offsets: offsets, sounds: [.voice(sound)])
        presence?.follow(samples, from: 0)
        return presence
    }
}

@Suite struct ClickPresenceTests {
    @Test(arguments: [0.001, 0.002, 0.008])
    func `Notes that sound like a click are told from it by their times`(spread: Double) throws {
        var recording = try Recording(seed: 1_702)
        var random = SeededGenerator(seed: UInt64(1e6 * spread))
        recording.addNotes(from: 1, beats: 0..<48) { _ in 0.02 + spread * random.normal() }
        // They are like it, or there is nothing to tell apart.
        let isRegular = recording.presence(offsets: [1.01], of: .beep)?.isRegular
        #expect(isRegular == false)
    }

    @Test func `Whether clicks lie between frames is told by their places`() throws {
        for isExact in [true, false] {
            // 29,599.18 frames a beat.
            var recording = try Recording(beatsPerMinute: try #require(Ratio(973, 10)), seed: 1_703)
            recording.addClicks(from: 1, isExact: isExact)
            let presence = try #require(recording.presence(offsets: [1.003]))
            #expect(presence.isExact == isExact && presence.isRegular)
        }
    }

    /// A plan of equal beats fits at many beginnings.
    @Test(arguments: [-4, -1, 0, 1, 7])
    func `The plan begins at the first click, whichever beat was taken for it`(beats: Int) throws {
        var recording = try Recording(beatsPerMinute: try #require(Ratio(973, 10)), seed: 1_704)
        recording.addClicks(from: 2, isExact: true)
        recording.addNotes(from: 2, beats: 0..<40) { 0.02 + 0.005 * Double($0 % 3) }
        let presence = try #require(recording.presence(offsets: [2.003 + Double(beats) * 60 / 97.3]))
        #expect(abs(presence.offset - 2) < 0.000_05 && presence.isExact && presence.isRegular)
    }
}
