import Figures
import Foundation

/// How the partials of a string decay. The engine's model is `linear`.
enum DecayLaw: String, CaseIterable {
    /// Partial k at 1 + 0.15 (k - 1) times the rate of the first.
    case linear
    /// All alike.
    case equal
    /// 1 + 0.012 k².
    case square
    /// Two decays at once, as of two polarisations; the fast one two to four times as fast.
    case twoStage = "two-stage"
}

/// What a strum is made of.
struct StrumRecipe {
    /// First partials by the tuning, in hertz.
    var strings: [Double]
    /// How far off a string is at most, in cents.
    var range = 20.0
    var law = DecayLaw.linear
    /// Seconds between two strings.
    var delay = 0.012
    /// The standard deviation of white noise; the strum has about 0.1.
    var noise = 1e-4
    /// The standard deviation of pink noise, which a room has: from 20 Hz to 12 kHz, alike in every octave.
    var pink = 0.0
    /// The string that was struck `lead` seconds before the strum, and is not struck again.
    var ringing: Int?
    /// The height of four body resonances, as a factor less one.
    var body = 0.0
    /// Strings that make a dull noise only.
    var muted: Set<Int> = []
    /// Strings that are not struck.
    var absent: Set<Int> = []
    /// The only string that is played.
    var only: Int?
    /// Cents between two strings of one pitch.
    var course = 2.0...15.0
    var seconds = 2.6
    /// The noise of a pick, over the strings; a thumb makes none.
    var pick = 0.5
    /// Seconds in which a string gets loud: one for each string, from these.
    var attack = 0.002...0.002
    /// Seconds of room noise before the strum.
    var wait = 0.0
    /// Seconds from the strum to the 20 ms of it that are lost, if any.
    var gap: Double?
    /// Seconds before the strum at which the noise begins; `nil` if it was there from the start.
    var noiseLead: Double?
    /// Seconds before the strum.
    var lead: Double { ringing == nil ? wait : 1.5 }
    /// Seconds from the start of the sound to the strum.
    var start: Double { 0.1 + lead }
}

/// A strum with known first partials: additive stiff strings, plucked, with the noise of the pick.
struct GeneratedStrum {
    static let rate = 48_000.0
    let samples: [Float]
    /// First partials in hertz.
    let truth: [Double]

    init(_ recipe: StrumRecipe, _ random: inout SeededNumbers) {
        var sound = [Double](repeating: 0, count: Int(recipe.seconds * Self.rate))
        var truth: [Double] = []
        var cents = 0.0
        let resonances = (0..<4).map { _ in
            (
                frequency: random.uniform(90, 700), width: random.uniform(20, 60),
                height: recipe.body * random.uniform(1, 3)
            )
        }
        for (index, tuned) in recipe.strings.enumerated() {
            let isFollower = index > 0 && abs(tuned / recipe.strings[index - 1] - 1) < 1e-4
            let apart = random.uniform(recipe.course.lowerBound, recipe.course.upperBound)
            let side = random.uniform() < 0.5 ? -apart : apart
            let own = random.uniform(-recipe.range, recipe.range)
            cents = isFollower ? cents + side : own
            let first = tuned * exp2(cents / 1_200)
            truth.append(first)
            // Noise alone.
            guard recipe.absent.count < recipe.strings.count else { continue }
            let string = Self.string(first, recipe, resonances, recipe.muted.contains(index), &random)
            guard recipe.only == nil || recipe.only == index, !recipe.absent.contains(index) else { continue }
            let late = index == recipe.ringing ? 0 : recipe.lead + recipe.delay * Double(index)
            let begin = Int((0.1 + late) * Self.rate)
            for (n, value) in string.enumerated() where begin + n < sound.count { sound[begin + n] += value }
        }
        var noise = [Double](repeating: 0, count: sound.count)
        if recipe.pink > 0 { Self.addPink(recipe.pink, to: &noise, &random) }
        let begin = recipe.noiseLead.map { Int((recipe.start - $0) * Self.rate) } ?? 0
        let gap = recipe.gap.map { Int((recipe.start + $0) * Self.rate) } ?? 0
        let lost = recipe.gap == nil ? 0..<0 : gap..<(gap + Int(0.02 * Self.rate))
        samples = sound.indices.map { n in
            let value = noise[n] + recipe.noise * random.normal()
            return lost.contains(n) ? 0 : Float(sound[n] + (n < begin ? 0 : value))
        }
        self.truth = truth
    }

    /// Sum of one-pole filters an octave apart, each with the same power.
    private static func addPink(_ size: Double, to sound: inout [Double], _ random: inout SeededNumbers) {
        let corners = (0..<10).map { 20 * exp2(Double($0)) }
        let falls = corners.map { exp(-2 * .pi * $0 / rate) }
        var states = [Double](repeating: 0, count: corners.count)
        let share = size / Double(corners.count).squareRoot()
        for n in sound.indices {
            var sum = 0.0
            for (i, fall) in falls.enumerated() {
                states[i] = fall * states[i] + (1 - fall * fall).squareRoot() * random.normal()
                sum += states[i]
            }
            sound[n] += share * sum
        }
    }

    private static func string(
        _ first: Double, _ recipe: StrumRecipe,
        _ resonances: [(frequency: Double, width: Double, height: Double)], _ isMuted: Bool,
        _ random: inout SeededNumbers
    ) -> [Double] {
        let stiffness = 6e-5 * random.uniform(0.4, 2)
        let (place, bright) = (random.uniform(0.1, 0.3), random.uniform(0.7, 1.3))
        let (seconds, level) = (random.uniform(3, 6), random.uniform(0.5, 1))
        // 60 dB in 3 to 6 s; a muted string is gone in a tenth of a second.
        let decay = isMuted ? 60 : log(1_000) / seconds
        var sound = [Double](repeating: 0, count: Int(recipe.seconds * rate))
        for k in 1...60 {
            let number = Double(k)
            let frequency = first * number * ((1 + stiffness * number * number) / (1 + stiffness)).squareRoot()
            guard frequency < 12_000 else { break }
            var amplitude = sin(.pi * number * place) / pow(number, bright)
            for body in resonances {
                let distance = (frequency - body.frequency) / body.width
                amplitude *= 1 + body.height / (1 + distance * distance)
            }
            let phase = random.uniform(0, 2 * .pi)
            let parts: [(share: Double, rate: Double)]
            switch recipe.law {
            case .linear: parts = [(1, decay * (1 + 0.15 * (number - 1)))]
            case .equal: parts = [(1, decay)]
            case .square: parts = [(1, decay * (1 + 0.012 * number * number))]
            case .twoStage:
                let (share, speed) = (random.uniform(0.3, 0.7), random.uniform(2, 4))
                let slow = decay * (1 + 0.15 * (number - 1))
                parts = [(share, slow * speed), (1 - share, 0.7 * slow)]
            }
            for part in parts {
                let turn = 2 * .pi * frequency / rate
                let fall = exp(-part.rate / rate)
                let (c, s) = (fall * cos(turn), fall * sin(turn))
                var (x, y) = (part.share * amplitude * cos(phase), part.share * amplitude * sin(phase))
                for n in sound.indices {
                    sound[n] += x
                    (x, y) = (x * c - y * s, x * s + y * c)
                }
            }
        }
        // A quarter of a second has the power 1, times the level; then the attack and the noise of the pick.
        let power = sound[..<12_000].reduce(0) { $0 + $1 * $1 } / 12_000
        let gain = 0.05 * level * (isMuted ? 0.5 : 1)
        let range = recipe.attack
        let isRandom = range.lowerBound < range.upperBound
        let attack = isRandom ? random.uniform(range.lowerBound, range.upperBound) : range.lowerBound
        for n in sound.indices {
            let time = Double(n) / rate
            let pick = time < 0.08 ? recipe.pick * exp(-time / 0.006) * random.normal() : 0
            sound[n] = gain * (sound[n] / max(power, 1e-20).squareRoot() * min(1, time / attack) + pick)
        }
        return sound
    }
}
