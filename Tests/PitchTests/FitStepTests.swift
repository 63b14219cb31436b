@_spi(Measurement) import Pitch
import Testing

struct FitStepTests {
    @Test func `The step that is measured finds a tone beside the model`() {
        let (model, ratio) = (2 * Double.pi * 110 / 48_000, 1.0001)
        var step = FitStep(fundamental: model, timesAsHigh: ratio, partials: 20, length: 4_096)
        // 1e-4 is 0.17 cents; a Gauss-Newton step leaves what is of second order.
        let found = step.solve() / model
        #expect(abs(found - ratio) < 1e-6, "\(found)")
        #expect(step.solve() / model == found, "and stays where it was")
    }
}
