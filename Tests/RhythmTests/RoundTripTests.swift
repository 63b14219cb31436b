import Music
import Rhythm
import TestSignals
import Testing

@Suite struct RoundTripTests {
    @Test func `The figures are the means and the standard deviation of the clicks`() {
        let seed: UInt64 = 8_128
        var random = SeededGenerator(seed: seed)
        for round in 0..<100 {
            let clicks = (0..<Int.random(in: 2...40, using: &random)).map { _ in
                (
                    hidden: Double.random(in: -0.01...0.05, using: &random),
                    gain: Double.random(in: 0...2, using: &random)
                )
            }
            var trip = RoundTrip()
            for click in clicks {
                trip.add(hidden: .seconds(click.hidden), whole: .seconds(click.hidden + 0.02), gain: click.gain)
            }
            let count = Double(clicks.count)
            let mean = clicks.map(\.hidden).reduce(0, +) / count
            let squares = clicks.map { ($0.hidden - mean) * ($0.hidden - mean) }.reduce(0, +)
            // Sums of 40 numbers below 1 in doubles.
            #expect(abs(trip.hidden.inSeconds - mean) < 1e-14, "seed \(seed), round \(round)")
            #expect(abs(trip.whole.inSeconds - mean - 0.02) < 1e-14)
            #expect(abs(trip.deviation.inSeconds - (squares / (count - 1)).squareRoot()) < 1e-12)
            #expect(abs(trip.gain - clicks.map(\.gain).reduce(0, +) / count) < 1e-13)
            #expect(trip.heard == clicks.count)
        }
    }

    @Test func `One click has no deviation`() {
        var trip = RoundTrip()
        trip.add(hidden: .milliseconds(3), whole: .milliseconds(30), gain: 1)
        #expect(trip.deviation == .zero && trip.heard == 1)
    }

    @Test(arguments: [8_000, 11_025, 44_100, 48_000, 192_000])
    func `A click that is heard 0.1 s early to 0.4 s late is the one that was played`(rate: Int) {
        let train = ClickTrain(sampleRate: rate.hertz)
        #expect(train.click(heardAt: 0) == nil, "a second of silence comes first")
        for number in 0..<20 {
            let frame = train.frame(ofClick: number)
            #expect(train.place(ofFrame: frame)! == (number, 0))
            #expect(train.place(ofFrame: frame - 1).map { $0.number == number - 1 } ?? (number == 0))
            for late in [-rate / 10, 0, rate * 2 / 5 - 1] {
                #expect(train.click(heardAt: frame + Int64(late)) == number, "\(late) frames late")
            }
        }
    }
}
