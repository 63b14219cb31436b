import Foundation
import Music
import Strum
import Testing

/// A string that rings faintly through a strum of the others: four partials of one height, known against the noise.
@Suite struct FaintStringTests {
    private static let guitar = GeneratedStrum.guitar
    private static let rate = GeneratedStrum.sampleRate
    /// Amplitude of each partial at the centre of the longest window, 36 dB below the loudest string or less: fainter than a
    /// struck string may be, and louder than what is never heard.
    private static let amplitude = 1.2e-4
    /// The longest window is 1 s. It begins 0.1 s after the strum, which five strings make in 40 ms.
    private static let (window, centre) = (1.0, GeneratedStrum.start + 0.1 + 0.5)

    /// The size of uniform noise over which one partial stands so many decibels.
    ///
    /// Under a Hann window of N samples a cosine of amplitude a has the power a² / 4 · (Σ w)² / Σ w² = a² N / 6, where noise
    /// of variance σ² has σ². Uniform noise of size h has h² / 3.
    private static func hiss(clearance: Double) -> Double {
        let count = window * rate
        return (3 * amplitude * amplitude * count / 6 / pow(10, clearance / 10)).squareRoot()
    }

    /// The strum of the other strings, and the lines of one that has rung since before it, by the frequencies of its partials.
    private func sound(
        without string: Int, seed: UInt64, clearance: Double, partials: (GeneratedStrum) -> [Double]
    ) -> [Float] {
        let others = Self.guitar.indices.filter { $0 != string }.map { Self.guitar[$0] }
        let strum = GeneratedStrum(
            others, seed: seed, range: 20, seconds: Self.centre + 0.7, hiss: Self.hiss(clearance: clearance))
        let lines = partials(strum)
        return strum.samples.indices.map { n in
            let time = Double(n) / Self.rate
            // It falls by 60 dB in 7 s.
            let level = Self.amplitude * exp(Self.centre - time)
            let sum = lines.indices.reduce(0.0) { $0 + cos(2 * .pi * lines[$1] * time + Double($1 * $1)) }
            return strum.samples[n] + Float(level * sum)
        }
    }

    /// The partials of the string in tune, with an ordinary stiffness.
    private func ownPartials(of string: Int) -> [Double] {
        (1...4).map { k in
            let number = Double(k)
            return number * Self.guitar[string] * ((1 + 7e-5 * number * number) / (1 + 7e-5)).squareRoot()
        }
    }

    /// Which strings each window has, by its length in seconds.
    private func heard(_ samples: [Float], others: [[Double]] = []) throws -> [(window: Double, strings: [Int])] {
        var engine = try StrumEngine(
            strings: Self.guitar.map { $0.hertz }, others: others.map { $0.map { $0.hertz } },
            sampleRate: Self.rate.hertz)
        var found: [(window: Double, strings: [Int])] = []
        for start in stride(from: 0, to: samples.count, by: 800) {
            engine.process(samples.span.extracting(start..<min(samples.count, start + 800)))
            while let picture = engine.refine() {
                let strings = Self.guitar.indices.filter { engine.reading(of: $0).isHeard }
                found.append((Double(picture.window) / Self.rate, strings))
            }
        }
        return found
    }

    @Test(arguments: [2, 3]) func `It is heard where it stands 30 dB clear of the noise`(string: Int) throws {
        for seed: UInt64 in 1...6 {
            let sound = sound(without: string, seed: seed, clearance: 30) { _ in ownPartials(of: string) }
            let last = try #require(try heard(sound).last)
            #expect(last.window > 0.99 && last.strings == [0, 1, 2, 3, 4, 5], "seed \(seed): \(last)")
        }
    }

    @Test(arguments: [2, 3]) func `It is not heard 10 dB above the noise`(string: Int) throws {
        for seed: UInt64 in 1...6 {
            let sound = sound(without: string, seed: seed, clearance: 10) { _ in ownPartials(of: string) }
            let last = try #require(try heard(sound).last)
            #expect(last.window > 0.99 && last.strings == (0..<6).filter { $0 != string }, "seed \(seed): \(last)")
        }
    }

    /// B3's partials are E2's third, sixth … where it has nine times the stiffness: then they are E2's own, a little louder.
    @Test func `It is not heard under the partials of another string`() throws {
        for seed: UInt64 in 1...6 {
            let sound = sound(without: 4, seed: seed, clearance: 40) { strum in
                let (stiffness, cents) = (strum.stiffnesses[0], strum.detunings[0])
                let first = Self.guitar[0] * exp2(cents / 1_200) / (1 + stiffness).squareRoot()
                return (1...4).map { k in
                    let number = Double(3 * k)
                    return number * first * (1 + stiffness * number * number).squareRoot()
                }
            }
            let last = try #require(try heard(sound).last)
            #expect(last.window > 0.99 && last.strings == [0, 1, 2, 3, 5], "seed \(seed): \(last)")
        }
    }

    @Test func `It is heard only after the other tunings have been tried`() throws {
        let openD = [38.0, 45, 50, 54, 57, 62].map { 440 * exp2(($0 - 69) / 12) }
        for seed: UInt64 in 1...6 {
            let sound = sound(without: 3, seed: seed, clearance: 40) { _ in ownPartials(of: 3) }
            let found = try heard(sound, others: [openD])
            // Silent strings are told from 0.5 s on, and with that window the tunings are tried.
            let trial = try #require(found.first { $0.window > 0.45 })
            #expect(trial.strings == [0, 1, 2, 4, 5], "seed \(seed): \(trial)")
            #expect(found.last?.strings == [0, 1, 2, 3, 4, 5], "seed \(seed): \(found)")
        }
    }
}
