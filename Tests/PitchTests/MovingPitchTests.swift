import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct MovingPitchTests {
    private let constants = PitchConstants()

    @Test func `A clean glide goes through as it is`() {
        var pitch = MovingPitch(1, told: 0)
        for n in 1..<60 {
            let value = 1 + 1e-4 * Double(n)
            pitch.add(value, bound: 0, after: 0.00533, late: 0, constants)
            // A line has no bend but rounding: the tracker's weight is some 1e10 times that of the means.
            #expect(abs(pitch.fundamental - value) < 1e-9)
        }
        #expect(abs(pitch.slope - 1e-4) < 1e-9)
    }

    @Test func `A glide is led on by as many steps as it is late`() {
        var pitch = MovingPitch(1, told: 0)
        for n in 1..<60 { pitch.add(1 + 1e-4 * Double(n), bound: 0, after: 0.00533, late: 1.5, constants) }
        #expect(abs(pitch.fundamental - (1 + 1e-4 * 60.5)) < 1e-9)
    }

    @Test func `A pitch that holds still is averaged over four short windows, and says how sure it is`() {
        var generator = SeededGenerator(seed: 206)
        var pitch = MovingPitch(1, told: 0)
        var (square, variance, count) = (0.0, 0.0, 0.0)
        for n in 0..<4_000 {
            pitch.add(1 + 1e-4 * generator.normal(), bound: 1e-8, after: 0.00533, late: 0, constants)
            guard n > 50 else { continue }
            square += (pitch.fundamental - 1) * (pitch.fundamental - 1)
            variance += pitch.variance
            count += 1
        }
        // A sixteenth by the longest mean alone; the others and chance motion add as much again.
        #expect(square / count < 1e-8 / 7)
        // The mean of four mse, of which the longest means' are too high by as much as chance motion.
        #expect(variance > square && variance < 4 * square)
    }

    @Test func `A reading departs from the one before without a step`() {
        var pitch = MovingPitch(1.001, told: 1)
        pitch.add(1.001, bound: 0, after: 0.00533, late: 0, constants)
        // One step of 5.33 ms of a fade in 8 ms leaves half.
        #expect(abs(pitch.fundamental - 1.0005) < 1e-4)
        for _ in 0..<20 { pitch.add(1.001, bound: 0, after: 0.00533, late: 0, constants) }
        #expect(abs(pitch.fundamental - 1.001) < 1e-6)
    }

    @Test func `A leap of a semitone is another note and not filtered`() {
        var generator = SeededGenerator(seed: 203)
        var pitch = MovingPitch(1, told: 0)
        for _ in 0..<200 {
            pitch.add(1 + 1e-4 * generator.normal(), bound: 0, after: 0.00533, late: 0.1, constants)
        }
        #expect(pitch.fundamental != 1.06)
        pitch.add(1.06, bound: 0, after: 0.00533, late: 0.1, constants)
        #expect(pitch.fundamental == 1.06)
        #expect(MovingPitch(1.06, told: 1).fundamental == 1.06)
    }
}
