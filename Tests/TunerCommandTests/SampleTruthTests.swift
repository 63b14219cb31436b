import AudioIO
import Foundation
import Music
import TestCommands
import Testing

@Suite struct SampleTruthTests {
    @Test(arguments: SampleRow.all)
    func `The true pitch of the manifest is the rate at which the waveform repeats`(_ row: SampleRow) throws {
        let path = repository.appending(path: "samples/\(row.file)").path()
        let rate = try AudioFileReader(path: path).sampleRate.value
        let samples = try samples(of: path).map(Double.init)
        let steady = Array(samples[Int(row.steady.lowerBound * rate)..<Int(row.steady.upperBound * rate)])
        #expect(steady.contains { abs($0) > 0.01 }, "the steady part sounds")
        let rates = (2...8).map { periods in
            rate * Double(periods) / bestLag(of: steady, near: rate * Double(periods) / row.hertz)
        }
        let median = rates.sorted()[3]
        // The table has four decimals; a parabola through three lags is good to a thousandth of a sample.
        #expect(abs(1_200 * log2(median / row.hertz)) < 0.05, "\(row.file): \(median) Hz")
    }

    /// The lag, within 0.6 % of `lag`, at which the normalised difference (McLeod & Wyvill 2005) is highest, by the
    /// definition and not by a transform.
    private func bestLag(of samples: [Double], near lag: Double) -> Double {
        func agreement(_ lag: Int) -> Double {
            var (product, power) = (0.0, 0.0)
            for n in 0..<(samples.count - lag) {
                product += samples[n] * samples[n + lag]
                power += samples[n] * samples[n] + samples[n + lag] * samples[n + lag]
            }
            return 2 * product / power
        }
        let lags = Array(Int(lag * 0.994) - 2...Int(lag * 1.006) + 2)
        let values = lags.map(agreement)
        let best = values.indices.dropFirst().dropLast().max { values[$0] < values[$1] } ?? 0
        let (a, b, c) = (values[best - 1], values[best], values[best + 1])
        return Double(lags[best]) + 0.5 * (a - c) / (a - 2 * b + c)
    }
}
