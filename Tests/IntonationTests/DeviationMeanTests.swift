import Foundation
import Intonation
import Music
import Testing

@Suite struct DeviationMeanTests {
    /// The means of a vibrato around a deviation, eight times a second from when they are settled.
    private func means(of centre: Double, swing: Double, rate: Double, _ response: Response) -> [Double] {
        var mean = DeviationMean()
        mean.response = response
        var means: [Double] = []
        for i in 0..<600 {
            let seconds = Double(i) * 256 / 48_000
            let cents = centre + swing * sin(2 * .pi * rate * seconds + 1)
            mean.add(cents.cents, error: 1.cents, at: seconds, isNew: i == 0)
            if i % 23 == 0, mean.isSettled, let found = mean.mean { means.append(found.deviation.value) }
        }
        return means
    }

    @Test(arguments: [4.0, 4.5, 5, 5.5, 6, 7, 8])
    func `A vibrato of 25 cents does not move the mean by more than 1.5 cents`(rate: Double) {
        // The window's side lobes are at -31 dB: 0.7 cents. A hop more or less in the window makes the rest.
        let means = means(of: 0, swing: 25, rate: rate, .steady)
        #expect(means.count > 15 && means.allSatisfy { abs($0) < 1.5 }, "\(rate) Hz: \(means)")
        #expect(self.means(of: 10, swing: 25, rate: rate, .slow).allSatisfy { abs($0 - 10) < 1 })
    }

    @Test func `Fast follows the swing`() {
        #expect(means(of: 0, swing: 25, rate: 5, .fast).contains { abs($0) > 10 })
    }

    @Test func `A steady note has its mean at once, and the error of its readings`() throws {
        var mean = DeviationMean()
        #expect(mean.mean == nil)
        mean.add(7.cents, error: 2.cents, at: 0, isNew: true)
        #expect(try #require(mean.mean).deviation == 7.cents && mean.mean?.error == 2.cents)
        // It has its word when it could not be the crest of a vibrato: after a tenth of a second.
        #expect(!mean.isSettled)
        mean.add(7.cents, error: 2.cents, at: 0.101, isNew: false)
        #expect(mean.isSettled)
        // Another note begins anew.
        mean.add((-20).cents, error: 1.cents, at: 0.01, isNew: true)
        #expect(try #require(mean.mean).deviation == (-20).cents)
    }
}
