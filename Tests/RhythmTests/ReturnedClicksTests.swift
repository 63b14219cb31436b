import Music
import Rhythm
import TestSignals
import Testing

@Suite struct ReturnedClicksTests {
    private func seconds(_ times: [Double]) -> [Duration] { times.map { .seconds($0) } }

    /// 40 clicks due every half second, heard 3 ms late, by a capture whose clock began 7 s before that of the playback and
    /// runs 50 ppm slow.
    private func clicks(losing lost: Set<Int> = []) -> ReturnedClicks {
        var clicks = ReturnedClicks()
        clicks.due = (0..<40).map { .seconds(0.5 * Double($0)) }
        for beat in 0..<40 where !lost.contains(beat) {
            let place = 0.5 * Double(beat) + 0.003
            clicks.heard.append((.seconds(7 + place * (1 + 50e-6)), .seconds(place)))
        }
        return clicks
    }

    @Test func `The clicks of a wire have the delay of the wire and the drift of its two clocks`() throws {
        let findings = try #require(clicks().findings(until: .seconds(100)))
        #expect(findings.timing.clicks == 40 && findings.lost == 0 && findings.timing.extra == 0)
        // Arithmetic in attoseconds and in doubles: far below a nanosecond.
        #expect(abs(findings.delay.inSeconds - 0.003) < 1e-12)
        #expect(abs(findings.timing.drift.value - 50) < 1e-6)
        #expect(abs(findings.length.inSeconds - 19.5 * (1 + 50e-6)) < 1e-12)
    }

    @Test func `Lost clicks are counted at both ends as well`() throws {
        let findings = try #require(clicks(losing: [0, 17, 39]).findings(until: .seconds(100)))
        #expect(findings.timing.clicks == 37 && findings.lost == 3)
    }

    /// The click due at 10 s comes at 10.003 s; the recording ended at 10.001 s.
    @Test func `A click on its way at the end is neither lost nor extra`() throws {
        var cut = clicks()
        cut.heard = cut.heard.filter { $0.place < .seconds(10.001) }
        let findings = try #require(cut.findings(until: .seconds(9.9)))
        #expect(findings.timing.clicks == 20 && findings.lost == 0 && findings.timing.extra == 0)
        let heardToo = try #require(clicks().findings(until: .seconds(9.9)))
        #expect(heardToo.timing.clicks == 20 && heardToo.lost == 0 && heardToo.timing.extra == 0)
    }

    @Test func `Fewer than three clicks give no findings`() {
        #expect(ReturnedClicks().findings(until: .seconds(1)) == nil)
        #expect(clicks(losing: Set(2..<40)).findings(until: .seconds(100)) == nil)
    }
}
