import Music
import Rhythm
import TestSignals
import Testing

@Suite struct ClickTimingTests {
    private func seconds(_ times: [Double]) -> [Duration] { times.map { .seconds($0) } }

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
            let timing = try #require(ClickTiming(heard: seconds(heard.sorted()), interval: .seconds(interval)))
            #expect(timing.lost == lost.count && timing.extra == 3 && timing.clicks == 400 - lost.count)
            #expect(abs(timing.drift.value - drift) < 5 * timing.driftStandardError.value)
            // The standard deviation of 390 is known to 3.6 %.
            #expect(abs(timing.jitter.inSeconds / jitter - 1) < 0.2)
            #expect(timing.worst.inSeconds > 2 * jitter && timing.worst.inSeconds < 6 * jitter)
        }
    }

    @Test func `A drift of minutes does not lose count`() throws {
        // 2,000 ppm over an hour is seven seconds, fourteen beats.
        let heard = (0..<7_200).map { Double($0) * 0.5 * 1.002 }
        let timing = try #require(ClickTiming(heard: seconds(heard), interval: .seconds(0.5)))
        #expect(timing.lost == 0 && timing.extra == 0 && abs(timing.drift.value - 2_000) < 1e-3)
        #expect(timing.worst.inSeconds < 1e-9)
    }

    @Test func `Clicks due at uneven times are matched to the nearest`() throws {
        let due = [0, 1, 1.5, 2.25, 3, 3.1, 4]
        let timing = try #require(
            ClickTiming(
                heard: seconds([0.01, 1.01, 1.51, 2.6, 3.01, 3.11, 4.01]), due: seconds(due), tolerance: .seconds(0.05))
        )
        #expect(timing.clicks == 6 && timing.lost == 1 && timing.extra == 1)
        #expect(abs(timing.offset.inSeconds - 0.01) < 1e-9 && timing.worst.inSeconds < 1e-9)
    }

    @Test func `The clicks of a plan are found from any origin, in spite of drift, and with strays and holes`() throws {
        let seed: UInt64 = 82
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<100 {
            // Three against four.
            let bar = Double.random(in: 1...4, using: &random)
            let places: [Double] = [0, 0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75]
            var due: [Double] = []
            for number in 0..<30 { due += places.map { (place: Double) -> Double in bar * (Double(number) + place) } }
            let drift = Double.random(in: -2_000...2_000, using: &random) * 1e-6
            var lost: Set<Int> = round % 2 == 0 ? [0, 179] : []
            for _ in 0..<8 { lost.insert(Int.random(in: 4..<176, using: &random)) }
            var heard: [Double] = []
            for (place, time) in due.enumerated() where !lost.contains(place) {
                heard.append(7 + time * (1 + drift) + 1e-4 * random.normal())
            }
            heard.append(heard[30] + 0.04 * bar)
            let times = seconds(heard.sorted())
            let timing = try #require(
                ClickTiming(heard: times, course: seconds(due), kinds: times.map { _ in 0 }, isWhole: true))
            #expect(
                timing.lost == lost.count && timing.extra == 1 && timing.clicks == 180 - lost.count, "round \(round)")
            #expect(abs(timing.drift.value - drift * 1e6) < 5 * timing.driftStandardError.value)
            // Of a plan without end nobody knows what came before and after.
            let open = try #require(
                ClickTiming(heard: times, course: seconds(due), kinds: times.map { _ in 0 }, isWhole: false))
            #expect(open.lost == lost.count - lost.intersection([0, 179]).count)
        }
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
            let found = try #require(ClickTiming.interval(of: seconds(heard.sorted()))).inSeconds
            // 1 % of jitter, over the square root of a twelfth of the cube of the clicks.
            let sigma = 0.01 * (12 / (Double(count) * Double(count) * Double(count))).squareRoot()
            #expect(abs(found / interval - 1) < 5 * sigma, "\(interval), \(count) clicks: \(found)")
        }
        let chance = (0..<100).map { _ in Double.random(in: 0..<50, using: &random) }
        #expect(ClickTiming.interval(of: seconds(chance.sorted())) == nil)
        #expect(ClickTiming.interval(of: seconds([1, 2])) == nil && ClickTiming.interval(of: []) == nil)
    }

    @Test func `Too few clicks say nothing`() {
        #expect(ClickTiming(heard: seconds([]), interval: .seconds(1)) == nil)
        #expect(ClickTiming(heard: seconds([1, 2]), interval: .seconds(1)) == nil)
        #expect(ClickTiming(heard: seconds([1, 1.5, 2.1, 2.65]), interval: .seconds(1e-9)) == nil)
        #expect(ClickTiming(heard: seconds([1, 2, 3]), interval: .seconds(0)) == nil)
        #expect(ClickTiming(heard: seconds([1, 2, 3]), due: [], tolerance: .seconds(0.1)) == nil)
    }
}
