import Foundation

/// One strum of stiff, damped strings, struck 12 ms apart from the first to the last, with hiss 70 dB below full scale.
///
/// - Parameters:
///   - strings: the first partials in hertz, in the order of the strum; `nil` for a string that is not struck.
///   - start: when the first is struck, in seconds.
///   - seconds: the length of the sound.
public func strum(
    _ strings: [Double?], at start: Double = 0.25, seconds: Double = 2.6, sampleRate: Double = 48_000,
    using generator: inout SeededGenerator
) -> [Float] {
    var sound = [Double](repeating: 0, count: Int(seconds * sampleRate))
    func random(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &generator) }
    for (index, string) in strings.enumerated() {
        let (stiffness, place, level) = (random(2e-5, 1e-4), random(0.1, 0.3), random(0.6, 1))
        let decay = random(1.2, 2.3)
        let begin = Int((start + 0.012 * Double(index)) * sampleRate)
        for k in 1...40 {
            let (number, phase) = (Double(k), random(0, 2 * .pi))
            guard let string else { continue }
            let frequency = string * number * ((1 + stiffness * number * number) / (1 + stiffness)).squareRoot()
            guard frequency < 0.45 * sampleRate else { continue }
            let amplitude = 0.08 * level * sin(.pi * number * place) / number
            let fall = exp(-decay * (1 + 0.15 * (number - 1)) / sampleRate)
            let turn = 2 * .pi * frequency / sampleRate
            var (x, y) = (amplitude * cos(phase), amplitude * sin(phase))
            let (c, s) = (fall * cos(turn), fall * sin(turn))
            for n in begin..<max(begin, sound.count) {
                sound[n] += x
                (x, y) = (x * c - y * s, x * s + y * c)
            }
        }
    }
    return sound.map { Float($0 + 3e-4 * random(-1, 1)) }
}
