import CAllocationProbe
import Testing

@inline(never) private func makeArray(_ count: Int) -> [Int] { Array(0..<count) }

/// The control of every test that asserts "no heap call": a probe that sees nothing proves nothing.
func probeSeesAnArrayBeingMade() -> Bool {
    allocation_probe_reset()
    let array = makeArray(1_000)
    return allocation_probe_count() > 0 && array.count == 1_000
}

@Suite struct AllocationProbeTests {
    @Test func `The probe counts the calls of this thread`() {
        #expect(probeSeesAnArrayBeingMade())
        allocation_probe_reset()
        #expect(allocation_probe_count() == 0)
    }
}
