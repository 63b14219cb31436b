import CAllocationProbe
import Realtime
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct HarmonicFitsTests {
    @Test func `The two fits share nothing and stay where they are`() {
        let fits = HarmonicFits()
        let (short, long) = (fits.short, fits.long)
        short.pointee.gram.tune(fundamental: 0.1, inharmonicity: 0, partials: 5)
        long.pointee.gram.tune(fundamental: 0.2, inharmonicity: 1e-4, partials: 9)
        for k in 0...9 { (short.pointee.cosine.start[k], long.pointee.cosine.start[k]) = (Double(k), -Double(k)) }
        #expect(fits.short.pointee.gram.fundamental == 0.1 && fits.long.pointee.gram.fundamental == 0.2)
        #expect(fits.short.pointee.gram.partialCount == 5 && fits.long.pointee.gram.partialCount == 9)
        for k in 0...9 {
            #expect(fits.short.pointee.cosine.start[k] == Double(k) && fits.long.pointee.cosine.start[k] == -Double(k))
        }
        #expect(fits.short == short && fits.long == long && short != long)
    }

    @Test func `All that the two take is given back`() {
        func make() -> Double {
            let fits = HarmonicFits()
            return fits.short.pointee.gram.fundamental + fits.long.pointee.gram.fundamental
        }
        // Once before: types are made known to the runtime at their first use.
        var sum = make()
        allocation_probe_reset()
        let one = HarmonicFit()
        let taken = allocation_probe_count()
        sum += one.gram.fundamental
        allocation_probe_reset()
        sum += make()
        let calls = allocation_probe_count()
        // Two fits and the place they stand in, each call to take and each to give back.
        #expect(sum == 0 && (calls == -1 || taken > 20 && calls == 2 * (2 * taken + 1)), "\(taken), \(calls)")
    }
}
