import CAllocationProbe
import Foundation
import Music
import Pitch
import Testing
import TestSignals
import TunerEngine

private func drain(_ engine: inout TunerEngine, into result: inout [PitchReading]) {
    while let reading = engine.nextReading() { result.append(reading) }
}

/// Bits and not values: not-a-number must compare too.
private func bits(_ readings: [PitchReading]) -> [[UInt64]] {
    readings.map {
        [
            UInt64($0.frame), UInt64($0.state.rawValue), $0.frequency.value.bitPattern, $0.periodicity.value.bitPattern,
            $0.clarity.bitPattern, $0.level.value.bitPattern, $0.standardError.value.bitPattern,
            $0.inharmonicity.bitPattern, UInt64($0.window),
        ]
    }
}

/// A tone, noise, silence and another tone: every state the engine has.
private func story() -> [Float] {
    var generator = SeededGenerator(seed: 21)
    var signal = harmonicTone(frequency: 110, sampleRate: 48_000, count: 20_000, using: &generator)
    signal += whiteNoise(count: 6_000, rms: 0.05, using: &generator)
    signal += [Float](repeating: 0, count: 6_000)
    signal += harmonicTone(
        frequency: 660, sampleRate: 48_000, count: 20_000, inharmonicity: 2e-4, attack: 0.002, using: &generator)
    return signal
}

@Suite struct TunerEngineTests {
    @Test(arguments: PitchMethod.allCases)
    func `Readings are the same to the last bit whatever the block sizes`(method: PitchMethod) throws {
        let signal = story()
        var whole: [PitchReading] = []
        var engine = try TunerEngine(sampleRate: 48.0.kilohertz, method: method)
        engine.process(signal.span)
        drain(&engine, into: &whole)
        #expect(whole.count == signal.count / 256 && whole.contains { $0.state == .voiced })
        var generator = SeededGenerator(seed: 22)
        for largest in [1, 257, 5_000] {
            var pieces: [PitchReading] = []
            var engine = try TunerEngine(sampleRate: 48.0.kilohertz, method: method)
            var start = 0
            while start < signal.count {
                let count = min(Int.random(in: 1...largest, using: &generator), signal.count - start)
                engine.process(Array(signal[start..<(start + count)]).span)
                drain(&engine, into: &pieces)
                start += count
            }
            #expect(bits(pieces) == bits(whole))
        }
    }

    @Test(arguments: PitchMethod.allCases)
    func `A thousand blocks make no heap call`(method: PitchMethod) throws {
        let signal = story()
        var engine = try TunerEngine(sampleRate: 48.0.kilohertz, method: method)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 256)
        defer { block.deallocate() }
        block.initialize(repeating: 0)
        var voiced = 0
        allocation_probe_reset()
        for index in 0..<1_000 {
            for n in 0..<256 { block[n] = signal[(index * 256 + n) % signal.count] }
            engine.process(UnsafeBufferPointer(block).span)
            while let reading = engine.nextReading() { if reading.state == .voiced { voiced += 1 } }
        }
        // An optimised build would free it as soon as it is read for the last time.
        let calls = withExtendedLifetime(signal) { allocation_probe_count() }
        allocation_probe_reset()
        let control = [Float](repeating: 0, count: Int.random(in: 99...100))
        let seen = allocation_probe_count()
        #expect(calls <= 0 && voiced > 100)
        #expect((seen > 0 || seen == -1) && !control.isEmpty)
    }

    @Test(arguments: PitchMethod.allCases)
    func `No signal crashes it or poisons what comes after`(method: PitchMethod) throws {
        var generator = SeededGenerator(seed: 23)
        let random = whiteNoise(count: 9_600, rms: 1, using: &generator)
        let poisons: [(String, [Float])] = [
            ("not a number", [Float](repeating: .nan, count: 9_600)),
            ("infinite", random.map { $0 > 0 ? .infinity : -.infinity }),
            ("offset", [Float](repeating: 1, count: 9_600)),
            ("square", (0..<9_600).map { $0 / 100 % 2 == 0 ? 1 : -1 }),
            ("denormal", random.map { $0 * Float(bitPattern: 71_362) }),
            ("faint", random.map { $0 * 1e-30 }),
            ("huge", random.map { $0 * 1e30 }),
            ("impulses", (0..<9_600).map { $0 % 997 == 0 ? 1 : 0 }),
            ("mixed", random.map { abs($0) > 1 ? .nan : $0 }),
            ("any bits", (0..<9_600).map { _ in Float(bitPattern: UInt32.random(in: 0 ... .max, using: &generator)) }),
        ]
        let tone = harmonicTone(frequency: 220, sampleRate: 48_000, count: 20_000, using: &generator)
        for (name, poison) in poisons {
            var engine = try TunerEngine(sampleRate: 48.0.kilohertz, method: method)
            engine.process(poison.span)
            engine.process(tone.span)
            var heard: [PitchReading] = []
            drain(&engine, into: &heard)
            let last = try #require(heard.last)
            #expect(last.state == .voiced && abs(Cents(from: 220.0.hertz, to: last.frequency).value) < 3, "\(name)")
            #expect(
                heard.allSatisfy {
                    $0.frequency.value.isFinite && $0.clarity >= 0 && $0.clarity <= 1
                        && $0.standardError.value.isFinite && !$0.level.value.isNaN
                }, "\(name)")
        }
    }

    @Test func `What is held of a pluck that dies away fades the same whatever the block sizes`() throws {
        var generator = SeededGenerator(seed: 24)
        let tone = harmonicTone(
            frequency: 196, sampleRate: 48_000, count: 24_000, partials: 12, attack: 0.002, using: &generator)
        // 60 dB in half a second, then nothing for 3 s.
        let pluck = tone.enumerated().map { $1 * Float(pow(10, -Double($0) / 8_000)) }
        let signal = pluck + [Float](repeating: 0, count: 144_000)
        func held(_ largest: Int) throws -> [(frame: Int64, strength: Double)] {
            var engine = try TunerEngine(sampleRate: 48.0.kilohertz)
            var held = HeldReading(sampleRate: 48.0.kilohertz)
            var (start, result) = (0, [(frame: Int64, strength: Double)]())
            while start < signal.count {
                let count = min(Int.random(in: 1...largest, using: &generator), signal.count - start)
                engine.process(Array(signal[start..<(start + count)]).span)
                while let reading = engine.nextReading() {
                    held.hear(reading)
                    result.append((reading.frame, held.strength))
                    let isNear = held.reading.map { abs(Cents(from: 196.0.hertz, to: $0.frequency).value) < 50 }
                    #expect(isNear ?? true)
                }
                start += count
            }
            return result
        }
        let (whole, pieces) = (try held(60_000), try held(700))
        #expect(whole.map(\.strength) == pieces.map(\.strength) && whole.map(\.frame) == pieces.map(\.frame))
        let first = try #require(whole.firstIndex { $0.strength == 1 })
        // From its first reading on it is never away for a moment, and falls once and for all.
        let fading = whole[first...].drop { $0.strength == 1 }
        #expect(zip(fading, fading.dropFirst()).allSatisfy { $0.strength > $1.strength || $1.strength == 0 })
        let start = try #require(fading.first).frame
        let end = try #require(fading.first { $0.strength == 0 }).frame
        // 2.25 s of decay, to the hop.
        #expect(start > 12_000 && abs(end - start - 108_000) <= 256, "\(start) \(end)")
    }

    @Test func `After a reset the engine is as new`() throws {
        let signal = story()
        var engine = try TunerEngine(sampleRate: 48.0.kilohertz)
        var (first, second): ([PitchReading], [PitchReading]) = ([], [])
        engine.process(signal.span)
        drain(&engine, into: &first)
        engine.reset()
        engine.process(signal.span)
        drain(&engine, into: &second)
        #expect(bits(first) == bits(second) && !first.isEmpty && engine.droppedReadings == 0)
    }
}
