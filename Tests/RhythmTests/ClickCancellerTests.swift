import CAllocationProbe
import Foundation
import Music
import Rhythm
import Testing
import TestSignals

/// A click, its way through a room to the microphone, and clicks in a row.
private struct Room {
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
