import Foundation
import TestSignals

/// Sound of notes whose beginnings, pitches and ends are known exactly.
final class Melody {
    private(set) var samples: [Float] = []
    private let rate: Double

    init(rate: Double) { self.rate = rate }

    /// A tone of ten harmonics whose key is a function of the time since its beginning, with an attack and a release as long
    /// as `edge`. Its level changes by `gain` decibels.
    func tone(
        at start: Double, for seconds: Double, amplitude: Double = 0.2, edge: Double = 0.02,
        gain: (Double) -> Double = { _ in 0 }, _ key: (Double) -> Double
    ) {
        var phase = 0.0
        add(at: start, count: Int(seconds * rate)) { n in
            let time = Double(n) / rate
            let step = 2 * .pi * 440 * pow(2, (key(time) - 69) / 12) / rate
            phase += step
            let level = min(1, min(time, seconds - time) / edge)
            var sum = 0.0
            // Those below half of the rate.
            for harmonic in 1...10 where Double(harmonic) * step < .pi {
                sum += sin(Double(harmonic) * phase) / Double(harmonic)
            }
            return amplitude * level * pow(10, gain(time) / 20) * sum
        }
    }

    /// Notes of one tone, without a gap or a jump of the phase between them.
    func line(_ notes: [(key: Double, seconds: Double)], at start: Double) {
        let total = notes.reduce(0) { $0 + $1.seconds }
        tone(at: start, for: total) { time in
            var rest = time
            for note in notes {
                if rest < note.seconds { return note.key }
                rest -= note.seconds
            }
            return notes.last?.key ?? 60
        }
    }

    /// A string that is plucked: harmonics that decay, the higher the faster, damped within 10 ms at the end.
    func pluck(_ key: Double, at start: Double, for seconds: Double, amplitude: Double = 0.3) {
        let frequency = 440 * pow(2, (key - 69) / 12)
        add(at: start, count: Int(seconds * rate)) { n in
            let time = Double(n) / rate
            let edge = min(1, min(time / 0.002, (seconds - time) / 0.01))
            var sum = 0.0
            for harmonic in 1...10 {
                let k = Double(harmonic)
                let decay = exp(-time * k / 0.8)
                sum += sin(2 * .pi * k * frequency * time) * decay / k
            }
            return amplitude * edge * sum
        }
    }

    /// White noise, which decays by 8.7 dB in so many seconds.
    func noise(
        at start: Double, for seconds: Double, amplitude: Double = 0.2, decay: Double,
        _ generator: inout SeededGenerator
    ) {
        let values = (0..<Int(seconds * rate)).map { n in
            let time = Double(n) / rate
            // A click at the end would be another sound.
            let edge = min(1, min(time, seconds - time) / 0.005)
            return amplitude * edge * exp(-time / decay) * Double.random(in: -1...1, using: &generator)
        }
        add(at: start, count: values.count) { values[$0] }
    }

    /// Noise in a band of a third of an octave: sines of random frequencies and phases.
    func band(of frequency: Double, at start: Double, for seconds: Double, _ generator: inout SeededGenerator) {
        let sines = (0..<60).map { _ in
            (
                frequency * Double.random(in: 0.85...1.17, using: &generator),
                Double.random(in: 0..<2 * .pi, using: &generator)
            )
        }
        add(at: start, count: Int(seconds * rate)) { n in
            let time = Double(n) / rate
            let edge = min(1, min(time, seconds - time) / 0.01)
            return 0.02 * edge * sines.reduce(0) { $0 + sin(2 * .pi * $1.0 * time + $1.1) }
        }
    }

    private func add(at start: Double, count: Int, _ value: (Int) -> Double) {
        let first = Int(start * rate)
        // A rest at the end, in which the last note is heard to be over.
        let needed = first + count + Int(0.5 * rate)
        if samples.count < needed { samples += [Float](repeating: 0, count: needed - samples.count) }
        for n in 0..<count {
            let sample = Float(value(n))
            if first + n >= 0 { samples[first + n] += sample }
        }
    }
}

/// Evenly distributed numbers from -1 to 1: a linear congruential generator (Knuth, MMIX).
struct EvenNoise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
    }
}
