import Foundation
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

    @Test func `A vibrato of 80 cents goes through as wide as it is, noise or not`() {
        var generator = SeededGenerator(seed: 210)
        for noise in [0, 0.3 / 1_731.234] {
            var pitch = MovingPitch(1, told: 0)
            var (inner, square) = (0.0, 0.0)
            for n in 1..<2_000 {
                // 80 cents at 5.5 Hz, a fit every 5.33 ms.
                let swing = 80 / 1_731.234 * sin(2 * .pi * 5.5 * 0.005333 * Double(n))
                pitch.add(
                    1 + swing + noise * generator.normal(), bound: noise * noise, after: 0.005333, late: 0, constants)
                guard n > 50 else { continue }
                inner += (pitch.fundamental - 1) * swing
                square += swing * swing
            }
            // The quickest tracker lags by (1 - α) / β = 0.19 steps² of the bend, 0.0065 of the swing; what the slower ones
            // have of the weight costs less.
            #expect(inner / square > 0.99 && inner / square < 1.01, "\(inner / square)")
        }
    }

    @Test func `A pitch that drifts slowly in noise is averaged and lags by less than its noise`() {
        var generator = SeededGenerator(seed: 211)
        var pitch = MovingPitch(1, told: 0)
        let noise = 0.5 / 1_731.234
        // A string that falls by 5 cents a second.
        let drift = 5 / 1_731.234 * 0.005333
        var (square, mean, change, last, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for n in 1..<4_000 {
            let truth = 1 - drift * Double(n)
            pitch.add(truth + noise * generator.normal(), bound: noise * noise, after: 0.005333, late: 0, constants)
            let error = pitch.fundamental - truth
            if n > 60 {
                square += error * error
                mean += error
                change += (error - last) * (error - last)
                count += 1
            }
            last = error
        }
        // Between the mean of sixteen fits, a quarter of their noise, and that of the quickest tracker.
        #expect((square / count).squareRoot() < 0.5 * noise, "\((square / count).squareRoot() / noise)")
        // The mean of sixteen fits is 40 ms old: 0.2 c behind if it had all the weight.
        #expect(abs(mean / count) < 0.2 / 1_731.234)
        // From one fit to the next a mean of sixteen changes by √2 / 16 of the noise, a fit by √2.
        #expect((change / count).squareRoot() < 0.3 * noise, "\((change / count).squareRoot() / noise)")
    }

    @Test func `A reading departs from the one before without a step`() {
        var pitch = MovingPitch(1.001, told: 1)
        pitch.add(1.001, bound: 0, after: 0.00533, late: 0, constants)
        // One step of 5.33 ms of a fade in 8 ms leaves half.
        #expect(abs(pitch.fundamental - 1.0005) < 1e-4)
        for _ in 0..<20 { pitch.add(1.001, bound: 0, after: 0.00533, late: 0, constants) }
        #expect(abs(pitch.fundamental - 1.001) < 1e-6)
    }

    @Test func `A vibrato is restless all the time, also where it passes the long window's mean, and noise never is`() {
        var generator = SeededGenerator(seed: 223)
        let noise = 0.2 / 1_731.234
        for trial in 0..<100 {
            let isVibrato = trial % 2 == 0
            // What hands and voices do: 4 to 8 Hz, 5 to 50 cents.
            let rate = Double.random(in: 4...8, using: &generator)
            let cents = isVibrato ? Double.random(in: 5...50, using: &generator) : 0
            var pitch = MovingPitch(1, told: 0)
            var (restless, count) = (0, 0)
            for n in 0..<300 {
                let truth = 1 + cents / 1_731.234 * sin(2 * .pi * rate * 0.005333 * Double(n))
                pitch.add(truth + noise * generator.normal(), bound: noise * noise, after: 0.005333, late: 0, constants)
                guard n >= 60 else { continue }
                count += 1
                let restlessness = pitch.restlessness(beyond: constants.leastMotion / 1_731.234)
                if restlessness > constants.restlessness { restless += 1 }
            }
            let share = Double(restless) / Double(count)
            #expect(isVibrato ? share == 1 : share == 0, "seed 223, \(trial): \(rate) Hz, \(cents) c: \(share)")
        }
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
