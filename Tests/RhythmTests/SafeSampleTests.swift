import Foundation
import Music
@testable @_spi(Measurement) import Rhythm
import Synthesis
import TestSignals
import Testing
import Timebase

/// What floats can hold and no sound is: their squares are not finite, or they are no numbers.
private let impossible: [Float] = [
    1e18, 1e20, 1e30, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, .nan,
]

@Suite struct SafeSampleTests {
    private let rate = 48_000.0

    /// Ten clicks, half a second apart from 0.25 s on.
    private var clicks: [Float] {
        var track = ClickTrack(sounds: [.voice(.woodBlock)], sampleRate: rate.hertz)
        var samples = [Float](repeating: 0, count: 5 * Int(rate))
        var span = samples.mutableSpan
        for click in 0..<10 {
            track.strike(layer: 0, level: .accent, gain: 0.5, fraction: 0, ahead: 12_000)
            track.render(into: &span, from: click * 24_000, to: (click + 1) * 24_000)
        }
        return samples
    }

    /// With samples between the clicks that are all one value.
    private func clicks(with value: Float) -> [Float] {
        var samples = clicks
        for place in [5_000, 30_000, 30_001, 100_000, 239_990] { samples[place] = value }
        return samples
    }

    /// A fiftieth of a sample: those who find clicks place them to a hundredth.
    private func isInPlace(_ position: Double) -> Bool {
        let place = (position - 12_000) / 24_000
        return abs(place - place.rounded()) * 24_000 < 0.02
    }

    @Test(arguments: impossible)
    func `A recording's clicks are found beside samples that no sound can have`(value: Float) throws {
        let samples = clicks(with: value)
        var recorded = try RecordedClicks(sampleRate: rate.hertz, knowing: [.voice(.woodBlock)])
        recorded.process(samples.span)
        recorded.finish()
        try recorded.processAgain(samples.span)
        _ = recorded.finishAgain()
        // They are told from each other; all are late by the same, the length of a filter.
        let places = try recorded.clicks().map(\.position)
        #expect(
            places.count == 10 && zip(places, places.dropFirst()).allSatisfy { abs($1 - $0 - 24_000) < 0.02 },
            "\(places)")
    }

    @Test(arguments: impossible)
    func `Those who listen hear the clicks beside samples that no sound can have`(value: Float) throws {
        let samples = clicks(with: value)
        var listener = ClickListener(sampleRate: rate.hertz, knowing: [.voice(.woodBlock)])
        let heard = listener.process(samples.span) + listener.finish()
        #expect(heard.count { isInPlace($0.position) } == 10)
        // The click itself, from its first sample on.
        var finder = ClickFinder(click: Array(clicks[12_000..<13_000]), spacing: 10_000)
        let found = finder.process(samples.span) + finder.finish()
        #expect(found.count { isInPlace($0.position) } == 10)
    }

    @Test(arguments: impossible)
    func `Nothing that hears a player stops at samples that no sound can have`(value: Float) throws {
        let samples = clicks(with: value)
        var words = try SpokenWords(of: .englishCount(sampleRate: rate.hertz), sampleRate: rate.hertz)
        words.process(samples.span)
        words.finish()
        #expect(words.found.allSatisfy { $0.position.isFinite })
        var tracker = try TempoTracker(sampleRate: rate.hertz)
        tracker.process(samples.span)
        while let beat = tracker.nextBeat() { #expect(beat.frame.isFinite && beat.uncertainty >= .zero) }
        var plan = try PracticePlan(tempo: Tempo(120))
        plan.countIn = .bars(1)
        var strokes = try PlanStrokes(plan, sampleRate: rate.hertz)
        let played = PlayedClicks([.voice(.woodBlock)], sampleRate: rate.hertz)
        var listening = try ListeningEngine(sampleRate: rate.hertz, clicks: played)
        var following = try FollowingEngine(sampleRate: rate.hertz, clicks: played)
        for _ in 0..<9 {
            guard let stroke = strokes.next() else { break }
            listening.expect(stroke)
            following.expect(stroke)
        }
        listening.process(samples.span, at: -12_000)
        following.process(samples.span, at: -12_000)
        while let note = listening.nextNote() { #expect(note.lateness < .seconds(1) && note.frame.isFinite) }
        while let note = following.nextNote() { #expect(note.lateness < .seconds(1) && note.frame.isFinite) }
        #expect(listening.clickLevelChange?.isFinite ?? true)
    }

    @Test func `A frame that lies beyond all time is no beat of a follower`() {
        var follower = BeatFollower(sampleRate: rate.hertz)
        for beat in 0..<8 { follower.hear(Double(beat) * 24_000) }
        for frame in [1e19, 1e30, 1e300, .infinity, .nan] { follower.hear(frame) }
        follower.hear(8 * 24_000)
        #expect(follower.starts == 1)
    }
}
