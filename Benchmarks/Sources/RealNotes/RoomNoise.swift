import Figures
import Foundation

/// The noise of a room: pink noise, rumble from 25 to 50 Hz and mains hum.
struct RoomNoise {
    private let rate: Double
    private var numbers: SeededNumbers

    init(rate: Double, seed: UInt64) { (self.rate, numbers) = (rate, SeededNumbers(seed: seed)) }

    /// A note with pink noise 50 dB below its loudest 50 ms, and rumble and hum together 35 dB below.
    mutating func added(to note: [Float]) -> [Float] {
        let pink = scaled(pink(note.count))
        let (rumble, hum) = (scaled(rumble(note.count)), scaled(hum(note.count)))
        let low = scaled(zip(rumble, hum).map { $0 + 0.7 * $1 })
        let level = loudness(of: note, rate: rate)
        let (soft, loud) = (level * pow(10, -50.0 / 20), level * pow(10, -35.0 / 20))
        return note.indices.map { note[$0] + Float(soft * pink[$0] + loud * low[$0]) }
    }

    /// To a root mean square of 1.
    private func scaled(_ samples: [Double]) -> [Double] {
        let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, samples.count))
        let gain = 1 / max(1e-12, power.squareRoot())
        return samples.map { gain * $0 }
    }

    /// A sum of noises through one-pole low-passes an octave apart, all of the same power: falls by 3 dB per octave from
    /// 10 Hz on.
    private mutating func pink(_ count: Int) -> [Double] {
        let corners = (0..<11).map { 10 * pow(2, Double($0)) }
        let poles = corners.map { exp(-2 * .pi * $0 / rate) }
        var states = [Double](repeating: 0, count: corners.count)
        return (0..<count).map { _ in
            for i in corners.indices { states[i] = poles[i] * states[i] + corners[i].squareRoot() * numbers.normal() }
            return states.reduce(0, +)
        }
    }

    /// White noise through two band-passes at the middle of the band, after a second of running in.
    private mutating func rumble(_ count: Int) -> [Double] {
        // The poles of 1 / (1 + s / (Q w) + s² / w²) with w = √(25 · 50) Hz and a band of 25 Hz.
        let (middle, width) = (2 * .pi * 1_250.0.squareRoot() / rate, 2 * .pi * 25 / rate)
        let radius = exp(-width / 2)
        let (first, second) = (2 * radius * cos(middle), -radius * radius)
        var (a, b) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        let lead = Int(rate)
        var samples: [Double] = []
        for n in 0..<(count + lead) {
            let x = numbers.normal()
            // Zeros at 0 Hz keep what lies below out.
            let y = x + first * a.x + second * a.y
            let z = y - a.y + first * b.x + second * b.y
            (a, b) = (SIMD2(y, a.x), SIMD2(z, b.x))
            if n >= lead { samples.append(z) }
        }
        return samples
    }

    private mutating func hum(_ count: Int) -> [Double] {
        let lines = [(50.0, 1.0), (100, 0.5), (150, 0.3)].map { ($0, $1, 2 * .pi * numbers.uniform()) }
        return (0..<count).map { n in
            lines.reduce(0) { $0 + $1.1 * sin(2 * .pi * $1.0 * Double(n) / rate + $1.2) }
        }
    }
}
