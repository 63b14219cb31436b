import CAllocationProbe
import Music
import Pitch
import TestSignals
import Testing

private func voiced(_ frame: Int64, _ hertz: Double) -> PitchReading {
    var reading = PitchReading(frame: frame, state: .voiced, level: (-20.0).decibels, clarity: 0.97)
    reading.frequency = hertz.hertz
    return reading
}

private func unvoiced(_ frame: Int64, _ state: PitchState = .unvoiced) -> PitchReading {
    PitchReading(frame: frame, state: state, level: (-60.0).decibels)
}

/// A held reading at 48 kHz that has heard 440 Hz for ten hops of 256, the last of them at frame 2,560.
private func held440() -> HeldReading {
    var held = HeldReading(sampleRate: 48.0.kilohertz)
    for hop in 1...10 { held.hear(voiced(Int64(hop) * 256, 440)) }
    return held
}

@Suite struct HeldReadingTests {
    @Test func `The strength is the closed form of the age in frames, at every rate, hop, hold and decay`() {
        let seed: UInt64 = 71
        var generator = SeededGenerator(seed: seed)
        var (whole, fading, gone) = (0, 0, 0)
        for _ in 0..<300 {
            let rate = Double.random(in: 8_000...192_000, using: &generator).rounded()
            let hold = Int.random(in: 0...600, using: &generator)
            let decay = Int.random(in: 0...3_000, using: &generator)
            var held = HeldReading(sampleRate: rate.hertz, hold: .milliseconds(hold), decay: .milliseconds(decay))
            let last = Int64.random(in: 0...10_000_000_000, using: &generator)
            held.hear(voiced(last, 196))
            #expect(held.strength == 1 && held.isSounding)
            var frame = last
            for _ in 0..<20 {
                // Hops of 1 to 50 ms, and now and then a reading that was lost.
                let hop = Int64(rate * Double.random(in: 0.001...0.05, using: &generator)) + 1
                frame += Bool.random(using: &generator) ? hop : 10 * hop
                held.hear(unvoiced(frame, Bool.random(using: &generator) ? .silence : .unvoiced))
                let seconds = Double(frame - last) / rate
                let (h, d) = (Double(hold) / 1_000, Double(decay) / 1_000)
                let line = d > 0 ? 1 - (seconds - h) / d : seconds <= h ? 1 : 0
                let expected = max(0, min(1, line))
                // Hold and decay are rounded to half a frame each; near the end of a decay of no length that is all of it.
                let tolerance = 1 / (rate * max(d, 1e-9)) + 1e-9
                let isAtJump = abs(seconds - h) * rate <= 1
                #expect(
                    isAtJump && d == 0 || abs(held.strength - expected) <= tolerance,
                    "seed \(seed): \(rate) Hz, \(hold) + \(decay) ms, \(frame - last) frames")
                #expect(held.strength == held.strength(at: frame) && !held.isSounding)
                #expect((held.reading == nil) == (held.strength == 0))
                #expect(held.reading.map { $0.frame == last && $0.frequency.value == 196 } ?? true)
                if held.strength == 1 { whole += 1 } else if held.strength > 0 { fading += 1 } else { gone += 1 }
            }
        }
        #expect(whole > 300 && fading > 300 && gone > 300, "\(whole) \(fading) \(gone)")
    }

    @Test func `The corners lie on exact frames`() {
        let held = held440()
        #expect(held.holdFrames == 12_000 && held.decayFrames == 108_000 && held.confirmationFrames == 480)
        #expect(held.strength(at: 0) == 1 && held.strength(at: 2_560 + 12_000) == 1)
        #expect(held.strength(at: 2_560 + 12_001) == 107_999.0 / 108_000)
        #expect(held.strength(at: 2_560 + 66_000) == 0.5)
        #expect(held.strength(at: 2_560 + 119_999) == 1.0 / 108_000)
        #expect(held.strength(at: 2_560 + 120_000) == 0)
    }

    @Test func `How the stream was cut into hops makes no difference at a frame that all of them meet`() {
        var generator = SeededGenerator(seed: 72)
        for _ in 0..<100 {
            let end = 2_560 + Int64.random(in: 1...130_000, using: &generator)
            var strengths: [Double] = []
            for hop in [48, 256, 2_400] as [Int64] {
                var held = held440()
                var frame: Int64 = 2_560
                while frame + hop < end {
                    frame += hop
                    held.hear(unvoiced(frame))
                }
                held.hear(unvoiced(end))
                strengths.append(held.strength)
            }
            #expect(Set(strengths).count == 1, "\(end): \(strengths)")
        }
    }

    @Test func `A gap of a few hops changes nothing, and the note goes on at once`() {
        for gap in 1...46 {
            var held = held440()
            for hop in 0..<gap {
                held.hear(unvoiced(2_560 + Int64(hop + 1) * 256))
                #expect(held.strength == 1 && held.reading?.frequency.value == 440)
            }
            let isTaken = held.hear(voiced(2_560 + Int64(gap + 1) * 256, 441))
            #expect(isTaken && held.reading?.frequency.value == 441)
        }
    }

    @Test func `Octave errors and clicks of one or two hops do not show`() {
        for wrong in [220.0, 880, 1_320, 146.7, 466.2, 415.3] {
            for length in 1...2 {
                var held = held440()
                for hop in 0..<length {
                    let isTaken = held.hear(voiced(2_560 + Int64(hop + 1) * 256, wrong))
                    #expect(!isTaken && held.reading?.frequency.value == 440 && held.strength == 1)
                }
                let isTaken = held.hear(voiced(2_560 + Int64(length + 1) * 256, 440.2))
                #expect(isTaken && held.reading?.frequency.value == 440.2)
            }
        }
    }

    @Test func `Errors that come again and again, but never for long, do not show either`() {
        var held = held440()
        var frame: Int64 = 2_560
        for _ in 0..<12 {
            frame += 256
            let isTaken = held.hear(voiced(frame, 880))
            #expect(!isTaken)
            for _ in 0..<3 {
                frame += 256
                held.hear(unvoiced(frame))
            }
        }
        #expect(held.reading?.frequency.value == 440)
    }

    @Test(arguments: [48, 100, 256, 480, 2_400] as [Int64])
    func `A slurred note shows after 10 ms, whatever the hop`(hop: Int64) throws {
        var held = held440()
        var frame: Int64 = 2_560
        repeat { frame += hop } while !held.hear(voiced(frame, 660)) && frame < 48_000
        // From its first reading on, rounded up to whole hops.
        #expect(frame - (2_560 + hop) == (480 + hop - 1) / hop * hop)
        #expect(held.reading?.frequency.value == 660)
    }

    @Test func `A slurred note shows too when every other hop is lost`() {
        var held = held440()
        var taken = 0
        for hop in 0..<8 as Range<Int64> {
            let frame = 2_560 + (hop + 1) * 256
            taken += held.hear(hop % 2 == 0 ? voiced(frame, 660) : unvoiced(frame)) ? 1 : 0
        }
        #expect(held.reading?.frequency.value == 660 && taken == 3)
    }

    @Test func `A note that an attack announced shows at once, and so does the first of all`() {
        var held = held440()
        held.hear(unvoiced(2_816, .attack))
        #expect(held.reading?.frequency.value == 440 && held.strength == 1)
        let isNext = held.hear(voiced(3_072, 880))
        #expect(isNext && held.reading?.frequency.value == 880)
        // What came of the attack was a noise: what follows is announced no longer.
        held.hear(unvoiced(3_328, .attack))
        held.hear(unvoiced(3_584))
        let isAnnounced = held.hear(voiced(3_840, 440))
        #expect(!isAnnounced && held.reading?.frequency.value == 880)
        var fresh = HeldReading(sampleRate: 48.0.kilohertz)
        let isFirst = fresh.hear(voiced(256, 440))
        #expect(isFirst && fresh.reading?.frequency.value == 440)
        held.hear(unvoiced(200_000))
        #expect(held.reading == nil)
        let isLow = held.hear(voiced(200_256, 65))
        #expect(isLow && held.reading?.frequency.value == 65)
    }

    @Test func `Vibrato and glides are followed reading by reading`() {
        var held = held440()
        var semitones = 0.0
        for hop in 0..<400 as Range<Int64> {
            // Two octaves up in 2 s, which is 6 cents a hop, with a vibrato of ±50 cents at 6 Hz.
            semitones = 24 * Double(hop) / 400
            let turn = Double(hop) * 256 / 48_000 * 6
            let swing = 50 * abs(2 * (turn - turn.rounded(.down)) - 1) - 25
            let hertz = 440.0.hertz.raised(by: (100 * semitones + swing).cents).value
            let isTaken = held.hear(voiced(2_560 + (hop + 1) * 256, hertz))
            #expect(isTaken && held.isSounding && held.reading?.frequency.value == hertz)
        }
        #expect(semitones > 23)
    }

    @Test func `A stream that begins anew begins with nothing held`() {
        var held = held440()
        held.hear(unvoiced(256))
        #expect(held.reading == nil && held.strength == 0)
        let isFirst = held.hear(voiced(512, 880))
        #expect(isFirst && held.reading?.frequency.value == 880)
        held.forget()
        #expect(held.reading == nil && !held.isSounding)
    }

    @Test func `No reading and no setting crashes it or leaves the range`() {
        let seed: UInt64 = 73
        var generator = SeededGenerator(seed: seed)
        let rates = [48_000, 0, -1, .nan, .infinity, 1e-300, 1e300]
        let frequencies = [440, 880, 0, -440, .nan, .infinity, -.infinity, Double.leastNonzeroMagnitude, 1e300]
        let frames: [Int64] = [.min, .min + 1, -1, 0, 1, 256, 48_000, .max - 1, .max]
        let times: [Duration] = [.zero, .milliseconds(10), .seconds(-5), .seconds(Int64.max), .seconds(Int64.min)]
        func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &generator)] }
        var taken = 0
        for _ in 0..<2_000 {
            var held = HeldReading(
                sampleRate: one(of: rates).hertz, hold: one(of: times),
                decay: one(of: times), confirmation: one(of: times))
            for _ in 0..<8 {
                let state = one(of: [PitchState.silence, .attack, .voiced, .unvoiced])
                var reading = unvoiced(one(of: frames), state)
                reading.frequency = one(of: frequencies).hertz
                taken += held.hear(reading) ? 1 : 0
                let strength = held.strength(at: one(of: frames))
                #expect(strength >= 0 && strength <= 1 && held.strength >= 0 && held.strength <= 1, "seed \(seed)")
                #expect(held.reading.map { $0.frequency.value > 0 && $0.frequency.value < 1e9 } ?? true)
            }
        }
        #expect(taken > 200)
    }

    @Test func `A thousand readings make no heap call`() {
        var held = held440()
        let readings = (11...1_010 as ClosedRange<Int64>).map { hop in
            hop % 200 < 100 ? voiced(hop * 256, hop % 7 == 0 ? 880 : 440) : unvoiced(hop * 256)
        }
        var (sum, taken, index) = (0.0, 0, 0)
        allocation_probe_reset()
        while index < 1_000 {
            if held.hear(readings[index]) { taken += 1 }
            sum += held.strength
            if let reading = held.reading { sum += reading.frequency.value }
            index += 1
        }
        // An optimised build would free it as soon as it is read for the last time.
        let calls = withExtendedLifetime(readings) { allocation_probe_count() }
        allocation_probe_reset()
        let control = [Float](repeating: 0, count: Int.random(in: 99...100))
        let seen = allocation_probe_count()
        #expect(calls <= 0, "\(calls)")
        #expect(sum > 0 && taken > 300, "\(taken)")
        #expect((seen > 0 || seen == -1) && !control.isEmpty)
    }
}
