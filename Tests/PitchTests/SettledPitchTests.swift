import Testing

@testable import Pitch

@Suite struct SettledPitchTests {
    @Test func `A window that grows takes over, one that does not is averaged`() {
        var pitch = SettledPitch()
        pitch.add(1, variance: 1, window: 0.3, after: 0.00533, share: 1.0 / 7)
        #expect(pitch.fundamental == 1)
        // Twice the window: an eighth of the variance.
        pitch.add(2, variance: 0.125, window: 0.3, after: 0.00533, share: 1.0 / 7)
        #expect(abs(pitch.fundamental - 1.875) < 1e-12)
        let before = pitch.fundamental
        pitch.add(2, variance: 0.3, window: 0.3, after: 0.00533, share: 1.0 / 7)
        // 5.33 ms of 43.
        #expect(abs(pitch.fundamental - before - 0.1244 * (2 - before)) < 1e-4)
    }

    @Test func `The variance of the mean is less than that of a fit, as its age says`() {
        var pitch = SettledPitch()
        pitch.add(1, variance: 4, window: 0.3, after: 0.00533, share: 1.0 / 7)
        #expect(pitch.variance(window: 0.3) == 4)
        for _ in 0..<100 { pitch.add(1, variance: 4, window: 0.3, after: 0.00533, share: 1.0 / 7) }
        // A share s of news leaves a mean age of (1 - s) / s steps: 37.5 ms of 300.
        let expected = 4 * PitchInnovation.noiseShare(age: 0.0375, spacing: 0.00533, window: 0.3)
        #expect(abs(pitch.variance(window: 0.3) / expected - 1) < 0.01)
        #expect(expected < 4 && expected > 2)
    }

    @Test func `After a move the mean begins with the last reading`() {
        var pitch = SettledPitch(1, variance: 1)
        pitch.add(2, variance: 1, window: 0.3, after: 0.00533, share: 1.0 / 7)
        #expect(abs(pitch.fundamental - 1.1244) < 1e-4)
    }
}
