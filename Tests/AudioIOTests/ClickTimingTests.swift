import AudioIO
import TestSignals
import Testing

@Suite struct ClickFinderTests {
    private static let click = ClickFinder.sweep(sampleRate: 48_000)

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

    @Test(arguments: [7, 64, 4_096, 100_000])
    func `The size of the blocks makes no difference`(block: Int) {
        var random = SeededGenerator(seed: 79)
        let samples = recording([0.5, 9_000.25, 20_000], gain: 1, noise: 0.001, using: &random)
        let (one, other) = (find(samples, block: block), find(samples, block: 1_000))
        #expect(one.count == 2 || one.count == 3, "a click in the very first sample has no left neighbour")
        #expect(one.map { ($0.position * 1_000).rounded() } == other.map { ($0.position * 1_000).rounded() })
    }
}

@Suite struct ClickTimingTests {
    @Test func `Drift, jitter, lost and extra clicks are told apart`() throws {
        let seed: UInt64 = 80
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let interval = Double.random(in: 0.2...1, using: &random)
            let drift = Double.random(in: -500...500, using: &random)
            let jitter = Double.random(in: 1e-6...2e-3, using: &random)
            // Neither the first three nor the last are lost: the beginning has to be one.
            let lost = Set((0..<10).map { _ in Int.random(in: 4..<398, using: &random) })
            var heard = (0..<400).filter { !lost.contains($0) }.map {
                3 + Double($0) * interval * (1 + drift * 1e-6) + jitter * random.normal()
            }
            heard += [0, 1, 2].map { 3 + (Double($0) * 100 + 10.45) * interval }
            let timing = try #require(ClickTiming(heard: heard.sorted(), interval: interval))
            #expect(timing.lost == lost.count && timing.extra == 3 && timing.clicks == 400 - lost.count)
            #expect(abs(timing.drift.value - drift) < 5 * timing.driftStandardError.value)
            // The standard deviation of 390 is known to 3.6 %.
            #expect(abs(timing.jitterSeconds / jitter - 1) < 0.2)
            #expect(timing.worstSeconds > 2 * jitter && timing.worstSeconds < 6 * jitter)
        }
    }

    @Test func `A drift of minutes does not lose count`() throws {
        // 2,000 ppm over an hour is seven seconds, fourteen beats.
        let heard = (0..<7_200).map { Double($0) * 0.5 * 1.002 }
        let timing = try #require(ClickTiming(heard: heard, interval: 0.5))
        #expect(timing.lost == 0 && timing.extra == 0 && abs(timing.drift.value - 2_000) < 1e-3)
        #expect(timing.worstSeconds < 1e-9)
    }

    @Test func `Clicks due at uneven times are matched to the nearest`() throws {
        let due = [0, 1, 1.5, 2.25, 3, 3.1, 4]
        let timing = try #require(
            ClickTiming(heard: [0.01, 1.01, 1.51, 2.6, 3.01, 3.11, 4.01], due: due, tolerance: 0.05))
        #expect(timing.clicks == 6 && timing.lost == 1 && timing.extra == 1)
        #expect(abs(timing.offsetSeconds - 0.01) < 1e-9 && timing.worstSeconds < 1e-9)
    }

    @Test func `What is regular tells its own interval, with holes and strays in it`() throws {
        var random = SeededGenerator(seed: 31)
        print("seed 31")
        for _ in 0..<100 {
            let interval = 0.06 + 1.94 * Double.random(in: 0..<1, using: &random)
            let count = Int.random(in: 12...200, using: &random)
            let gone = Int.random(in: 1..<(count - 1), using: &random)
            var heard = (0..<count).filter { $0 != gone }.map { 3 + (Double($0) + 0.01 * random.normal()) * interval }
            heard.append(heard[count / 2] + 0.37 * interval)
            let found = try #require(ClickTiming.interval(of: heard.sorted()))
            // 1 % of jitter, over the square root of a twelfth of the cube of the clicks.
            let sigma = 0.01 * (12 / (Double(count) * Double(count) * Double(count))).squareRoot()
            #expect(abs(found / interval - 1) < 5 * sigma, "\(interval), \(count) clicks: \(found)")
        }
        let chance = (0..<100).map { _ in Double.random(in: 0..<50, using: &random) }
        #expect(ClickTiming.interval(of: chance.sorted()) == nil)
        #expect(ClickTiming.interval(of: [1, 2]) == nil && ClickTiming.interval(of: []) == nil)
    }

    @Test func `Too few clicks say nothing`() {
        #expect(ClickTiming(heard: [], interval: 1) == nil)
        #expect(ClickTiming(heard: [1, 2], interval: 1) == nil)
        #expect(ClickTiming(heard: [1, 1.5, 2.1, 2.65], interval: 1e-9) == nil)
        #expect(ClickTiming(heard: [1, 2, 3], interval: 0) == nil)
        #expect(ClickTiming(heard: [1, 2, 3], due: [], tolerance: 0.1) == nil)
    }
}
