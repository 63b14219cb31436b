import CAllocationProbe
import Foundation
import Music
import Rhythm
import Testing
import TestSignals

/// Notes whose beginnings are known between two samples.
private struct Notes {
    let rate: Double
    /// In samples.
    let starts: [Double]

    init(rate: Double, using generator: inout SeededGenerator) {
        self.rate = rate
        var seconds = 0.4
        var starts: [Double] = []
        for _ in 0..<12 {
            starts.append(seconds * rate)
            seconds += Double.random(in: 0.25...0.45, using: &generator)
        }
        self.starts = starts
    }

    /// Damped sines that begin at their exact instants: e^(-t/τ) sin 2πft from t = 0 on, zero before.
    func sound(frequency: Double, decay: Double, amplitude: Double = 0.5) -> [Float] {
        var samples = [Float](repeating: 0, count: Int((starts.last ?? 0) + 0.5 * rate))
        for start in starts {
            for n in Int(start.rounded(.up))..<min(samples.count, Int(start + 8 * decay * rate)) {
                let t = (Double(n) - start) / rate
                samples[n] += Float(amplitude * exp(-t / decay) * sin(2 * .pi * frequency * t))
            }
        }
        return samples
    }
}

private func onsets(_ samples: [Float], rate: Double, block: Int = 512) throws -> [Onset] {
    var detector = try OnsetDetector(sampleRate: rate.hertz)
    var heard: [Onset] = []
    for start in stride(from: 0, to: samples.count, by: block) {
        detector.process(Array(samples[start..<min(samples.count, start + block)]).span)
        while let onset = detector.nextOnset() { heard.append(onset) }
    }
    return heard
}

@Suite struct OnsetDetectorTests {
    @Test(arguments: [8_000.0, 22_050, 44_100, 48_000, 96_000, 192_000])
    func `Damped sines in faint noise are timed to a fraction of a millisecond at every sample rate`(
        rate: Double
    ) throws {
        var generator = SeededGenerator(seed: 151)
        let notes = Notes(rate: rate, using: &generator)
        // -70 dB of noise, as a quiet room has.
        let noise = whiteNoise(count: notes.sound(frequency: 900, decay: 0.05).count, rms: 3e-4, using: &generator)
        let signal = zip(notes.sound(frequency: 900, decay: 0.05), noise).map { $0 + $1 }
        let refined = try onsets(signal, rate: rate).filter { $0.stage == .refined }
        #expect(refined.count == notes.starts.count, "\(refined.map { $0.frame / rate })")
        for (onset, start) in zip(refined, notes.starts) {
            // The low band's filter reaches four of its samples ahead, and an attack 60 dB above the noise shows there; half
            // of a sample for the time that is told. Late by a tenth of the period at most: at 30 degrees the sine has
            // half of its height.
            let lowRate = rate / max(1, (rate / 8_000).rounded())
            let late = (onset.frame - start) / rate
            #expect(late > -4.5 / lowRate && late < 0.1 / 900, "\(late)")
        }
    }

    @Test func `Each note is told twice, first within 8 ms and refined within 25 ms`() throws {
        var generator = SeededGenerator(seed: 152)
        let (rate, notes) = (48_000.0, Notes(rate: 48_000, using: &generator))
        let noise = whiteNoise(count: Int(6 * rate), rms: 3e-4, using: &generator)
        let signal = zip(notes.sound(frequency: 440, decay: 0.1), noise).map { $0 + $1 }
        let heard = try onsets(signal, rate: rate, block: 64)
        for (index, start) in notes.starts.enumerated() {
            let reports = heard.filter { $0.number == index }
            #expect(reports.map(\.stage) == [.first, .refined])
            // The figures that the detector promises.
            for (report, limit) in zip(reports, [0.008, 0.025]) {
                let delay = (Double(report.toldAt) - start) / rate
                #expect(delay > 0 && delay < limit, "\(delay)")
            }
        }
    }

    @Test(arguments: [1, 17, 96, 480, 100_000])
    func `The onsets do not depend on how the stream is cut`(block: Int) throws {
        var generator = SeededGenerator(seed: 153)
        let notes = Notes(rate: 48_000, using: &generator)
        let signal = notes.sound(frequency: 330, decay: 0.08)
        let reference = try onsets(signal, rate: 48_000, block: 512)
        let heard = try onsets(signal, rate: 48_000, block: block)
        #expect(!reference.isEmpty)
        #expect(heard.map(\.frame) == reference.map(\.frame))
        #expect(heard.map(\.strength) == reference.map(\.strength))
        #expect(heard.map(\.toldAt) == reference.map(\.toldAt))
    }

    @Test func `Neither noise, a steady tone, vibrato nor a fade begins a note`() throws {
        var generator = SeededGenerator(seed: 154)
        let count = 48_000 * 4
        var phase = 0.0
        let vibrato: [Float] = (0..<count).map { n in
            let t = Double(n) / 48_000
            // Half a semitone, six times a second; in over a second, out over another.
            phase += 2 * .pi * 440 * (1 + 0.03 * sin(2 * .pi * 6 * t)) / 48_000
            return Float(0.3 * min(1, min(t, 4 - t)) * sin(phase))
        }
        let noise = whiteNoise(count: count, rms: 0.01, using: &generator)
        #expect(try onsets(noise, rate: 48_000).isEmpty)
        #expect(try onsets(zip(noise, vibrato).map { $0 + $1 }, rate: 48_000).isEmpty)
    }

    @Test func `A stroke of noise is sharp`() throws {
        var generator = SeededGenerator(seed: 155)
        let noise = whiteNoise(count: 96_000, rms: 3e-4, using: &generator)
        var stroke = noise
        for n in 0..<2_400 { stroke[48_000 + n] += Float(0.3 * generator.normal() * exp(-Double(n) / 480)) }
        let sharp = try onsets(stroke, rate: 48_000).filter { $0.stage == .refined }
        #expect(sharp.map(\.kind) == [.sharp])
        #expect(sharp.allSatisfy { $0.uncertainty <= .milliseconds(1) && $0.uncertainty > .zero })
    }

    @Test func `A tone that swells over 100 ms is one soft onset`() throws {
        var generator = SeededGenerator(seed: 155)
        var swell = whiteNoise(count: 96_000, rms: 3e-4, using: &generator)
        for n in 0..<24_000 {
            swell[48_000 + n] += Float(0.3 * min(1, Double(n) / 4_800) * sin(2 * .pi * 300 * Double(n) / 48_000))
        }
        let soft = try onsets(swell, rate: 48_000).filter { $0.stage == .refined }
        #expect(soft.map(\.kind) == [.soft], "\(soft)")
        // Within the swell.
        for onset in soft { #expect(onset.frame > 47_000 && onset.frame < 52_800, "\(onset.frame)") }
    }

    @Test func `Samples that are no numbers count as silence`() throws {
        var signal = [Float](repeating: 0, count: 48_000)
        for n in stride(from: 100, to: 40_000, by: 37) { signal[n] = n % 2 == 0 ? .nan : .infinity }
        for onset in try onsets(signal, rate: 48_000) { #expect(onset.frame.isFinite && onset.strength.isFinite) }
    }

    @Test func `After a reset the same sound is heard the same way`() throws {
        var generator = SeededGenerator(seed: 156)
        let signal = Notes(rate: 48_000, using: &generator).sound(frequency: 500, decay: 0.06)
        var detector = try OnsetDetector(sampleRate: 48.kilohertz)
        var runs: [[Double]] = []
        for _ in 0..<2 {
            detector.process(signal.span)
            var frames: [Double] = []
            while let onset = detector.nextOnset() { frames.append(onset.frame) }
            runs.append(frames)
            detector.reset()
        }
        #expect(!runs[0].isEmpty && runs[0] == runs[1])
    }

    @Test func `Listening makes no heap call`() throws {
        var generator = SeededGenerator(seed: 157)
        let signal = Notes(rate: 48_000, using: &generator).sound(frequency: 500, decay: 0.06)
        var detector = try OnsetDetector(sampleRate: 48.kilohertz)
        allocation_probe_reset()
        let control = [Float](repeating: 1, count: 1_000 + signal.count % 7)
        let seen = allocation_probe_count()
        #expect(seen > 0 && !control.isEmpty)
        allocation_probe_reset()
        detector.process(signal.span)
        var heard = 0
        while detector.nextOnset() != nil { heard += 1 }
        let count = allocation_probe_count()
        #expect(count == 0 && heard > 0)
    }

    @Test func `A sample rate that is out of range is refused with a remedy`() {
        for rate in [0.0, 7_999, 192_001, .nan] {
            #expect {
                _ = try OnsetDetector(sampleRate: rate.hertz)
            } throws: { error in
                (error as? OnsetError)?.remedy == "choose one from 8000 to 192000 Hz"
            }
        }
    }
}
