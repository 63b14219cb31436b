import Foundation
import Music
import Testing

@testable import Transcription

@Suite struct ToneBreakTests {
    private let rate = 48_000.0
    /// Seconds since the onset.
    private let age = 0.07

    /// What is told of a tone of this key.
    ///
    /// - Parameter sample: its value, after how many turns of its first partial and how many seconds after the onset.
    private func breaking(_ key: Double, _ sample: (_ turns: Double, _ time: Double) -> Double) -> Double? {
        var tone = ToneBreak(sampleRate: rate.hertz)
        var buffer = [Float](repeating: 0, count: tone.reach)
        let frequency = 440 * pow(2, (key - 69) / 12)
        for n in 0..<tone.reach {
            let time = Double(n - tone.reach) / rate + age
            buffer[n] = Float(0.1 * sample(frequency * time, time))
        }
        return buffer.withUnsafeMutableBufferPointer { tone.find($0, age: Int(age * rate), key: key) }
    }

    /// Six partials, the even ones ahead by half as much again.
    private func partials(_ turns: Double, ahead: Double = 0) -> Double {
        var sum = 0.0
        for n in 1...6 {
            let number = Double(n)
            let shift: Double = n % 2 == 0 ? 1.5 * ahead : ahead
            sum += sin(2 * .pi * number * turns + shift) / number
        }
        return sum
    }

    @Test(arguments: [40.0, 48, 60, 72, 84], [2.0, 3])
    func `A tone that takes the place of one of its own key breaks off`(key: Double, ahead: Double) throws {
        let told = breaking(key) { turns, time in
            let share = max(0, min(1, time / 0.03))
            return (1 - share) * partials(turns) + share * partials(turns, ahead: ahead)
        }
        #expect(try #require(told) > 1.5)
    }

    @Test(arguments: [40.0, 48, 60, 72, 84])
    func `A tone that swells, dips or has a vibrato does not`(key: Double) throws {
        let swell = breaking(key) { turns, time in (1 + 3 * max(0, min(1, time / 0.03))) * partials(turns) }
        #expect(abs(try #require(swell)) < 0.6)
        let dip = breaking(key) { turns, time in (1 - 0.8 * exp(-pow(time / 0.02, 2))) * partials(turns) }
        #expect(abs(try #require(dip)) < 0.6)
        let frequency = 440 * pow(2, (key - 69) / 12)
        let vibrato = breaking(key) { turns, time in
            partials(turns + 0.0173 * frequency / 5.5 / (2 * .pi) * cos(2 * .pi * 5.5 * time))
        }
        #expect(abs(try #require(vibrato)) < 0.6)
    }

    @Test func `Of the lowest tones nothing is told, as too few periods have sounded`() {
        #expect(breaking(21) { turns, _ in partials(turns) } == nil)
    }
}
