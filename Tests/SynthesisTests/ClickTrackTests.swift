import Foundation
import Music
import Synthesis
import TestSignals
import Testing
import Timebase

/// One click alone, `count` frames long, on the frame `ahead`.
func click(
    _ level: AccentLevel, sound: ClickSound = .voice(.woodBlock), fraction: Double? = nil, sampleRate: Int = 48_000,
    count: Int = 16_384, ahead: Int = 0
) -> [Float] {
    var track = ClickTrack(bank: ClickBank(sounds: [sound], sampleRate: sampleRate.hertz), sampleRate: sampleRate.hertz)
    var samples = [Float](repeating: 9, count: count)
    track.strike(layer: 0, level: level, gain: 1, fraction: fraction, ahead: ahead)
    var frames = samples.mutableSpan
    track.render(into: &frames, from: 0, to: count)
    return samples
}

/// -1 dBFS.
let safePeak: Float = 0.8912

@Suite struct ClickTrackTests {
    /// The centroid of the spectrum in octaves, the time that holds nine tenths of the energy in octaves, and the share of
    /// the energy in its strongest third of an octave: what tells sounds apart at one loudness.
    private func features(_ voice: ClickVoice) -> [Double] {
        let rate = 48_000.0
        var track = ClickTrack(bank: ClickBank(sounds: [.voice(voice)], sampleRate: rate.hertz), sampleRate: rate.hertz)
        track.strike(layer: 0, level: .normal, gain: 1, fraction: 0)
        var samples = [Float](repeating: 0, count: 24_000)
        var span = samples.mutableSpan
        track.render(into: &span, from: 0, to: span.count)
        let total = samples.reduce(0.0) { $0 + Double($1 * $1) }
        var (sum, end) = (0.0, 0)
        while sum < 0.9 * total { (sum, end) = (sum + Double(samples[end] * samples[end]), end + 1) }
        // Third octaves from 60 Hz to 16 kHz, each by a sum at its middle.
        let bands = (0..<25).map { 60 * exp2(Double($0) / 3) }
        let energies = bands.map { frequency -> Double in
            let powers = [-0.12, -0.06, 0, 0.06, 0.12].map { shift -> Double in
                let w = 2 * .pi * frequency * exp2(shift) / rate
                var (re, im) = (0.0, 0.0)
                for (n, value) in samples.prefix(8_000).enumerated() {
                    re += Double(value) * cos(w * Double(n))
                    im += Double(value) * sin(w * Double(n))
                }
                return re * re + im * im
            }
            return powers.reduce(0, +) * frequency
        }
        let whole = energies.reduce(0, +)
        let centroid = zip(bands, energies).reduce(0) { $0 + log2($1.0) * $1.1 } / whole
        return [centroid, 0.5 * log2(Double(end)), 2 * (energies.max() ?? 0) / whole]
    }

    /// Half an octave of brightness, an octave of length, or a quarter of the energy.
    @Test func `There are ten sounds, and each is clearly different from every other`() {
        let all = ClickVoice.all.map { ($0.name, features($0)) }
        #expect(all.count >= 10 && Set(all.map(\.0)).count == all.count)
        for (index, (name, one)) in all.enumerated() {
            print("\(name): \(one)")
            for (other, two) in all[(index + 1)...] {
                let distance = zip(one, two).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
                #expect(distance > 0.5, "\(name) and \(other): \(distance)")
            }
        }
    }

    @Test(arguments: ClickVoice.all)
    func `A click begins at its frame, peaks below -1 dBFS and ends in silence`(voice: ClickVoice) {
        for level in AccentLevel.audible {
            let samples = click(level, sound: .voice(voice), count: 65_536)
            let peak = samples.map(abs).max() ?? 0
            #expect(peak > 0.3 && peak <= safePeak)
            #expect(samples[0] != 0)
            #expect(samples.suffix(1_000).allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: ClickVoice.all)
    func `A click has no DC`(voice: ClickVoice) {
        for level in AccentLevel.audible {
            let samples = click(level, sound: .voice(voice), count: 65_536)
            let sum = samples.reduce(0.0) { $0 + Double($1) }
            let magnitude = samples.reduce(0.0) { $0 + abs(Double($1)) }
            #expect(magnitude > 10)
            // 60 dB below the mean magnitude: what folds back at the blow, and the rounding of Float.
            #expect(abs(sum) < 0.001 * magnitude, "\(voice.name) \(level): \(sum / magnitude)")
        }
    }

    @Test(arguments: ClickVoice.all)
    func `Each level is louder than the one below, and higher or longer`(voice: ClickVoice) {
        func energy(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
        let levels = AccentLevel.audible.map { click($0, sound: .voice(voice), count: 65_536) }
        let expressions = AccentLevel.audible.map(voice.expression)
        for (index, (softer, louder)) in zip(levels, levels.dropFirst()).enumerated() {
            #expect((louder.map(abs).max() ?? 0) > 1.25 * (softer.map(abs).max() ?? 1))
            #expect(energy(louder) > 1.4 * energy(softer))
            let (low, high) = (expressions[index], expressions[index + 1])
            #expect(high.pitch > 1.1 * low.pitch || high.decay > 1.3 * low.decay)
        }
    }

    @Test func `No two voices sound alike`() {
        let clicks = ClickVoice.all.map { click(.accent, sound: .voice($0), count: 4_096) }
        #expect(clicks.count >= 5 && Set(ClickVoice.all.map(\.name)).count == clicks.count)
        for (index, one) in clicks.enumerated() {
            for other in clicks.dropFirst(index + 1) {
                let product = zip(one, other).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
                let energies = [one, other].map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
                // A correlation of 1 is the same sound.
                #expect(abs(product) / (energies[0] * energies[1]).squareRoot() < 0.6)
            }
        }
    }

    @Test(arguments: ClickVoice.all)
    func `A click sounds from its frame on, wherever within half a frame its instant lies`(voice: ClickVoice) {
        var faintest = Float.infinity
        for sampleRate in [8_000, 44_100, 48_000, 96_000, 192_000] {
            var track = ClickTrack(
                bank: ClickBank(sounds: [.voice(voice)], sampleRate: sampleRate.hertz), sampleRate: sampleRate.hertz)
            var sample: [Float] = [0]
            for level in AccentLevel.audible {
                for step in -50...50 {
                    track.strike(layer: 0, level: level, gain: 1, fraction: Double(step) / 100)
                    var frames = sample.mutableSpan
                    track.render(into: &frames, from: 0, to: 1)
                    track.reset()
                    #expect(sample[0] != 0)
                    if sampleRate > 8_000 { faintest = min(faintest, abs(sample[0])) }
                }
            }
        }
        // A part of a beat is 6 dB softer: a step of 16 bits, which does not round to silence.
        print("\(voice.name): first sample at least \(faintest * 32_768) steps of 16 bits from 44,100 Hz up")
        #expect(faintest * 32_768 >= 2)
    }

    @Test(arguments: ClickVoice.all)
    func `A click between two frames is moved by that part of a sample`(voice: ClickVoice) {
        var worst = 0.0
        for level in [AccentLevel.normal, .accent] {
            for sampleRate in [44_100, 96_000] {
                let early = click(level, sound: .voice(voice), sampleRate: sampleRate, count: 1_024)
                for fraction in [-0.5, -0.25, 0.125, 0.499] {
                    let late = click(
                        level, sound: .voice(voice), fraction: fraction, sampleRate: sampleRate, count: 1_024)
                    worst = max(worst, abs(delay(of: late, after: early) - fraction))
                }
            }
        }
        print("\(voice.name): sub-sample error at most \(worst) samples")
        #expect(worst <= 0.01)
    }

    @Test(arguments: ["impulse", "step", "cosine", "square", "noise", "sine", "soft", "hiss", "edge"])
    func `A recording between two frames is moved by that part of a sample, jumps and all`(kind: String) {
        var random = SeededGenerator(seed: 6)
        let samples = (0..<900).map { n in
            let t = Double(n)
            return switch kind {
            case "impulse": n == 0 ? Float(1) : 0
            case "step": Float(exp(-t / 300))
            case "cosine": Float(exp(-t / 150) * cos(0.21 * t))
            case "square": Float(exp(-t / 200) * (n / 50 % 2 == 0 ? 1 : -1))
            case "noise": Float(exp(-t / 100) * Double.random(in: -1...1, using: &random))
            case "hiss": Float(exp(-t / 40) * cos(3.0 * t))
            case "edge": n < 2 ? Float(1 - 2 * n) : 0
            case "sine": Float(exp(-t / 60) * sin(0.8 * t))
            default: Float((1 - exp(-t / 12)) * (1 - exp(-t / 12)) * exp(-t / 150) * sin(0.21 * t))
            }
        }
        let sound = ClickSound.recorded(RecordedClick(name: kind, samples: samples))
        // Without a fraction it is the recording itself: the truth that the others are held against.
        let itself = click(.accent, sound: sound, count: 1_024, ahead: 32)
        let loudest = samples.map(abs).max() ?? 0
        let scale = (itself.map(abs).max() ?? 0) / loudest
        #expect(scale * loudest > 0.5 && itself[..<32].allSatisfy { $0 == 0 })
        #expect(zip(itself[32...], samples).allSatisfy { abs($0 - scale * $1) < 1e-6 })
        // Over the whole band against a click that lies on its frame, and in its flat part against the recording.
        let early = click(.accent, sound: sound, fraction: 0, count: 1_024, ahead: 32)
        var (worst, worstOfFlat) = (0.0, abs(delay(of: early, after: itself, size: 1_024, band: 0.88)))
        for fraction in [-0.5, -0.25, 0.1, 0.4, 0.499] {
            let late = click(.accent, sound: sound, fraction: fraction, count: 1_024, ahead: 32)
            worst = max(worst, abs(delay(of: late, after: early, size: 1_024) - fraction))
            worstOfFlat = max(worstOfFlat, abs(delay(of: late, after: itself, size: 1_024, band: 0.88) - fraction))
        }
        print("recorded \(kind): sub-sample error at most \(worst) samples, to the recording \(worstOfFlat)")
        #expect(worst <= 0.001 && worstOfFlat <= 0.001)
    }

    @Test func `A click that is stopped before its frame never comes to it`() {
        let recording = ClickSound.recorded(RecordedClick(name: "impulse", samples: [0, 0, 0, 1]))
        for (sound, wait) in [(ClickSound.voice(.woodBlock), 20), (recording, 20), (recording, 0)] {
            var track = ClickTrack(bank: ClickBank(sounds: [sound], sampleRate: 48.kilohertz), sampleRate: 48.kilohertz)
            track.strike(layer: 0, level: .accent, gain: 1, fraction: 0.5, ahead: 32 + wait)
            var samples = [Float](repeating: 9, count: 1_000)
            var frames = samples.mutableSpan
            track.render(into: &frames, from: 0, to: 8 + wait / 2)
            track.fade()
            track.render(into: &frames, from: 8 + wait / 2, to: 1_000)
            #expect(samples.allSatisfy { abs($0) < 0.2 } && samples[(32 + wait)...].allSatisfy { $0 == 0 })
        }
    }

    @Test func `A recording is played as it is, its levels in proportion`() {
        let samples: [Float] = [0.5, -0.25, 0.125, 0, .infinity, .nan]
        let sound = ClickSound.recorded(RecordedClick(name: "r", samples: samples))
        let (accent, normal) = (click(.accent, sound: sound, count: 64), click(.normal, sound: sound, count: 64))
        #expect(accent[0] > 0.7 && accent[1] == -accent[0] / 2 && accent[2] == accent[0] / 4)
        #expect(accent.dropFirst(3).allSatisfy { $0 == 0 })
        #expect(abs(normal[0] / accent[0] - 0.501_187) < 1e-5)
        let silence = ClickSound.recorded(RecordedClick(name: "nothing", samples: []))
        #expect(click(.accent, sound: silence, count: 64).allSatisfy { $0 == 0 })
    }

    @Test func `A silent level is not heard`() { #expect(click(.silent).allSatisfy { $0 == 0 }) }

    @Test func `Striking a sounding layer again never passes -1 dBFS`() {
        var random = SeededGenerator(seed: 5)
        for voice in ClickVoice.all {
            var track = ClickTrack(sounds: [.voice(voice)], sampleRate: 48.kilohertz)
            var samples = [Float](repeating: 0, count: 2_000)
            var peak: Float = 0
            for _ in 0..<100 {
                // 5 ms and more: twelve strokes a beat at 1,000 beats per minute.
                let gap = Int.random(in: 240...2_000, using: &random)
                track.strike(layer: 0, level: .accent, gain: 1, fraction: Double.random(in: -0.5..<0.5, using: &random))
                var frames = samples.mutableSpan
                // As the engine does: a millisecond before the next strike the layer makes room.
                track.render(into: &frames, from: 0, to: gap - track.fadeFrames)
                track.fade(layer: 0)
                track.render(into: &frames, from: gap - track.fadeFrames, to: gap)
                for i in 0..<gap { peak = max(peak, abs(frames[i])) }
            }
            #expect(peak > 0.5 && peak <= safePeak, "\(voice.name): \(peak)")
        }
    }
}
