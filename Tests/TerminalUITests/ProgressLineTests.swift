import Testing

@testable import TerminalUI

@Suite struct ProgressLineTests {
    @Test func `Percent and the time left are those of a steady task`() {
        let cases: [(Double, Double?, Double, String)] = [
            (25, 100, 10, "25 %, 30 s left"), (1, 3, 100, "33 %, 3 min 20 s left"), (99.6, 100, 10, "99 %, 1 s left"),
            (1, 1_000, 10, "0 %, 2 h 46 min left"), (200, 100, 10, "100 %, 0 s left"),
            (7, nil, 65, "working for 1 min 05 s"),
            (0, 100, 5, "working for 5 s"),
        ]
        for (done, whole, elapsed, text) in cases {
            #expect(ProgressLine.text(done: done, of: whole, after: .seconds(elapsed)) == text)
        }
    }
}
