import TestSignals
import Testing

@testable import Pitch

@Suite struct PitchTrackTests {
    @Test(arguments: [2.0, 0.7, 0.2, 0.07, 0.02])
    func `The gains are those of the tracking index`(index: Double) {
        let gains = PitchTrack.Gains(index: index)
        // Kalata's definition of the index and the relation of the two gains.
        #expect(abs(gains.slope * gains.slope / (1 - gains.level) - index * index) < 1e-9 * index * index)
        #expect(abs(gains.slope - 2 * (2 - gains.level) + 4 * (1 - gains.level).squareRoot()) < 1e-12)
    }

    @Test(arguments: [2.0, 0.7, 0.2, 0.07])
    func `A steady pitch in white noise leaves the filter's variance in level and slope`(index: Double) {
        let seed: UInt64 = 207
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let gains = PitchTrack.Gains(index: index)
        var track = PitchTrack(1)
        var (level, slope, count) = (0.0, 0.0, 0.0)
        for n in 2..<60_000 {
            track.add(1 + 1e-4 * generator.normal(), number: n, gains)
            guard n > 1_000 else { continue }
            level += (track.level - 1) * (track.level - 1)
            slope += track.slope * track.slope
            count += 1
        }
        // The variance reduction of an α-β filter, from the covariance that stays as it is from step to step.
        let (a, b) = (gains.level, gains.slope)
        let whole = a * (4 - 2 * a - b)
        let (levels, slopes) = ((2 * a * a + 2 * b - 3 * a * b) / whole, 2 * b * b / whole)
        // 59,000 values of which one in 1/α is new: 400 of the slowest tell a variance to 7 %, the quickest to 1 %.
        #expect(abs(level / count / (1e-8 * levels) - 1) < 0.2, "\(level / count / (1e-8 * levels))")
        #expect(abs(slope / count / (1e-8 * slopes) - 1) < 0.2, "\(slope / count / (1e-8 * slopes))")
    }

    @Test func `A line is followed without a lag and led on`() {
        let gains = PitchTrack.Gains(index: 0.1)
        var track = PitchTrack(1)
        for n in 2...400 { track.add(1 + 1e-5 * Double(n - 1), number: n, gains) }
        #expect(abs(track.level - (1 + 1e-5 * 399)) < 1e-12 && abs(track.slope - 1e-5) < 1e-12)
        var value = 0.0
        for _ in 0..<20 { value = track.value(late: 1.5, noise: 0, share: 0.5, gains) }
        // The mean square of the slope has come to within 2⁻²⁰ of it by then; without noise all of the slope counts.
        #expect(abs(value - (1 + 1e-5 * 400.5)) < 1e-12)
        // Against noise that would give such a slope by itself it leads nowhere.
        value = track.value(late: 1.5, noise: 1e-10 / gains.slopeNoise, share: 0, gains)
        #expect(abs(value - track.level) < 1e-4 * 1.5e-5)
    }
}
