import Foundation
import Realtime
import Testing

@Suite struct KaiserWindowTests {
    /// I₀(x) by its integral (1/π) ∫ exp(x cos t) dt over a half turn; the rectangle rule is exact for periodic functions.
    private func bessel(_ x: Double) -> Double {
        (0..<200).reduce(0) { $0 + exp(x * cos(.pi * (Double($1) + 0.5) / 200)) } / 200
    }

    @Test(arguments: [0.0, 3, 7, 10.06]) func `The window follows its definition by the Bessel function`(beta: Double) {
        let window = KaiserWindow(beta: beta)
        for i in -10...10 {
            let x = Double(i) / 10
            let expected = bessel(beta * (1 - x * x).squareRoot()) / bessel(beta)
            #expect(abs(window.height(at: x) - expected) < 1e-14)
        }
        #expect(window.height(at: 1.001) == 0 && window.height(at: -1.001) == 0)
    }

    /// Kaiser's formula: β = 0.1102 (A - 8.7) above 50 dB.
    @Test func `A stopband of 100 dB is a shape of 10`() {
        #expect(KaiserWindow(stopband: 100).height(at: 0.5) == KaiserWindow(beta: 0.1102 * 91.3).height(at: 0.5))
    }
}
