import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

/// A metronome that follows a player: engine, loudspeaker, room, microphone, follower.
struct Session {
    /// The clicks that were rendered, in seconds.
    private(set) var clicks: [Double] = []

    private static let rate = PlayedSound.rate
    /// The metronome renders 21 ms ahead of what is heard, as with two periods of 512 frames.
    private static let ahead = 1_024
    private static let block = 256

    /// Plays a session through the air.
    ///
    /// - Parameter bleed: how loud the click is in the microphone beside a note, in decibels; `nil`: headphones.
    init(_ player: Player, seed: UInt64, bleed: Double?, constants: FollowerConstants) throws {
        var samples = PlayedSound.samples(of: player, seed: seed)
        var room = Room(seed: seed &+ 1)
        let plan = try PracticePlan(tempo: Tempo(100), accents: .every(4))
        var metronome = try Metronome(plan, sampleRate: Self.rate.hertz)
        metronome.control.stop()
        let sounds = PlayedClicks([.voice(.woodBlock)], sampleRate: Self.rate.hertz)
        let gain = try bleed.map { decibels in
            Float(pow(10, decibels / 20)) * (2 / room.energy(of: try Self.click())).squareRoot()
        }
        var engine = try FollowingEngine(
            sampleRate: Self.rate.hertz, clicks: gain == nil ? .none : sounds, around: nil, patience: 16,
            constants: constants)
        // What was rendered and not heard yet.
        var (played, starts) = ([Float](repeating: 0, count: samples.count + 2 * Self.ahead), 0)
        var isStopped = true
        for start in stride(from: 0, to: samples.count - Self.block, by: Self.block) {
            var rendered = [Float](repeating: 0, count: Self.block)
            var span = rendered.mutableSpan
            metronome.engine.render(into: &span)
            for n in 0..<Self.block { played[start + Self.ahead + n] = rendered[n] }
            while let stroke = metronome.events.pop() {
                engine.expect(stroke)
                if stroke.isBeat { clicks.append(Double(stroke.frame + Int64(Self.ahead)) / Self.rate) }
            }
            if let gain {
                for n in start..<start + Self.block { samples[n] += gain * room.hear(played[n]) }
            }
            engine.process(samples.span.extracting(start..<start + Self.block), at: Double(start - Self.ahead))
            if engine.starts != starts || engine.steering == nil {
                starts = engine.starts
                if !isStopped { metronome.control.stop() }
                isStopped = true
            }
            if let steering = engine.steering {
                metronome.control.steer(steering)
                isStopped = false
            }
        }
    }

    /// The click of a beat.
    private static func click() throws -> [Float] {
        var metronome = try Metronome(PracticePlan(tempo: Tempo(60)), sampleRate: rate.hertz)
        var samples = [Float](repeating: 0, count: 4_800)
        var span = samples.mutableSpan
        metronome.engine.render(into: &span)
        return samples
    }

    /// The same without sound: notes are known 20 ms after they begin, clicks are rendered 21 ms before they are heard.
    init(silently player: Player, constants: FollowerConstants) {
        var follower = BeatFollower(sampleRate: Self.rate.hertz, constants: constants)
        var notes = player.notes[...]
        for step in 0..<Int(player.length / 0.005) {
            let now = 0.005 * Double(step)
            while let note = notes.first, note + 0.02 < now {
                follower.hear(note * Self.rate)
                notes.removeFirst()
            }
            follower.advance(to: now * Self.rate)
            let horizon = now * Self.rate + Double(Self.ahead)
            while let steering = follower.steering, steering.frame < horizon {
                let frame = max(steering.frame, horizon - Double(Self.block))
                clicks.append(frame / Self.rate)
                follower.strike(frame)
            }
        }
    }
}
