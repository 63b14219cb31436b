import Music
@_spi(Measurement) import Rhythm
import TestSignals
import Testing

@Suite struct ClickFinderTests {
    private static let click = ClickFinder.sweep(sampleRate: 48.0.kilohertz)

    /// Clicks at places between the samples: the sweep is band-limited, so a shifted one is its interpolation (sinc).
    private func recording(
        _ places: [Double], gain: Double, noise: Double, using random: inout SeededGenerator
    ) -> [Float] {
        var samples = [Double](repeating: 0, count: Int((places.last ?? 0) + 2_000))
        for place in places {
            let whole = Int(place)
            for n in (whole - 64)..<(whole + Self.click.count + 64) where n >= 0 {
                var sum = 0.0
                for (k, value) in Self.click.enumerated() {
                    let x = Double(n) - place - Double(k)
                    sum += Double(value) * (abs(x) < 1e-9 ? 1 : sineOf(.pi * x) / (.pi * x))
                }
                samples[n] += gain * sum
            }
        }
        return samples.map { Float($0 + noise * random.normal()) }
    }

    private func powerOf10(_ x: Double) -> Double { Decibels(20 * x).amplitude }

    /// sin, by the half-angle from what the tests have: a sine's samples.
    private func sineOf(_ angle: Double) -> Double {
        Double(sine(frequency: 0, sampleRate: 1, count: 1, amplitude: 1, phase: angle)[0])
    }

    private func find(_ samples: [Float], block: Int) -> [ClickFinder.Click] {
        var finder = ClickFinder(click: Self.click, spacing: 1_500)
        var found: [ClickFinder.Click] = []
        for start in stride(from: 0, to: samples.count, by: block) {
            found += finder.process(Array(samples[start..<min(samples.count, start + block)]).span)
        }
        return found + finder.finish()
    }

    /// A hundred clicks. Without noise what is left is the parabola's error for this click; with noise of -20 dB
    /// below it the scatter of a matched filter.
    @Test(arguments: [(0.0, 0.03), (0.02, 0.1)])
    func `Clicks are found to a fraction of a sample`(noise: Double, tolerance: Double) throws {
        let seed: UInt64 = 77
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let places = (0..<100).map { 500 + 2_000 * Double($0) + Double.random(in: 0..<1, using: &random) }
        let found = find(recording(places, gain: 0.3, noise: noise, using: &random), block: 777)
        try #require(found.count == 100)
        let worst = zip(found, places).map { abs($0.position - $1) }.max() ?? 1
        print("noise \(noise): worst error \(worst) samples, likeness from \(found.map(\.likeness).min() ?? 0)")
        #expect(worst < tolerance)
        #expect(found.allSatisfy { abs($0.gain - 0.3) < 0.1 })
    }

    @Test func `Noise and silence hold no clicks, and an upside-down click is one`() {
        var random = SeededGenerator(seed: 78)
        #expect(find(whiteNoise(count: 96_000, rms: 0.3, using: &random), block: 1_024).isEmpty)
        #expect(find([Float](repeating: 0, count: 48_000), block: 1_024).isEmpty)
        #expect(find(sine(frequency: 3_000, sampleRate: 48_000, count: 48_000), block: 1_024).isEmpty)
        let upsideDown = find(recording([900], gain: -0.5, noise: 0, using: &random), block: 100)
        #expect(upsideDown.count == 1 && abs((upsideDown.first?.gain ?? 0) + 0.5) < 0.01)
    }

    @Test func `In rooms the direct sound is found, not an echo`() {
        let seed: UInt64 = 80
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for room in 0..<100 {
            // The direct sound, and 40 echoes within 240 ms that fall by 60 dB in 0.3 s, up to its own height.
            var samples = [Float](repeating: 0, count: 20_000)
            var echoes = [(delay: 2_000, gain: Float(0.7))]
            for _ in 0..<40 {
                let seconds = Double.random(in: 0.002...0.24, using: &random)
                let gain = max(-0.6, min(0.6, 0.2 * random.normal())) * powerOf10(-3 * seconds / 0.3)
                echoes.append((2_000 + Int(seconds * 48_000), Float(gain)))
            }
            for echo in echoes {
                for (k, value) in Self.click.enumerated() { samples[echo.delay + k] += echo.gain * value }
            }
            var finder = ClickFinder(click: Self.click, spacing: 12_000)
            let found = finder.process(samples.span) + finder.finish()
            // An echo 2 ms after it overlaps it and moves the peak by less than a tenth of a millisecond.
            #expect(found.count == 1 && abs((found.first?.position ?? 0) - 2_000) < 4.8, "room \(room): \(found)")
        }
    }

    @Test(arguments: [7, 64, 4_096, 100_000])
    func `The size of the blocks makes no difference`(block: Int) {
        var random = SeededGenerator(seed: 79)
        let samples = recording([0.5, 9_000.25, 20_000], gain: 1, noise: 0.001, using: &random)
        let (one, other) = (find(samples, block: block), find(samples, block: 1_000))
        #expect(one.count == 2 || one.count == 3, "a click in the very first sample has no left neighbour")
        #expect(one.map { ($0.position * 1_000).rounded() } == other.map { ($0.position * 1_000).rounded() })
    }
}
