import Foundation
import Music
import Synthesis
import TestSignals
import Testing
import Timebase

@Suite struct TruePeakTests {
    /// Recordings whose samples reach full scale and whose curve goes beyond it.
    private func recording(_ kind: String, sampleRate: Int) -> [Float] {
        var random = SeededGenerator(seed: 1)
        return (0..<500).map { n in
            let t = Double(n) / Double(sampleRate)
            return switch kind {
            case "square": sin(2 * .pi * 997 * t) >= 0 ? 1 : -1
            case "noise": Float(exp(-t / 0.01) * Double.random(in: -1...1, using: &random))
            // A quarter of the rate, sampled 45° beside its peaks: 3 dB above its samples.
            default: Float(sin(.pi / 2 * Double(n) + .pi / 4))
            }
        }
    }

    @Test(arguments: ["square", "noise", "quarter"], [44_100, 48_000])
    func `An own sound at full scale never passes -1 dBFS, wherever it lies, alone and in layers`(
        kind: String, sampleRate: Int
    ) {
        let samples = recording(kind, sampleRate: sampleRate)
        let sound = ClickSound.recorded(RecordedClick(name: kind, samples: samples))
        for layers in [1, 2] {
            let bank = ClickBank(sounds: Array(repeating: sound, count: layers), sampleRate: sampleRate.hertz)
            var track = ClickTrack(bank: bank, sampleRate: sampleRate.hertz)
            var rendered = [Float](repeating: 0, count: 700)
            var peak: Float = 0
            // Thirds too: none of the sixteenths that the bank tries.
            for fraction in stride(from: -0.5, through: 0.5, by: 1.0 / 48) {
                for layer in 0..<layers {
                    track.strike(layer: layer, level: .accent, gain: 1, fraction: fraction, ahead: 64)
                }
                var frames = rendered.mutableSpan
                track.render(into: &frames, from: 0, to: 700)
                peak = rendered.reduce(peak) { max($0, abs($1)) }
            }
            print("\(kind) at \(sampleRate) Hz, \(layers) layers: \(20 * log10(Double(peak))) dBFS at the most")
            // -2 dBFS as synthesised voices have it; 0.04 dB for what lies between the sixteenths.
            #expect(peak > 0.78 && peak <= 0.798)
        }
    }

    @Test func `An own sound struck again and again never passes -1 dBFS`() {
        var random = SeededGenerator(seed: 6)
        let sound = ClickSound.recorded(RecordedClick(name: "square", samples: recording("square", sampleRate: 48_000)))
        var track = ClickTrack(bank: ClickBank(sounds: [sound], sampleRate: 48.kilohertz), sampleRate: 48.kilohertz)
        var samples = [Float](repeating: 0, count: 600)
        var peak: Float = 0
        for _ in 0..<100 {
            let gap = Int.random(in: 240...600, using: &random)
            var frames = samples.mutableSpan
            track.render(into: &frames, from: 0, to: gap - track.fadeFrames)
            track.fade(layer: 0)
            // The strike is known as far ahead as the recording sounds before its frame.
            let lead = gap - track.leadFrames
            track.render(into: &frames, from: gap - track.fadeFrames, to: lead)
            let fraction = Double.random(in: -0.5..<0.5, using: &random)
            track.strike(layer: 0, level: .accent, gain: 1, fraction: fraction, ahead: track.leadFrames)
            track.render(into: &frames, from: lead, to: gap)
            for i in 0..<gap { peak = max(peak, abs(frames[i])) }
        }
        print("square struck again and again: \(20 * log10(Double(peak))) dBFS at the most")
        #expect(peak > 0.7 && peak <= safePeak)
    }

    @Test func `Samples too faint or too loud to be scaled are silence`() {
        for sample in [Float.leastNonzeroMagnitude, -.greatestFiniteMagnitude] {
            let sound = ClickSound.recorded(RecordedClick(name: "extreme", samples: [sample, -sample, sample]))
            let rendered = click(.accent, sound: sound, fraction: 0.3, count: 200, ahead: 32)
            #expect(rendered.allSatisfy { abs($0) <= safePeak })
        }
    }
}
