import AudioIO
import Music
import TestSignals
import Testing

/// A card at 48 kHz whose position is asked every `period` frames, with a scatter of 20 µs.
private struct Card {
    var frame: Int64 = 0
    var seconds = 3.0
    var random = SeededGenerator(seed: 8)
    let period: Int64 = 256

    mutating func advance() -> (frame: Int64, at: MonotonicTime) {
        frame += period
        seconds += Double(period) / 48_000
        return (frame, MonotonicTime(nanoseconds: Int64((seconds + 20e-6 * random.normal()) * 1e9)))
    }
}

@Suite struct PositionWatchTests {
    private func settled(_ card: inout Card) -> PositionWatch {
        var watch = PositionWatch(sampleRate: 48_000, periodFrames: 256)
        for _ in 0..<400 {
            let (frame, time) = card.advance()
            _ = watch.observe(frame: frame, at: time)
        }
        return watch
    }

    @Test func `A stream settles in a quarter of a second and then runs as expected`() {
        var (card, findings) = (Card(), [PositionWatch.Finding]())
        var watch = PositionWatch(sampleRate: 48_000, periodFrames: 256)
        for _ in 0..<1_000 {
            let (frame, time) = card.advance()
            findings.append(watch.observe(frame: frame, at: time))
        }
        let settling = findings.prefix { $0 == .settling }.count
        #expect((46...48).contains(settling), "250 ms are 47 periods of 256 at 48 kHz, not \(settling)")
        #expect(findings.dropFirst(settling).allSatisfy { $0 == .expected })
    }

    @Test(arguments: [-5_000, -150, 150, 400, 33_600] as [Int64])
    func `Frames that vanish are found after three periods, and how many`(missing: Int64) throws {
        var card = Card()
        var watch = settled(&card)
        card.seconds += Double(missing) / 48_000
        var findings: [PositionWatch.Finding] = []
        for _ in 0..<3 {
            let (frame, time) = card.advance()
            findings.append(watch.observe(frame: frame, at: time))
        }
        for finding in findings.prefix(2) {
            guard case .stray(let suspected) = finding else { throw Failed(findings: findings) }
            #expect(abs(suspected - missing) <= 4)
        }
        guard case .jump(let found) = findings[2] else { throw Failed(findings: findings) }
        // Three times the scatter of 20 µs is 3 frames.
        #expect(abs(found - missing) <= 4)
        let (frame, time) = card.advance()
        watch.accept(frame: frame, at: time)
        let (next, then) = card.advance()
        #expect(watch.observe(frame: next, at: then) == .expected)
    }

    @Test func `One measuring that the scheduler spoilt is not a jump`() {
        var card = Card()
        var watch = settled(&card)
        for _ in 0..<50 {
            var (frame, time) = card.advance()
            // 20 ms later than it was are 960 frames.
            guard case .stray(950...970) = watch.observe(frame: frame, at: time + .milliseconds(20)) else {
                Issue.record("20 ms are a stray")
                continue
            }
            for _ in 0..<5 {
                (frame, time) = card.advance()
                #expect(watch.observe(frame: frame, at: time) == .expected)
            }
        }
    }

    private struct Failed: Error { let findings: [PositionWatch.Finding] }
}

@Suite struct TimelineLockTests {
    /// After a restart the device is `late` frames behind (or ahead); the lock has to find that number.
    @Test(arguments: [-20_000, -700, -3, 0, 2, 90, 1_000, 100_000] as [Int64])
    func `After a restart the timeline is moved to where it was, once`(late: Int64) throws {
        var card = Card()
        var lock = TimelineLock(sampleRate: 48_000, periodFrames: 256)
        #expect(lock.frame(at: .now()) == nil, "no grid before the beginning")
        for _ in 0..<400 {
            let (frame, time) = card.advance()
            #expect(lock.observe(frame: frame, at: time) == 0)
        }
        lock.restart()
        card.frame -= late
        var corrections: [Int64] = []
        for _ in 0..<200 {
            let (frame, time) = card.advance()
            let correction = lock.observe(frame: frame, at: time)
            card.frame += correction
            if correction != 0 { corrections.append(correction) }
        }
        #expect(corrections.count <= 1)
        // The mean of eight scatters of 20 µs: a third of a frame; three times that.
        #expect(abs((corrections.first ?? 0) - late) <= 1)
        // And the grid is the old one: frame 0 at 3 s.
        let zero = try #require(lock.watch.clock.time(ofFrame: 0))
        #expect(abs((zero - MonotonicTime(nanoseconds: 3_000_000_000)).inSeconds) < 30e-6)
    }

    @Test func `A gap that the device does not report is closed, too`() throws {
        var card = Card()
        var lock = TimelineLock(sampleRate: 48_000, periodFrames: 256)
        var moved: Int64 = 0
        for period in 0..<800 {
            if period == 400 { card.seconds += 0.7 }
            let (frame, time) = card.advance()
            let correction = lock.observe(frame: frame, at: time)
            card.frame += correction
            moved += correction
        }
        #expect(abs(moved - 33_600) <= 1)
    }

    @Test func `Wrong positions at the start delay the timeline and do not prevent it`() throws {
        var card = Card()
        var lock = TimelineLock(sampleRate: 48_000, periodFrames: 256)
        for period in 0..<100 {
            let (frame, time) = card.advance()
            // The 47 observations of the first 250 ms say half a second too much.
            #expect(lock.observe(frame: period < 47 ? frame + 24_000 : frame, at: time) == 0)
        }
        let (frame, time) = card.advance()
        let due = try #require(lock.frame(at: time), "there is a timeline")
        // Scatters of 20 µs, a frame each, on both sides.
        #expect(abs(due - frame) <= 4)
    }
}
