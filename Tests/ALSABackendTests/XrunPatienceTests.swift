@testable import ALSABackend
import AudioIO
import Testing

@Suite struct XrunPatienceTests {
    private func exhaustions(_ seconds: [Double]) -> [Int] {
        var patience = XrunPatience()
        return seconds.enumerated().filter {
            patience.isExhausted(xruns: $0 + 1, at: MonotonicTime(nanoseconds: Int64($1 * 1e9)))
        }.map(\.offset)
    }

    @Test func `Two xruns within ten seconds are too many, one is not, and each pair counts once`() {
        #expect(exhaustions([5]) == [])
        #expect(exhaustions([5, 15.1, 25.2, 35.3]) == [])
        #expect(exhaustions([5, 14.9]) == [1])
        #expect(exhaustions([5, 6, 7, 8]) == [1, 3])
        #expect(exhaustions([5, 20, 29, 31, 32]) == [2, 4])
    }

    @Test func `Without a new xrun nothing happens`() {
        var patience = XrunPatience()
        for second in 0..<20 as Range<Int64> {
            let isExhausted = patience.isExhausted(xruns: 0, at: MonotonicTime(nanoseconds: second * 100_000_000))
            #expect(!isExhausted)
        }
    }
}
