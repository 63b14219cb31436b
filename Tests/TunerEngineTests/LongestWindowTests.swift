import Foundation
import Music
import Pitch
import Testing
import TestSignals
import TunerEngine

/// `longestWindow` of `TunerEngine` and of the detector below it.
@Suite struct LongestWindowTests {
    private func heard(
        _ signal: [Float], rate: Double, method: PitchMethod = .harmonic, longestWindow: Double
    ) throws -> [PitchReading] {
        var engine = try TunerEngine(sampleRate: rate.hertz, method: method, longestWindow: .seconds(longestWindow))
        var readings: [PitchReading] = []
        for start in stride(from: 0, to: signal.count, by: 4_096) {
            engine.process(Array(signal[start..<min(signal.count, start + 4_096)]).span)
            while let reading = engine.nextReading() { readings.append(reading) }
        }
        return readings
    }

    @Test(arguments: [(48_000.0, 0.1), (44_100, 0.3), (96_000, 0.2), (192_000, 0.15), (8_000, 1)])
    func `A steady note's window grows with the note to what was asked for and not beyond`(
        rate: Double, longest: Double
    ) throws {
        var generator = SeededGenerator(seed: 121)
        let seconds = longest + 0.15
        let tone = harmonicTone(
            frequency: 220, sampleRate: rate, count: Int(seconds * rate), partials: 8, using: &generator)
        let readings = try heard(tone, rate: rate, longestWindow: longest).filter { $0.state == .voiced }
        // Samples of the input, whatever the detector's widest copy is.
        let windows = readings.map { Double($0.window) / rate }
        let last = try #require(windows.last)
        // Whole blocks of a hop, 5.33 ms; two of the copy's may still wait for their fellows.
        #expect(windows.allSatisfy { $0 <= longest + 1e-9 } && last > longest - 2 * 0.0054, "\(last)")
        // Never longer than the note.
        for reading in readings { #expect(Double(reading.window) <= Double(reading.frame) + 1) }
    }

    @Test func `The standard error falls as the window to the power of -1.5, and tells the truth at each`() throws {
        var generator = SeededGenerator(seed: 122)
        var told: [(window: Double, error: Double)] = []
        let windows = [0.1, 0.4]
        var inside = 0
        for longest in windows {
            var sum = (window: 0.0, error: 0.0)
            for _ in 0..<2 {
                let tone = harmonicTone(
                    frequency: 441.7, sampleRate: 48_000, count: Int((longest + 0.15) * 48_000), rms: 0.1, partials: 6,
                    using: &generator)
                let noise = whiteNoise(count: tone.count, rms: 0.01, using: &generator)
                let signal = zip(tone, noise).map { $0 + $1 }
                let last = try #require(try heard(signal, rate: 48_000, longestWindow: longest).last)
                #expect(last.state == .voiced)
                sum = (sum.window + Double(last.window) / 2, sum.error + last.standardError.value / 2)
                let error = abs(Cents(from: 441.7.hertz, to: last.frequency).value)
                inside += error <= 3 * last.standardError.value ? 1 : 0
            }
            told.append(sum)
        }
        for (one, next) in zip(told, told.dropFirst()) {
            let slope = log(next.error / one.error) / log(next.window / one.window)
            // Two tones tell the noise to 1 %; what it weighs the upper partials by, to some more.
            #expect(abs(slope + 1.5) < 0.1, "\(slope) from \(one) to \(next)")
        }
        // Kay 1993, chapter 3: 24 σ² / (Σ k² A_k² N³), the bound of a tone whose amplitudes and phases are unknown.
        let squares = (1...6).map { Double($0 * $0) }
        let power = 0.02 / squares.map { 1 / $0 }.reduce(0, +)
        for (window, error) in told {
            // A reading is a mean of fits over a further seventh of the window.
            let seen = window * 8 / 7
            let bound = (24 * 1e-4 / (6 * power * seen * seen * seen)).squareRoot()
            let cents = 1_731.234 * bound * 48_000 / (2 * .pi * 441.7)
            #expect(error > 0.9 * cents && error < 1.3 * cents, "\(error) of \(cents)")
        }
        // Three standard errors: one in 370 lies outside.
        #expect(inside == 4, "\(inside) of 4")
    }

    @Test(arguments: [PitchMethod.mcleod, .yin])
    func `The other methods have windows of their own`(method: PitchMethod) throws {
        var generator = SeededGenerator(seed: 124)
        let tone = harmonicTone(frequency: 220, sampleRate: 48_000, count: 9_600, partials: 6, using: &generator)
        let (short, long) = (
            try heard(tone, rate: 48_000, method: method, longestWindow: 0.05),
            try heard(tone, rate: 48_000, method: method, longestWindow: 1)
        )
        #expect(
            short.map(\.frequency.value) == long.map(\.frequency.value) && short.map(\.window) == long.map(\.window))
        #expect(short.contains { $0.state == .voiced })
    }

    @Test(arguments: [0.084, 1.01, 0, -1, 1e15])
    func `A window that a pitch cannot rest on is refused in one sentence`(seconds: Double) {
        do throws(PitchError) {
            _ = try TunerEngine(sampleRate: 48.kilohertz, longestWindow: .seconds(seconds))
            Issue.record("\(seconds) s was taken")
        } catch {
            #expect(error.message.contains("choose a longest window from 0.085 to 1 s"))
        }
    }

    @Test func `An engine can be handed to another thread`() async throws {
        let engine = try TunerEngine(sampleRate: 48.0.kilohertz)
        let box = Handed(engine)
        let hop = await Task.detached { box.take() }.value
        #expect(hop == 256)
    }

    /// A noncopyable value that is sent to where it is used.
    private final class Handed: Sendable {
        private let engine: TunerEngine
        init(_ engine: consuming TunerEngine) { self.engine = engine }
        func take() -> Int { engine.hop }
    }
}
