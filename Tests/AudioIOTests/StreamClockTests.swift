@testable import AudioIO
import Music
import TestSignals
import Testing

/// A clock fed by a card that is `ppm` fast, each observation scattered by `jitter` seconds (standard deviation).
private func clock(
    ppm: Double, jitter: Double, seconds: Double, period: Int = 256, using random: inout SeededGenerator
) -> (clock: StreamClock, last: Int64) {
    var clock = StreamClock(sampleRate: 48.kilohertz)
    var frame: Int64 = 0
    while Double(frame) < seconds * 48_000 {
        let time = 5 + Double(frame) / (48_000 * (1 + ppm * 1e-6)) + jitter * random.normal()
        clock.observe(frame: frame, at: MonotonicTime(nanoseconds: Int64(time * 1e9)))
        frame += Int64(period)
    }
    return (clock, frame)
}

@Suite struct StreamClockTests {
    @Test func `A clock that has seen nothing knows nothing`() {
        let clock = StreamClock(sampleRate: 48.kilohertz)
        #expect(!clock.isRunning && clock.time(ofFrame: 0) == nil && clock.frame(at: .now()) == nil)
    }

    @Test func `From the first observation on frames have times`() throws {
        var clock = StreamClock(sampleRate: 48.kilohertz)
        clock.observe(frame: 480, at: MonotonicTime(nanoseconds: 1_000_000_000))
        #expect(clock.time(ofFrame: 480)?.nanoseconds == 1_000_000_000)
        #expect(clock.time(ofFrame: 48_480)?.nanoseconds == 2_000_000_000)
        #expect(clock.frame(at: MonotonicTime(nanoseconds: 500_000_000)) == 480 - 24_000)
    }

    /// The line is exact, so what remains is the prior's pull on the slope, below 0.1 ppm after 20 s, and rounding
    /// to nanoseconds.
    @Test func `Without scatter the card's rate is found and every frame has its time`() throws {
        var random = SeededGenerator(seed: 1)
        for ppm in [-300.0, -50, 0, 7, 200] {
            let (clock, last) = clock(ppm: ppm, jitter: 0, seconds: 20, using: &random)
            #expect(abs(clock.rateError.value - ppm) < 0.1, "\(clock.rateError.value) for \(ppm)")
            let time = try #require(clock.time(ofFrame: last))
            let truth = 5 + Double(last) / (48_000 * (1 + ppm * 1e-6))
            #expect(abs(Double(time.nanoseconds) / 1e9 - truth) < 1e-6)
        }
    }

    /// Scatter 100 µs, 188 observations a second, an effective window of 10 s: the place is known to
    /// about 2 · 100 µs / √1,880 = 5 µs (1 σ at the window's end); 6 σ for a hundred cases.
    @Test func `A scatter of a tenth of a millisecond is averaged out`() throws {
        let seed: UInt64 = 21
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var worst = 0.0
        for _ in 0..<100 {
            let ppm = Double.random(in: -200...200, using: &random)
            let (clock, last) = clock(ppm: ppm, jitter: 1e-4, seconds: 30, using: &random)
            let truth = 5 + Double(last) / (48_000 * (1 + ppm * 1e-6))
            let time = try #require(clock.time(ofFrame: last))
            worst = max(worst, abs(Double(time.nanoseconds) / 1e9 - truth))
            let back = try #require(clock.frame(at: time))
            #expect(abs(back - last) <= 1)
        }
        print("worst error of the heard moment: \(worst * 1e6) µs")
        #expect(worst < 30e-6)
    }

    @Test func `After a loss the place is new and the rate is remembered`() throws {
        var random = SeededGenerator(seed: 3)
        var (clock, last) = clock(ppm: 150, jitter: 2e-5, seconds: 30, using: &random)
        let before = clock.rateError
        clock.reanchor()
        let time = MonotonicTime(nanoseconds: 99_000_000_000)
        clock.observe(frame: last, at: time)
        #expect(abs((try #require(clock.time(ofFrame: last)) - time).inSeconds) < 1e-6)
        #expect(abs(clock.rateError.value - before.value) < 1)
    }

    @Test func `A day of frames loses no precision`() throws {
        var clock = StreamClock(sampleRate: 192.kilohertz)
        let end: Int64 = 192_000 * 86_400
        for frame in stride(from: 0, through: end, by: 192_000) {
            clock.observe(frame: frame, at: MonotonicTime(nanoseconds: frame / 192_000 * 1_000_000_000))
        }
        let time = try #require(clock.time(ofFrame: end))
        #expect(abs(time.nanoseconds - 86_400_000_000_000) < 10)
    }
}
