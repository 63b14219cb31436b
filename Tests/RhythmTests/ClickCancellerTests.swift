import CAllocationProbe
import Foundation
import Music
@_spi(Measurement) import Rhythm
import Testing
import TestSignals

/// A click, its way through a room to the microphone, and clicks in a row.
struct Room {
    let rate: Double
    let click: [Float]
    /// The click at the microphone, from its first sample on.
    let echo: [Float]

    init(rate: Double = 48_000, using generator: inout SeededGenerator) {
        self.rate = rate
        let click = (0..<Int(0.03 * rate)).map { n in
            Float(0.5 * sin(2 * .pi * 1_500 * Double(n) / rate) * exp(-Double(n) / rate / 0.006))
        }
        // The direct sound, and a tail that falls by 60 dB in 0.25 s.
        var response = [Float](repeating: 0, count: Int(0.3 * rate))
        response[0] = 1
        for n in 1..<response.count {
            response[n] = Float(0.02 * generator.normal() * pow(10, -3 * Double(n) / rate / 0.25))
        }
        var echo = [Float](repeating: 0, count: click.count + response.count)
        for (n, x) in click.enumerated() { for (m, h) in response.enumerated() { echo[n + m] += x * h } }
        (self.click, self.echo) = (click, echo)
    }

    /// What the microphone hears of clicks at `frames`, each `delay` of its index later, in samples.
    func sound(of frames: [Int64], count: Int, delay: (Int) -> Int = { _ in 0 }) -> [Float] {
        var samples = [Float](repeating: 0, count: count)
        for (index, frame) in frames.enumerated() {
            for (n, x) in echo.enumerated() where Int(frame) + n + delay(index) < count {
                samples[Int(frame) + n + delay(index)] += x
            }
        }
        return samples
    }
}

private func cancelled(
    _ samples: [Float], _ room: Room, _ frames: [Int64], block: Int = 256
) throws -> [Float] {
    var canceller = try ClickCanceller(sampleRate: room.rate.hertz, sounds: [room.click])
    for frame in frames.prefix(16) { canceller.expect(0, at: frame) }
    var (result, next) = ([Float](), 16)
    for start in stride(from: 0, to: samples.count, by: block) {
        var part = Array(samples[start..<min(samples.count, start + block)])
        // Announced as the clicks before them go.
        while next < frames.count, frames[next - 8] < Int64(start) {
            canceller.expect(0, at: frames[next])
            next += 1
        }
        var span = part.mutableSpan
        canceller.process(&span)
        result += part
    }
    #expect(canceller.missedClicks == 0)
    return result
}

/// The energy of a click's first 300 ms.
private func energy(_ samples: [Float], at frame: Int64, rate: Double) -> Double {
    samples[Int(frame)..<min(samples.count, Int(frame) + Int(0.3 * rate))].reduce(0) { $0 + Double($1 * $1) }
}

@Suite struct ClickCancellerTests {
    private let frames = (0..<12).map { Int64(6_000 + $0 * 24_000) }

    @Test func `After four clicks 20 dB of a steady click are gone`() throws {
        var generator = SeededGenerator(seed: 161)
        let room = Room(using: &generator)
        let heard = room.sound(of: frames, count: 300_000)
        let noise = whiteNoise(count: heard.count, rms: 1e-3, using: &generator)
        let left = try cancelled(zip(heard, noise).map { $0 + $1 }, room, frames)
        let floor = energy(noise, at: 0, rate: 48_000)
        #expect(energy(heard, at: frames[0], rate: 48_000) > 1_000 * floor, "the test hears a click at all")
        // The first one passes: nothing is known of it.
        #expect(energy(left, at: frames[0], rate: 48_000) > 0.5 * energy(heard, at: frames[0], rate: 48_000))
        for frame in frames.dropFirst(4) {
            let rest = energy(left, at: frame, rate: 48_000) - floor
            #expect(rest < 0.01 * energy(heard, at: frame, rate: 48_000), "\(rest)")
        }
    }

    @Test(arguments: [44_100.0, 96_000])
    func `It does at other sample rates`(rate: Double) throws {
        var generator = SeededGenerator(seed: 162)
        let room = Room(rate: rate, using: &generator)
        let frames = (0..<7).map { Int64((0.1 + 0.5 * Double($0)) * rate) }
        let heard = room.sound(of: frames, count: Int(3.6 * rate))
        let noise = whiteNoise(count: heard.count, rms: 1e-3, using: &generator)
        let left = try cancelled(zip(heard, noise).map { $0 + $1 }, room, frames)
        let rest = energy(left, at: frames[6], rate: rate) - energy(noise, at: 0, rate: rate)
        #expect(rest < 0.01 * energy(heard, at: frames[6], rate: rate), "\(rest)")
    }

    @Test func `The residual does not depend on how the stream is cut`() throws {
        var generator = SeededGenerator(seed: 164)
        let room = Room(using: &generator)
        let frames = Array(frames.prefix(5))
        let heard = room.sound(of: frames, count: 130_000)
        let reference = try cancelled(heard, room, frames, block: 130_000)
        for block in [1, 64, 1_000] { #expect(try cancelled(heard, room, frames, block: block) == reference) }
    }

    @Test func `An even player who plays on the click is heard, each note at its time`() throws {
        var generator = SeededGenerator(seed: 163)
        let room = Room(using: &generator)
        var heard = room.sound(of: frames, count: 300_000)
        let noise = whiteNoise(count: heard.count, rms: 1e-3, using: &generator)
        // 10 ms after each click from the fifth on, as loud as the click, and each note the same to the sample.
        let starts = frames.dropFirst(4).map { Int($0) + 480 }
        for start in starts {
            for n in 0..<4_800 {
                heard[start + n] += Float(0.4 * exp(-Double(n) / 1_200) * sin(2 * .pi * 700 * Double(n) / 48_000))
            }
        }
        let mixed = zip(heard, noise).map { $0 + $1 }
        var canceller = try ClickCanceller(sampleRate: 48.kilohertz, sounds: [room.click])
        var detector = try OnsetDetector(sampleRate: 48.kilohertz)
        for frame in frames { canceller.expect(0, at: frame) }
        var onsets: [Onset] = []
        for start in stride(from: 0, to: mixed.count, by: 250) {
            var part = Array(mixed[start..<min(mixed.count, start + 250)])
            var span = part.mutableSpan
            canceller.process(&span)
            detector.process(part.span, after: canceller)
            while let onset = detector.nextOnset() { if onset.stage == .refined { onsets.append(onset) } }
        }
        #expect(onsets.count == starts.count, "\(onsets.map { $0.frame })")
        // Half a period of the note, 0.71 ms: the rest of the click hides where it begins.
        for (onset, start) in zip(onsets, starts) {
            #expect(abs(onset.frame - Double(start)) < 34, "\(onset.frame - Double(start))")
        }
        // Without the canceller each click is a note.
        var alone = try OnsetDetector(sampleRate: 48.kilohertz)
        alone.process(mixed.span)
        var count = 0
        while let onset = alone.nextOnset() { count += onset.stage == .refined ? 1 : 0 }
        #expect(count >= frames.count)
    }

    @Test func `A microphone clock 50 ppm off is followed`() throws {
        var generator = SeededGenerator(seed: 165)
        let room = Room(using: &generator)
        let frames = (0..<40).map { Int64(6_000 + $0 * 24_000) }
        // 1.2 samples per click, to the nearest sample.
        let heard = room.sound(of: frames, count: 1_000_000) { Int((1.2 * Double($0)).rounded()) }
        let noise = whiteNoise(count: heard.count, rms: 1e-3, using: &generator)
        let left = try cancelled(zip(heard, noise).map { $0 + $1 }, room, frames)
        let floor = energy(noise, at: 0, rate: 48_000)
        for frame in frames.suffix(10) {
            // To the nearest sample is up to 0.4 samples off. A sine of 1.5 kHz leaves (2π · 1500 · 0.4 / 48000)² of its
            // energy then, 0.62 %; twice that and the 1 % of the test above, 2 %.
            let rest = energy(left, at: frame, rate: 48_000) - floor
            #expect(rest < 0.02 * energy(heard, at: frame, rate: 48_000), "\(rest)")
        }
    }

    /// Two seconds in which a switch mutes the microphone, four clicks long.
    @Test func `A microphone that was muted knows the click as before`() throws {
        var generator = SeededGenerator(seed: 169)
        let room = Room(using: &generator)
        let frames = (0..<16).map { Int64(6_000 + $0 * 24_000) }
        let heard = room.sound(of: frames, count: 400_000)
        let noise = whiteNoise(count: heard.count, rms: 1e-3, using: &generator)
        let muted = Int(frames[6]) - 3_000..<Int(frames[10]) - 3_000
        let samples = heard.indices.map { muted.contains($0) ? 0 : heard[$0] + noise[$0] }
        let left = try cancelled(samples, room, frames)
        let (loud, floor) = (energy(heard, at: frames[0], rate: 48_000), energy(noise, at: 0, rate: 48_000))
        // The first muted click is taken out of silence, before anybody can know.
        #expect(energy(left, at: frames[6], rate: 48_000) > 0.5 * loud)
        for frame in frames[7..<10] { #expect(energy(left, at: frame, rate: 48_000) < 0.01 * loud) }
        // The first one that is heard again passes, as nobody can know either.
        for frame in frames[11...] { #expect(energy(left, at: frame, rate: 48_000) - floor < 0.01 * loud) }
    }

    @Test(arguments: [1, 3])
    func `Learning is spread over blocks: no block does more than its share`(distance: Int) throws {
        var generator = SeededGenerator(seed: 168)
        let room = Room(using: &generator)
        // Three sounds; 2 or 6 clicks a second.
        let frames = (0..<24).map { Int64(6_000 + $0 * 24_000 / distance) }
        var samples = room.sound(of: frames, count: 300_000)
        var canceller = try ClickCanceller(
            sampleRate: 48.kilohertz, sounds: [[Float]](repeating: room.click, count: 3))
        for (index, frame) in frames.enumerated() { canceller.expect(index % 3, at: frame) }
        var (most, before) = (0, 0)
        for start in stride(from: 0, to: samples.count, by: 256) {
            var part = Array(samples[start..<min(samples.count, start + 256)])
            var span = part.mutableSpan
            canceller.process(&span)
            samples.replaceSubrange(start..<(start + part.count), with: part)
            most = max(most, canceller.learningSteps - before)
            before = canceller.learningSteps
        }
        // 16 steps every 64 samples, twice as many where clicks wait for each other.
        #expect(most <= 4 * 32)
        // All clicks whose echo of 341 ms has ended were learnt from, each in nearly 300 steps or more.
        let ended = frames.count { $0 + 18_000 < samples.count }
        #expect(before >= 250 * ended, "\(before)")
    }

    @Test func `Clicks that come too late or too many are counted and do no harm`() throws {
        var generator = SeededGenerator(seed: 166)
        let room = Room(using: &generator)
        var canceller = try ClickCanceller(sampleRate: 48.kilohertz, sounds: [room.click])
        for index in 0..<100 { canceller.expect(0, at: Int64(index * 100)) }
        canceller.expect(7, at: 0)
        canceller.expect(-1, at: 0)
        var samples = whiteNoise(count: 100_000, rms: 0.1, using: &generator)
        samples[500] = .nan
        var span = samples.mutableSpan
        canceller.process(&span)
        canceller.expect(0, at: 10)
        canceller.process(&span)
        #expect(canceller.missedClicks > 70)
        let isFinite = samples.allSatisfy { $0.isFinite }
        #expect(isFinite)
    }

    @Test func `Cancelling makes no heap call`() throws {
        var generator = SeededGenerator(seed: 167)
        let room = Room(using: &generator)
        let heard = room.sound(of: frames, count: 300_000)
        var canceller = try ClickCanceller(sampleRate: 48.kilohertz, sounds: [room.click])
        var detector = try OnsetDetector(sampleRate: 48.kilohertz)
        for frame in frames { canceller.expect(0, at: frame) }
        var block = heard
        var span = block.mutableSpan
        allocation_probe_reset()
        canceller.process(&span)
        let count = allocation_probe_count()
        #expect(count == 0)
        allocation_probe_reset()
        detector.process(heard.span, after: canceller)
        let second = allocation_probe_count()
        #expect(second == 0)
    }
}
