import Realtime
import Testing

@Suite struct DenormalGuardTests {
    /// Halves the smallest normal number where the optimiser cannot see the values.
    @inline(never) private func half(_ x: Float) -> Float { x * 0.5 }

    @Test func `Denormal results are zero while the guard lives, and come back after it`() {
        let tiny = Float.leastNormalMagnitude
        #expect(half(tiny) > 0, "the control: without a guard the result is denormal")
        do {
            let denormals = DenormalGuard()
            #expect(half(tiny) == 0)
            _ = consume denormals
        }
        #expect(half(tiny) > 0)
    }
}
