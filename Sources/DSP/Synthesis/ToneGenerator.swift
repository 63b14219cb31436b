private import CRealtime
package import Music
package import Realtime

/// What a reference tone sounds like.
package enum ToneColor: String, Sendable, CaseIterable {
    case sine
    /// Eight sustained partials, as of organ pipes: easier to tune to than a sine.
    case organ
    /// A string plucked every three seconds.
    case plucked
}

/// A command to a running tone.
package enum ToneCommand: Sendable, BitwiseCopyable {
    /// Change to this pitch without a jump of phase.
    case pitch(Hertz)
    /// Fade out.
    case release
}

/// A reference tone.
///
/// Each partial is a complex number multiplied by a constant rotation and normalised every block, so that the frequency is
/// exact to the precision of `Double` however long it sounds. `render` neither allocates nor locks.
package struct ToneGenerator: ~Copyable, Sendable {
    private static let maximumPartials = 12

    private struct Partial: BitwiseCopyable, Sendable {
        var real = 1.0, imaginary = 0.0
        var stepReal = 1.0, stepImaginary = 0.0
        var number = 1.0, amplitude = 0.0
        /// The factor of the amplitude per sample.
        var decay = 1.0, envelope = 1.0
    }

    private let sampleRate: Double
    private let color: ToneColor
    private let level: Double
    private var commands: SPSCRing<ToneCommand>.Consumer
    private var partials = InlineArray<12, Partial>(repeating: Partial())
    private var gain = 0.0, goal = 1.0
    private var untilPluck = 0

    /// A tone that reaches full level within 10 ms. Does not allocate.
    ///
    /// - Parameters:
    ///   - frequency: of the first partial; partials above 0.45 of the sample rate stay silent.
    ///   - level: its peak below full scale.
    package init(
        frequency: Hertz, color: ToneColor, level: Decibels = (-12.0).decibels, sampleRate: Hertz,
        commands: consuming SPSCRing<ToneCommand>.Consumer
    ) {
        self.sampleRate = sampleRate.value
        self.color = color
        self.level = level.amplitude
        self.commands = commands
        for k in 0..<Self.maximumPartials {
            let number = Double(k + 1)
            partials[k].number = number
            switch color {
            case .sine: partials[k].amplitude = k == 0 ? 1 : 0
            case .organ:
                // A principal chorus: 8', 4', 2 2/3', 2', 1 3/5', 1 1/3', 1'.
                let ranks: InlineArray<12, Double> = [0.42, 0.26, 0.12, 0.1, 0.04, 0.03, 0, 0.03, 0, 0, 0, 0]
                partials[k].amplitude = ranks[k]
            case .plucked:
                // Plucked at a fifth of the string: sin(πk/5)/k². Higher partials decay faster.
                partials[k].amplitude = 0.75 * abs(rt_sin(.pi * number / 5)) / (number * number) / 0.95
                partials[k].decay = rt_exp(-(0.7 + 0.35 * number) / sampleRate.value)
            }
        }
        tune(to: frequency)
    }

    /// Overwrites `frames` with the next samples.
    @_noLocks package mutating func render(into frames: inout MutableSpan<Float>) {
        while let command = commands.pop() {
            switch command {
            case .pitch(let frequency): tune(to: frequency)
            case .release: goal = 0
            }
        }
        // A ramp of 10 ms, without a click at the beginning or the end.
        let slope = 1 / (0.01 * sampleRate)
        for index in frames.indices {
            if color == .plucked {
                if untilPluck == 0 { pluck() }
                untilPluck -= 1
            }
            var sum = 0.0
            for k in 0..<Self.maximumPartials where partials[k].amplitude > 0 {
                let (real, imaginary) = (partials[k].real, partials[k].imaginary)
                sum += partials[k].amplitude * partials[k].envelope * imaginary
                partials[k].envelope *= partials[k].decay
                partials[k].real = real * partials[k].stepReal - imaginary * partials[k].stepImaginary
                partials[k].imaginary = real * partials[k].stepImaginary + imaginary * partials[k].stepReal
            }
            gain += max(-slope, min(slope, goal - gain))
            frames[index] = Float(sum * gain * level)
        }
        for k in 0..<Self.maximumPartials {
            let (real, imaginary) = (partials[k].real, partials[k].imaginary)
            let length = rt_sqrt(real * real + imaginary * imaginary)
            partials[k].real = real / length
            partials[k].imaginary = imaginary / length
        }
    }

    @_noLocks private mutating func pluck() {
        for k in 0..<Self.maximumPartials {
            partials[k].envelope = 1
            // From sin(0), so that the attack begins at zero.
            partials[k].real = 1
            partials[k].imaginary = 0
        }
        untilPluck = Int(3 * sampleRate)
    }

    @_noLocks private mutating func tune(to frequency: Hertz) {
        for k in 0..<Self.maximumPartials {
            let heard = frequency.value * partials[k].number
            let angle = 2 * Double.pi * heard / sampleRate
            let isAudible = heard < 0.45 * sampleRate
            partials[k].stepReal = isAudible ? rt_cos(angle) : 1
            partials[k].stepImaginary = isAudible ? rt_sin(angle) : 0
            if !isAudible { partials[k].amplitude = 0 }
        }
    }
}
