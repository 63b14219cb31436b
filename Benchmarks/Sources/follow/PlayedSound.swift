import Figures
import Foundation

/// The sound of a player's notes in a microphone: claps, or plucked strings.
enum PlayedSound {
    static let rate = 48_000.0
    /// The energy of a note: what the click is set against.
    static let energy = 2.0

    static func samples(of player: Player, seed: UInt64) -> [Float] {
        var random = SeededNumbers(seed: seed)
        let isPlucked = random.uniform() < 0.5
        // Noise of the room 60 dB below a note's peak.
        var samples = (0..<Int((player.length + 1) * rate)).map { _ in 3e-4 * Float(random.normal()) }
        for note in player.notes {
            // A player's dynamics: 3 dB.
            let gain = Float(pow(10, 0.15 * random.normal()))
            let wave = isPlucked ? string(&random) : clap(&random)
            add(wave, gain: gain, at: note * rate, to: &samples)
        }
        return samples
    }

    /// Noise that falls by 60 dB in 0.12 s.
    private static func clap(_ random: inout SeededNumbers) -> [Float] {
        normalized((0..<9_600).map { Float(random.normal()) * Float(pow(10, -3 * Double($0) / rate / 0.12)) })
    }

    /// Twelve partials of a note of the guitar, each with its own decay.
    private static func string(_ random: inout SeededNumbers) -> [Float] {
        let pitch = 110 * pow(2, Double(Int(24 * random.uniform())) / 12)
        var wave = [Float](repeating: 0, count: 48_000)
        for partial in 1...12 {
            let (step, phase) = (2 * Double.pi * pitch * Double(partial) / rate, 2 * .pi * random.uniform())
            let fall = exp(-1 / (rate * 0.3 / Double(partial).squareRoot()))
            var level = 1 / Double(partial)
            for n in wave.indices {
                wave[n] += Float(level * sin(phase + step * Double(n)))
                level *= fall
            }
        }
        // Damped at the end, as by a finger.
        for n in wave.indices { wave[n] *= Float(1 - Double(n) / Double(wave.count)) }
        return normalized(wave)
    }

    private static func normalized(_ wave: [Float]) -> [Float] {
        let sum = wave.prefix(2_400).reduce(0) { $0 + $1 * $1 }
        let gain = (Float(energy) / sum).squareRoot()
        return wave.map { $0 * gain }
    }

    /// Adds a sound that begins between two samples, by a line between neighbours.
    private static func add(_ wave: [Float], gain: Float, at frame: Double, to samples: inout [Float]) {
        let whole = Int(frame.rounded(.down))
        let part = Float(frame - Double(whole))
        for (n, x) in wave.enumerated() where whole + n + 1 < samples.count && whole + n >= 0 {
            samples[whole + n] += gain * (1 - part) * x
            samples[whole + n + 1] += gain * part * x
        }
    }
}

/// The way from the loudspeaker to the microphone: the direct sound and 60 echoes that fall by 60 dB in 0.3 s.
struct Room {
    private let taps: [(delay: Int, gain: Float)]
    private var past: [Float]
    private var place = 0

    init(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        taps =
            [(0, 1)]
            + (0..<60).map { _ in
                let seconds = 0.002 + 0.238 * random.uniform()
                return (
                    Int(seconds * PlayedSound.rate), 0.28 * Float(random.normal()) * Float(pow(10, -3 * seconds / 0.3))
                )
            }
        past = [Float](repeating: 0, count: 16_384)
    }

    /// What the microphone hears of a sample that is played.
    mutating func hear(_ sample: Float) -> Float {
        past[place & 16_383] = sample
        var sum: Float = 0
        for tap in taps { sum += tap.gain * past[(place - tap.delay) & 16_383] }
        place += 1
        return sum
    }

    /// The energy that a sound has in the microphone in its first 50 ms.
    func energy(of sound: [Float]) -> Float {
        var room = self
        return (0..<2_400).reduce(0) { sum, n in
            let x = room.hear(n < sound.count ? sound[n] : 0)
            return sum + x * x
        }
    }
}
