import Foundation
import Realtime
import Testing
import TestSignals

@_spi(Measurement) @testable import Rhythm

/// Bars of sixteen sixteenths that come back: accents by frame, and their weights.
private struct Bars: ~Copyable {
    /// Frames of a sixteenth.
    let sixteenth: Int
    var repetition: BarRepetition
    private static let frameSeconds = 0.005
    private static let periods = 40...300

    init(sixteenth: Int, accents: [Float], bars: Int) {
        self.sixteenth = sixteenth
        repetition = BarRepetition(
            periods: Self.periods, frameSeconds: Self.frameSeconds, constants: TempoConstants())
        for frame in 0..<bars * 16 * sixteenth {
            let isNote = frame % sixteenth == 0
            repetition.take(isNote ? accents[frame / sixteenth % 16] : 0)
        }
    }

    /// The nepers per second that speak for beats of so many sixteenths.
    func nepers(_ sixteenths: Double) -> Double {
        let period = Int((sixteenths * Double(sixteenth)).rounded())
        let weight = repetition.weights[period - Self.periods.lowerBound]
        return log(Double(weight)) / (Double(period) * Self.frameSeconds)
    }
}

@Suite struct BarRepetitionTests {
    /// 100 random bars of 4/4 at 88 to 142 BPM. Bars of beats of three sixteenths are three quarters as long, and come back as
    /// much only where the rhythm itself does after six or twelve sixteenths.
    @Test func `A bar that comes back speaks for the beats that it consists of`() {
        let seed: UInt64 = 2_211
        var generator = SeededGenerator(seed: seed)
        for number in 0..<100 {
            let sixteenth = 21 + number % 14
            let accents = (0..<16).map { _ in Float.random(in: 0...1, using: &generator) }
            let bars = Bars(sixteenth: sixteenth, accents: accents, bars: 8)
            let right = bars.nepers(4)
            // All of 8 nepers but for the doubt, 1 / 1.3 of them: 6.15; what rounding to frames takes is less than a third.
            #expect(right > 4 && right <= 8, "seed \(seed), bars \(number): \(right)")
            let wrong = bars.nepers(3)
            #expect(wrong < right, "seed \(seed), bars \(number): \(wrong), \(right)")
        }
    }

    @Test func `All levels of a beat weigh the same for a second`() {
        var generator = SeededGenerator(seed: 2_212)
        for sixteenth in 22...32 {
            let accents = (0..<16).map { _ in Float.random(in: 0...1, using: &generator) }
            let bars = Bars(sixteenth: sixteenth, accents: accents, bars: 8)
            let levels = [bars.nepers(2), bars.nepers(4), bars.nepers(8)]
            // Twice the period has twice as many frames of tolerance, and no more than the very same lags.
            #expect(levels.allSatisfy { abs($0 / levels[1] - 1) < 0.001 }, "\(levels)")
        }
    }

    @Test func `What never comes back, noise and silence say nothing`() {
        var generator = SeededGenerator(seed: 2_213)
        var repetition = BarRepetition(periods: 40...300, frameSeconds: 0.005, constants: TempoConstants())
        for _ in 0..<4_000 { repetition.take(0) }
        #expect((0..<repetition.weights.count).allSatisfy { repetition.weights[$0] == 1 })
        repetition.reset()
        for _ in 0..<4_000 { repetition.take(Float.random(in: 0...1, using: &generator)) }
        // In 2 s of memory are 400 frames, some three of which are one value: the correlation of noise is 0 ± .09, and below .35 at
        // all of 261 periods with three lags each; 8 nepers a second are those of a correlation of 1.
        for index in 0..<repetition.weights.count {
            let nepers = log(Double(repetition.weights[index])) / (Double(40 + index) * 0.005)
            #expect(nepers < 0.35 * 8, "\(nepers)")
        }
    }

    @Test func `After two minutes of silence it is as before the first frame`() {
        let accents = (0..<16).map { Float($0 % 5) / 4 }
        var bars = Bars(sixteenth: 25, accents: accents, bars: 4)
        #expect(bars.nepers(4) > 4)
        for _ in 0..<24_000 { bars.repetition.take(0) }
        #expect((0..<bars.repetition.weights.count).allSatisfy { bars.repetition.weights[$0] == 1 })
    }

    @Test func `A reset begins as before the first frame`() {
        var bars = Bars(sixteenth: 25, accents: (0..<16).map { Float($0 % 5) / 4 }, bars: 4)
        let first = (0..<bars.repetition.weights.count).map { bars.repetition.weights[$0] }
        bars.repetition.reset()
        #expect((0..<first.count).allSatisfy { bars.repetition.weights[$0] == 1 })
        for frame in 0..<4 * 16 * 25 { bars.repetition.take(frame % 25 == 0 ? Float(frame / 25 % 16 % 5) / 4 : 0) }
        #expect((0..<first.count).map { bars.repetition.weights[$0] } == first)
    }
}
