import Figures
import Foundation

/// A tone of harmonic partials that vibrates, alone or from one note to the next without an attack.
struct VibratoTone: CustomStringConvertible {
    /// A note that begins by a slur, and how long the pitch takes to get there.
    struct Slur: CustomStringConvertible {
        let time: Double, key: Double, step: Double, move: Double
        var description: String { String(format: "%.4f s %+.0f in %.0f ms", time, step, 1_000 * move) }
    }
    static let rate = 48_000.0
    /// Seconds.
    static let length = 10.0

    let key: Double
    /// Semitones to either side, how often a second, and decibels to either side.
    let depth: Double, speed: Double, loudness: Double
    let slurs: [Slur]
    /// By how many decibels partials fall in an octave, and each one's own besides, as a body has it.
    private let slope: Double, body: [Double]
    private let phase: Double, loudnessPhase: Double, seed: UInt64

    var description: String {
        String(
            format: "%.0f Hz ±%.0f c ±%.1f dB %.1f/s -%.0f dB", 440 * exp2((key - 69) / 12), 100 * depth, loudness,
            speed, slope)
    }

    /// One that is held.
    init(held depth: Double, using generator: inout SeededNumbers) {
        self.init(depth: depth, slurs: 0, using: &generator)
    }

    /// 16 slurs of 1 to 12 semitones.
    init(slursUsing generator: inout SeededNumbers) {
        self.init(depth: generator.uniform(0, 1), slurs: 16, using: &generator)
    }

    private init(depth: Double, slurs count: Int, using generator: inout SeededNumbers) {
        key = generator.uniform(45, 81)
        self.depth = depth
        speed = generator.uniform(4, 8)
        loudness = generator.uniform() < 0.5 ? 0 : generator.uniform(0, 3)
        slope = generator.uniform(3, 12)
        let ownBody = generator.uniform() < 0.5 ? 0.0 : 6
        body = (0..<20).map { _ in ownBody * generator.normal() }
        phase = generator.uniform(0, 2 * .pi)
        loudnessPhase = generator.uniform(0, 2 * .pi)
        seed = generator.next()
        var (slurs, now, place): ([Slur], Double, Double) = ([], key.rounded(), 0.6)
        for _ in 0..<count {
            var step = 1 + Double(generator.next() % 12)
            if now + step > 81 || (now - step >= 45 && generator.uniform() < 0.5) { step = -step }
            now += step
            slurs.append(Slur(time: place, key: now, step: step, move: generator.uniform(0, 0.02)))
            place += generator.uniform(0.35, 0.75)
        }
        self.slurs = slurs
    }

    /// Noise lies 60 dB below.
    func samples() -> [Float] {
        var generator = SeededNumbers(seed: seed)
        let length = (slurs.last?.time).map { $0 + 0.5 } ?? Self.length
        let count = Int(length * Self.rate)
        var sound = (0..<count).map { _ in Float(2e-4 * generator.normal()) }
        let levels = body.enumerated().map { k, own in
            0.2 * pow(10, (own - slope * log2(Double(k + 1))) / 20)
        }
        var (now, next, angle) = (slurs.isEmpty ? key : key.rounded(), 0, 0.0)
        for n in 0..<count {
            let time = Double(n) / Self.rate
            var base = now
            if next < slurs.count, time >= slurs[next].time {
                let slur = slurs[next]
                let share = slur.move > 0 ? min(1, (time - slur.time) / slur.move) : 1
                base = now + (slur.key - now) * share
                if share >= 1 { (now, next) = (slur.key, next + 1) }
            }
            let turn = 2 * .pi * speed * time
            let frequency = 440 * exp2((base + depth * sin(turn + phase) - 69) / 12)
            angle += 2 * .pi * frequency / Self.rate
            let envelope = min(1, time / 0.1, (length - time) / 0.1)
            let gain = envelope * pow(10, loudness * sin(turn + loudnessPhase) / 20)
            var (x, k) = (0.0, 1)
            while k <= levels.count, Double(k) * frequency < 0.45 * Self.rate {
                x += levels[k - 1] * sin(Double(k) * angle)
                k += 1
            }
            sound[n] += Float(gain * x)
        }
        return sound
    }
}
