import BigInt
import Music
import Notation
import TestSignals
import Testing
import Timebase

/// round(k · 60 · rate · denominator / numerator), half upwards, in integers of any size.
private func oracle(beat: Int64, sampleRate: Int, numerator: Int64, denominator: Int64) -> Int64 {
    let above = BigInt(beat) * 60 * BigInt(sampleRate) * BigInt(denominator)
    let below = BigInt(numerator)
    return Int64((2 * above + below) / (2 * below))
}

@Suite struct BeatClockTests {
    static let tempi: [(text: String, numerator: Int64, denominator: Int64)] = [
        ("120", 120, 1), ("97.3", 973, 10), ("100/3", 100, 3), ("130", 130, 1), ("133.7", 1337, 10),
        ("250.7", 2507, 10),
    ]

    @Test(arguments: [44_100, 48_000, 96_000])
    func `A million beats of each tempo lie on the oracle's frames`(sampleRate: Int) throws {
        for (text, numerator, denominator) in Self.tempi {
            let clock = try BeatClock(sampleRate: sampleRate.hertz, tempo: Tempo(parsing: text))
            // The same arithmetic in 64 bits, which suffice for a million beats; every 997th is held against BigInt, and
            // all of them by `make bench PART=beats`.
            var misplaced = 0
            for k in 0..<Int64(1_000_000) {
                let twice = 2 * k * 60 * Int64(sampleRate) * denominator + numerator
                let expected = twice / (2 * numerator)
                if clock.frame(ofBeat: k) != expected { misplaced += 1 }
                if k % 997 == 0,
                    oracle(beat: k, sampleRate: sampleRate, numerator: numerator, denominator: denominator) != expected
                {
                    misplaced += 1
                }
            }
            #expect(misplaced == 0, "\(text) BPM at \(sampleRate) Hz")
        }
    }

    @Test func `Beats up to the 10 to the 12th are exact by arithmetic`() throws {
        var random = SeededGenerator(seed: 4_711)
        for (text, numerator, denominator) in Self.tempi {
            for sampleRate in [44_100, 48_000, 96_000, 768_000] {
                let clock = try BeatClock(sampleRate: sampleRate.hertz, tempo: Tempo(parsing: text))
                let beats =
                    [1_000_000_000_000] + (0..<100).map { _ in Int64.random(in: 0...1_000_000_000_000, using: &random) }
                for beat in beats {
                    #expect(
                        clock.frame(ofBeat: beat)
                            == oracle(
                                beat: beat, sampleRate: sampleRate, numerator: numerator, denominator: denominator))
                }
            }
        }
    }

    @Test func `The origin moves every beat by the same whole frames`() throws {
        let tempo = try Tempo(parsing: "97.3")
        let (early, late) = (
            try BeatClock(sampleRate: 44_100.hertz, tempo: tempo),
            try BeatClock(sampleRate: 44_100.hertz, tempo: tempo, origin: 12_345)
        )
        for beat in 0..<Int64(1_000) { #expect(late.frame(ofBeat: beat) - early.frame(ofBeat: beat) == 12_345) }
    }

    @Test func `Random tempi of up to nine decimals agree with the oracle`() throws {
        var random = SeededGenerator(seed: 97)
        for _ in 0..<200 {
            let denominator = Int64.random(in: 1...1_000_000_000, using: &random)
            let numerator = Int64.random(in: denominator...(denominator * 1_000), using: &random)
            let tempo = try Tempo(try #require(Ratio(numerator, denominator)))
            let sampleRate = Int.random(in: 8_000...768_000, using: &random)
            let clock = try BeatClock(sampleRate: sampleRate.hertz, tempo: tempo)
            for beat in 0..<Int64(200) {
                let expected = oracle(
                    beat: beat, sampleRate: sampleRate, numerator: numerator, denominator: denominator)
                #expect(clock.frame(ofBeat: beat) == expected)
            }
        }
    }
}
