import Foundation
import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct HarmonicGramTests {
    @Test func `Every product of two partials is the sum over the samples`() {
        var generator = SeededGenerator(seed: 51)
        for _ in 0..<100 {
            let count = Int.random(in: 1...12, using: &generator)
            let length = Int.random(in: 60...300, using: &generator)
            let w = Double.random(in: 0.02...(2.8 / Double(count + 1)), using: &generator)
            let b = Bool.random(using: &generator) ? 0 : Double.random(in: 0...2e-4, using: &generator)
            var gram = HarmonicGram()
            gram.tune(fundamental: w, inharmonicity: b, partials: count)
            gram.build(length: length)
            let stride = HarmonicGram.stride
            var worst = 0.0
            for i in 0...count {
                for j in 0...count {
                    var (slope, turned, sines, cosines) = (0.0, 0.0, 0.0, 0.0)
                    for n in 0..<length {
                        let m = Double(n) - Double(length - 1) / 2
                        let (p, q) = (gram.frequency.start[i] * m, gram.frequency.start[j] * m)
                        slope += cos(p) * m * sin(q)
                        turned += sin(p) * m * cos(q)
                        sines += m * m * sin(p) * sin(q)
                        cosines += m * m * cos(p) * cos(q)
                    }
                    let at = i * stride + j
                    let scale = Double(length)
                    worst = max(worst, abs(gram.cosineSlope.start[at] - slope) / (scale * scale))
                    worst = max(worst, abs(gram.sineSlope.start[at] - turned) / (scale * scale))
                    worst = max(worst, abs(gram.sineSquare.start[at] - sines) / (scale * scale * scale))
                    worst = max(worst, abs(gram.cosineSquare.start[at] - cosines) / (scale * scale * scale))
                }
            }
            // Rounding of 300 terms, and cancellation in D1 and D2 at angles of no less than 0.02: 1e-16 / 0.02³.
            #expect(worst < 1e-9, "\(count) partials of \(w), B \(b), \(length) samples: \(worst)")
        }
    }

    @Test func `The factors multiply up to the sums of cosines and of sines`() {
        var gram = HarmonicGram()
        gram.tune(fundamental: 0.11, inharmonicity: 1e-4, partials: 9)
        gram.build(length: 200)
        let stride = HarmonicGram.stride
        for i in 1...9 {
            for j in 1...i {
                var (cosines, sines) = (0.0, 0.0)
                for n in 0..<200 {
                    let m = Double(n) - 99.5
                    cosines += cos(gram.frequency.start[i] * m) * cos(gram.frequency.start[j] * m)
                    sines += sin(gram.frequency.start[i] * m) * sin(gram.frequency.start[j] * m)
                }
                let cosineProduct = (0...j).reduce(0.0) {
                    $0 + gram.cosineFactor.start[i * stride + $1] * gram.cosineFactor.start[j * stride + $1]
                }
                let sineProduct = (1...j).reduce(0.0) {
                    $0 + gram.sineFactor.start[i * stride + $1] * gram.sineFactor.start[j * stride + $1]
                }
                // 200 terms of about 1, each rounded to 1e-16.
                #expect(abs(cosineProduct - cosines) < 1e-9 && abs(sineProduct - sines) < 1e-9)
            }
        }
    }
}
