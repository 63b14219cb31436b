import Foundation
import Music
@_spi(Engine) import Pitch
import Testing
import TestSignals

private func cents(_ reading: PitchReading, _ truth: Double) -> Double {
    Cents(from: truth.hertz, to: reading.frequency).value
}

@Suite struct HarmonicDetectorTests {
    @Test func `Clean tones from A0 to C8 come out within five thousandths of a cent`() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<16 {
            let frequency = generator.logUniform(27.5, 4_186)
            let slope = Double.random(in: 0.5...2, using: &generator)
            let missing = Bool.random(using: &generator)
            let tone = harmonicTone(
                frequency: frequency, sampleRate: 48_000, count: 24_000, slope: slope, missingFundamental: missing,
                using: &generator)
            let last = try #require(try heard(tone).last)
            #expect(last.state == .voiced)
            // Float samples and sums of floats: the moments carry 1e-6 of their size, which is 1e-4 c at the lowest note.
            #expect(abs(cents(last, frequency)) < 0.005, "\(frequency) Hz")
        }
    }

    @Test func `A stiff string's first partial and its inharmonicity are both found`() throws {
        var generator = SeededGenerator(seed: 32)
        for stiffness in [2e-5, 1e-4, 5e-4] {
            let tone = harmonicTone(
                frequency: 82, sampleRate: 48_000, count: 36_000, partials: 12, inharmonicity: stiffness,
                using: &generator)
            let last = try #require(try heard(tone).last)
            #expect(abs(cents(last, 82 * (1 + stiffness).squareRoot())) < 0.02)
            #expect(abs(last.inharmonicity / stiffness - 1) < 0.01)
            // Of amplitudes 1/k, by the highest of 200,000 places 0.0005 c apart.
            func similarity(_ hertz: Double) -> Double {
                (1...12).reduce(0.0) { sum, k in
                    let turns = 82 * Double(k) * (1 + stiffness * Double(k * k)).squareRoot() / hertz
                    return sum + cos(2 * .pi * turns) / Double(k * k)
                }
            }
            let places = (0..<200_000).map { 82 * exp2(Double($0) * 0.0005 / 1_200) }
            let truth = places.max { similarity($0) < similarity($1) } ?? 0
            #expect(abs(Cents(from: truth.hertz, to: last.periodicity).value) < 0.02)
        }
    }

    /// A plucked string through a Butterworth high-pass, in noise 60 dB below.
    private func string(
        _ frequency: Double, stiffness: Double, corner: Double, order: Double, drop: Double = 0,
        using generator: inout SeededGenerator
    ) -> [Float] {
        let count = 48_000
        var samples = [Double](repeating: 0, count: count)
        for k in 1...72 {
            let number = Double(k)
            let partial = frequency * number * (1 + stiffness * number * number).squareRoot()
            if partial > 18_000 { break }
            let gain = pow(10, -drop * (number - 1) / 20) / (1 + pow(corner / partial, 2 * order)).squareRoot()
            let phase = Double.random(in: 0...(2 * .pi), using: &generator)
            for n in 0..<count {
                let t = Double(n) / 48_000
                samples[n] += gain / number * exp(-t * (1 + 0.15 * number)) * cos(2 * .pi * partial * t + phase)
            }
        }
        let rms = (samples.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
        return samples.map { Float(0.1 * $0 / rms + 1e-4 * generator.normal()) }
    }

    @Test func `A string through a microphone without bass is as stiff as it is, and its pitch is told to match`()
        throws
    {
        var generator = SeededGenerator(seed: 39)
        for (frequency, stiffness, corner) in [(41.2, 1.5e-4, 200.0), (55, 1e-4, 300), (82.4, 1e-4, 300)] {
            let signal = string(frequency, stiffness: stiffness, corner: corner, order: 4, using: &generator)
            let last = try #require(try heard(signal).last)
            #expect(last.state == .voiced)
            #expect(abs(last.inharmonicity / stiffness - 1) < 0.02, "\(frequency) Hz: \(last.inharmonicity)")
            #expect(abs(cents(last, frequency * (1 + stiffness).squareRoot())) < 0.05, "\(frequency) Hz")
        }
    }

    @Test(arguments: [(784.0, 2e-3), (1_046.5, 3e-3), (1_318.5, 4.5e-3), (1_568, 6e-3), (2_093, 9e-3), (2_637, 1.2e-2)])
    func `The top strings of a piano are as stiff as they are`(frequency: Double, stiffness: Double) throws {
        var generator = SeededGenerator(seed: 40)
        let signal = string(frequency, stiffness: stiffness, corner: 0, order: 2, drop: 6, using: &generator)
        let readings = try heard(signal).filter { $0.frame > 12_000 }
        for reading in readings {
            #expect(reading.state == .voiced && abs(reading.inharmonicity / stiffness - 1) < 0.02)
            #expect(abs(cents(reading, frequency * (1 + stiffness).squareRoot())) < 0.01)
        }
        #expect(readings.count > 100)
    }

    @Test func `In noise the error stays near the Cramér-Rao bound, and the standard error tells it`() throws {
        var generator = SeededGenerator(seed: 33)
        var (squares, inside, count) = (0.0, 0, 0)
        for _ in 0..<12 {
            let frequency = generator.logUniform(200, 2_000)
            let tone = harmonicTone(
                frequency: frequency, sampleRate: 48_000, count: 28_800, rms: 0.1, slope: 1, using: &generator)
            let noise = whiteNoise(count: 28_800, rms: 0.01, using: &generator)
            let signal = zip(tone, noise).map { $0 + $1 }
            // Partials of amplitude A/k up to 20 kHz: Σ k² A_k² = K A², and A² Σ k^-2 = 2 · 0.1².
            let partials = min(64, Int(20_000 / frequency))
            let orders = (1...partials).map { Double($0 * $0) }
            let power = 0.02 / orders.map { 1 / $0 }.reduce(0, +)
            let information = Double(partials) * power / 1e-4
            let n = 4_096.0
            let bound = 1_731.234 * (24 / (information * n * (n * n - 1))).squareRoot() * 48_000 / (2 * .pi * frequency)
            for reading in try heard(signal, longestWindow: n / 48_000).suffix(20) {
                let error = cents(reading, frequency)
                squares += error * error / (bound * bound)
                inside += abs(error) <= 2 * reading.standardError.value ? 1 : 0
                count += 1
            }
        }
        // 12 independent tones tell the mean square to √(2/12) = 0.4; the goal of 1.3 times the bound is 1.69 squared.
        #expect(count == 240 && squares / Double(count) < 1.69)
        #expect(squares / Double(count) > 0.4, "better than the bound: the test is wrong")
        // 95 % if the error is Gaussian; the 20 readings of a tone are one event, so allow 2 tones in 12.
        #expect(Double(inside) / Double(count) > 0.8)
    }

    @Test func `A low B locks within 65 ms of its attack and stays`() throws {
        var generator = SeededGenerator(seed: 34)
        let tone = harmonicTone(
            frequency: 30.868, sampleRate: 48_000, count: 24_000, attack: 0.002, using: &generator)
        let readings = try heard([Float](repeating: 0, count: 12_100) + tone)
        let first = try #require(readings.firstIndex { $0.state == .voiced })
        #expect(Double(readings[first].frame - 12_100) / 48 <= 65)
        #expect(readings[first...].allSatisfy { $0.state == .voiced && abs(cents($0, 30.868)) < 5 })
        #expect(readings[..<first].allSatisfy { $0.frequency.value == 0 })
    }

    @Test func `A vibrato is followed, and a note at rest gets the long window`() throws {
        var (phase, signal) = (0.0, [Float]())
        for n in 0..<96_000 {
            let t = Double(n) / 48_000
            let depth = t < 1 ? 30 * sin(2 * .pi * 5.5 * t) : 0
            phase += 2 * .pi * 440 * pow(2, depth / 1_200) / 48_000
            signal.append(Float(0.1 * (sin(phase) + 0.5 * sin(2 * phase) + 0.3 * sin(3 * phase))))
        }
        let readings = try heard(signal)
        for reading in readings where reading.frame > 16_800 && reading.frame < 47_000 {
            // 10 ms late: about half of the short window.
            let t = Double(reading.frame) / 48_000 - 0.010
            let truth = 440 * pow(2, 30 * sin(2 * .pi * 5.5 * t) / 1_200)
            // The window's curvature takes 0.4 c off the turning points; a reading of the long window in between 2 c.
            #expect(abs(cents(reading, truth)) < 4)
        }
        let last = try #require(readings.last)
        #expect(last.window > 13_000 && abs(cents(last, 440)) < 0.01)
    }

    @Test func `A tone of one partial gets the long window, and its vibrato is followed`() throws {
        var generator = SeededGenerator(seed: 37)
        for _ in 0..<12 {
            let frequency = generator.logUniform(220, 3_520)
            let noise = whiteNoise(count: 60_000, rms: 0.001, using: &generator)
            var (phase, signal) = (0.0, [Float]())
            for n in 0..<60_000 {
                let t = Double(n) / 48_000
                let depth = t < 0.8 ? 30 * sin(2 * .pi * 5.5 * t) : 0
                phase += 2 * .pi * frequency * pow(2, depth / 1_200) / 48_000
                signal.append(Float(0.1 * sin(phase)) + noise[n])
            }
            let readings = try heard(signal)
            var (squares, count) = (0.0, 0)
            for reading in readings where reading.frame > 14_400 && reading.frame < 38_000 {
                #expect(reading.state == .voiced, "\(frequency) Hz at \(reading.frame)")
                let t = Double(reading.frame) / 48_000 - 0.010
                let error = cents(reading, frequency * pow(2, 30 * sin(2 * .pi * 5.5 * t) / 1_200))
                squares += error * error
                count += 1
            }
            // What is demanded of any vibrato of ±30 cents: a reading of the long window has 20 c.
            #expect(count > 80 && (squares / Double(count)).squareRoot() < 0.8, "\(frequency) Hz")
            let last = try #require(readings.last)
            #expect(last.window > 13_000 && abs(cents(last, frequency)) < 0.05, "\(frequency) Hz")
        }
    }

    /// 0.6 s of partials of given amplitudes and random phases, 40 dB over white noise.
    private func tone(
        _ frequency: Double, _ amplitudes: [Int: Double], using generator: inout SeededGenerator
    ) -> [Float] {
        let scale = 0.1 / (amplitudes.values.reduce(0) { $0 + $1 * $1 } / 2).squareRoot()
        var signal = whiteNoise(count: 28_800, rms: 0.001, using: &generator)
        for (k, amplitude) in amplitudes.sorted(by: { $0.key < $1.key }) {
            let partial = sine(
                frequency: Double(k) * frequency, sampleRate: 48_000, count: 28_800, amplitude: scale * amplitude,
                phase: Double.random(in: 0...6.28, using: &generator))
            signal = zip(signal, partial).map { $0 + $1 }
        }
        return signal
    }

    @Test func `A note is heard whichever of its partials is the strong one, and whichever are missing`() throws {
        var generator = SeededGenerator(seed: 38)
        let spectra: [[Int: Double]] = [
            [1: 0.1, 2: 1, 3: 0.1, 4: 0.1, 5: 0.1], [1: 0.1, 2: 0.1, 3: 1, 4: 0.1, 5: 0.1, 6: 0.1],
            [3: 1, 4: 1, 5: 1], [3: 1, 5: 1, 7: 1],
        ]
        for (index, spectrum) in spectra.enumerated() {
            for _ in 0..<8 {
                let frequency = generator.logUniform(index < 2 ? 100 : 520, index == 1 ? 1_300 : 1_000)
                for reading in try heard(tone(frequency, spectrum, using: &generator)) where reading.frame > 9_600 {
                    #expect(reading.state == .voiced, "\(spectrum) of \(frequency) Hz at \(reading.frame)")
                    #expect(abs(cents(reading, frequency)) < 5, "\(spectrum) of \(frequency) Hz at \(reading.frame)")
                }
            }
        }
    }

    @Test func `A squeal above the range of pitch is not heard as a fraction of it`() throws {
        var generator = SeededGenerator(seed: 39)
        for _ in 0..<8 {
            let squeal = generator.logUniform(6_300, 9_000)
            let readings = try heard(tone(squeal, [1: 1, 2: 0.1], using: &generator))
            #expect(readings.count > 100 && readings.count { $0.state == .voiced } == 0, "\(squeal) Hz")
        }
    }

    @Test func `The standard error of a plucked string's pitch is its error, not its decay`() throws {
        var generator = SeededGenerator(seed: 40)
        var ratios: [Double] = []
        for _ in 0..<16 {
            let frequency = generator.logUniform(80, 1_000)
            let seconds = generator.logUniform(2, 6)
            let steady = harmonicTone(frequency: frequency, sampleRate: 48_000, count: 48_000, using: &generator)
            let noise = whiteNoise(count: 48_000, rms: 0.001, using: &generator)
            let signal = steady.indices.map { n in
                steady[n] * Float(exp(-6.91 * Double(n) / 48_000 / seconds)) + noise[n]
            }
            for reading in try heard(signal) where reading.frame > 24_000 {
                ratios.append(abs(cents(reading, frequency)) / reading.standardError.value)
            }
        }
        // Of a Gaussian error half lies within 0.67 standard errors. The decay's share of the residual made it 0.1; of 16
        // strings the median varies by a quarter.
        let median = ratios.sorted()[ratios.count / 2]
        #expect(ratios.count > 1_000 && median > 0.3 && median < 1.1, "\(median)")
    }

    @Test func `White, pink and brown noise have no pitch`() throws {
        var generator = SeededGenerator(seed: 35)
        let white = whiteNoise(count: 48_000, rms: 0.1, using: &generator)
        var (brown, pink, level, slow) = ([Float](), [Float](), Float(0), Float(0))
        for sample in white {
            level = 0.997 * level + 0.08 * sample
            slow = 0.95 * slow + 0.2 * sample
            brown.append(level)
            pink.append(level + 0.5 * slow + 0.2 * sample)
        }
        for noise in [white, pink, brown] {
            let readings = try heard(noise)
            let voiced = readings.count { $0.state == .voiced }
            #expect(readings.count == 187 && voiced * 100 <= readings.count)
        }
    }

    @Test(arguments: [21.5, 4_699, 5_588])
    func `The range ends beyond the lowest organ pipes that sound and the highest piccolo and glockenspiel`(
        frequency: Double
    ) throws {
        var generator = SeededGenerator(seed: 37)
        let tone = harmonicTone(
            frequency: frequency, sampleRate: 48_000, count: 48_000, slope: 1.2, attack: 0.003, using: &generator)
        let noise = whiteNoise(count: 48_000, rms: 0.001, using: &generator)
        let readings = try heard(zip(tone, noise).map { $0 + $1 }).filter { $0.frame > 24_000 }
        #expect(readings.count > 80 && readings.allSatisfy { $0.state == .voiced })
        // The bound of the longest window at 40 dB is below 0.01 c at either end.
        for reading in readings { #expect(abs(cents(reading, frequency)) < 0.1, "\(reading.frequency.value) Hz") }
    }

    @Test func `Every sample rate and odd hops find the same pitch`() throws {
        for rate in [8_000.0, 22_050, 44_100, 96_000, 192_000] {
            var generator = SeededGenerator(seed: 36)
            let tone = harmonicTone(frequency: 146.83, sampleRate: rate, count: Int(rate * 0.6), using: &generator)
            for hop in [nil, Int(rate * 0.004) | 1] {
                let last = try #require(try heard(tone, sampleRate: rate, hop: hop).last)
                #expect(last.state == .voiced && abs(cents(last, 146.83)) < 0.01, "\(rate) Hz, hop \(hop ?? 0)")
            }
        }
    }
}
