import CAllocationProbe
import Music
import Synthesis
import TestSignals
import Testing
import Timebase

/// One click alone, `count` frames long.
func click(
    _ level: AccentLevel, voice: ClickVoice = .woodBlock, fraction: Double = 0, sampleRate: Int = 48_000,
    count: Int = 16_384
) -> [Float] {
    var track = ClickTrack(bank: ClickBank(voices: [voice], sampleRate: sampleRate), sampleRate: sampleRate)
    var samples = [Float](repeating: 9, count: count)
    track.strike(layer: 0, level: level, gain: 1, fraction: fraction)
    var frames = samples.mutableSpan
    track.render(into: &frames, from: 0, to: count)
    return samples
}

/// -1 dBFS.
let safePeak: Float = 0.8912

@Suite struct ClickTrackTests {
    @Test func `A click begins at its frame, peaks below -1 dBFS and ends in silence`() {
        for level in [AccentLevel.normal, .medium, .accent] {
            let samples = click(level)
            let peak = samples.map(abs).max() ?? 0
            #expect(peak > 0.3 && peak <= safePeak)
            #expect(samples[0] != 0)
            #expect(samples.suffix(1_000).allSatisfy { $0 == 0 })
        }
    }

    @Test func `A click has no DC`() {
        for level in [AccentLevel.normal, .medium, .accent] {
            let samples = click(level)
            let sum = samples.reduce(0.0) { $0 + Double($1) }
            let magnitude = samples.reduce(0.0) { $0 + abs(Double($1)) }
            #expect(magnitude > 10)
            // 60 dB below the mean magnitude: what folds back at the blow, and the rounding of Float.
            #expect(abs(sum) < 0.001 * magnitude)
        }
    }

    @Test func `The accent is louder and higher than the plain click`() {
        func crossings(_ samples: [Float]) -> Int {
            zip(samples.prefix(480), samples.dropFirst().prefix(480)).count { ($0 < 0) != ($1 < 0) }
        }
        let (plain, accent) = (click(.normal), click(.accent))
        #expect((accent.map(abs).max() ?? 0) > 1.7 * (plain.map(abs).max() ?? 1))
        #expect(Double(crossings(accent)) > 1.3 * Double(crossings(plain)))
        #expect(crossings(plain) > 10)
    }

    @Test func `A silent level is not heard`() {
        #expect(click(.silent).allSatisfy { $0 == 0 })
    }

    @Test func `Striking a sounding layer again never passes -1 dBFS`() {
        var random = SeededGenerator(seed: 5)
        var track = ClickTrack(bank: ClickBank(voices: [.woodBlock], sampleRate: 48_000), sampleRate: 48_000)
        var samples = [Float](repeating: 0, count: 48_000)
        var peak: Float = 0
        for _ in 0..<2_000 {
            // 5 ms and more: twelve strokes a beat at 1,000 beats per minute.
            let gap = Int.random(in: 240...2_000, using: &random)
            track.strike(layer: 0, level: .accent, gain: 1, fraction: Double.random(in: 0..<1, using: &random))
            var frames = samples.mutableSpan
            track.render(into: &frames, from: 0, to: gap)
            for i in 0..<gap { peak = max(peak, abs(frames[i])) }
        }
        #expect(peak > 0.5 && peak <= safePeak)
    }
}
