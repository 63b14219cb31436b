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
    /// Change a voice (from 0) to this pitch without a jump of phase.
    case pitch(Hertz, voice: Int)
    /// Change the level, within some hundredths of a second.
    case level(Decibels)
    /// Fade out.
    case release
}

/// A reference tone, or up to four at once.
///
/// Each partial is a complex number multiplied by a constant rotation and normalised every block, so that the frequency is
/// exact to the precision of `Double` however long it sounds. `render` neither allocates nor locks.
package struct ToneGenerator: ~Copyable, Sendable {
    private static let partialsOfVoice = 12
    /// A chord of four voices.
    package static let mostVoices = 4

    private struct Partial: BitwiseCopyable, Sendable {
        var real = 1.0, imaginary = 0.0
        var stepReal = 1.0, stepImaginary = 0.0
        var number = 1.0, amplitude = 0.0
        /// The factor of the amplitude per sample.
        var decay = 1.0, envelope = 1.0
        /// Whether it lies below 0.45 of the sample rate.
        var isAudible = true
    }

    private let sampleRate: Double
    private let color: ToneColor
    private let partialCount: Int
    /// The level that was asked for, and the one that sounds.
    private var level: Double, loudness: Double
    private var commands: SPSCRing<ToneCommand>.Consumer
    private var partials = InlineArray<48, Partial>(repeating: Partial())
    private var gain = 0.0, goal = 1.0
    private var untilPluck = 0

    /// Tones that reach full level within 10 ms.
    ///
    /// - Parameters:
    ///   - frequencies: of the first partial of each voice, one to four; partials above 0.45 of the sample rate stay silent.
    ///   - level: the peak of all together below full scale.
    package init(
        frequencies: [Hertz], color: ToneColor, level: Decibels = (-12.0).decibels, sampleRate: Hertz,
        commands: consuming SPSCRing<ToneCommand>.Consumer
    ) {
        precondition((1...Self.mostVoices).contains(frequencies.count), "one to four tones at once")
        self.sampleRate = sampleRate.value
        self.color = color
        self.commands = commands
        self.level = level.amplitude
        loudness = level.amplitude
        partialCount = frequencies.count * Self.partialsOfVoice
        for k in 0..<partialCount {
            let rank = k % Self.partialsOfVoice
            let number = Double(rank + 1)
            partials[k].number = number
            switch color {
            case .sine: partials[k].amplitude = rank == 0 ? 1 : 0
            case .organ:
                // A principal chorus: 8', 4', 2 2/3', 2', 1 3/5', 1 1/3', 1'.
                let ranks: InlineArray<12, Double> = [0.42, 0.26, 0.12, 0.1, 0.04, 0.03, 0, 0.03, 0, 0, 0, 0]
                partials[k].amplitude = ranks[rank]
            case .plucked:
                // Plucked at a fifth of the string: sin(πk/5)/k². Higher partials decay faster.
                partials[k].amplitude = 0.75 * abs(rt_sin(.pi * number / 5)) / (number * number) / 0.95
                partials[k].decay = rt_exp(-(0.7 + 0.35 * number) / sampleRate.value)
            }
            partials[k].amplitude /= Double(frequencies.count)
        }
        for (voice, frequency) in frequencies.enumerated() { tune(voice, to: frequency) }
    }

    /// Overwrites `frames` with the next samples.
    @_noLocks package mutating func render(into frames: inout MutableSpan<Float>) {
        while let command = commands.pop() {
            switch command {
            case .pitch(let frequency, let voice):
                tune(voice, to: frequency)
                untilPluck = 0
            case .level(let level): self.level = level.amplitude
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
            for k in 0..<partialCount where partials[k].isAudible && partials[k].amplitude > 0 {
                let (real, imaginary) = (partials[k].real, partials[k].imaginary)
                sum += partials[k].amplitude * partials[k].envelope * imaginary
                partials[k].envelope *= partials[k].decay
                partials[k].real = real * partials[k].stepReal - imaginary * partials[k].stepImaginary
                partials[k].imaginary = real * partials[k].stepImaginary + imaginary * partials[k].stepReal
            }
            gain += max(-slope, min(slope, goal - gain))
            loudness += slope * (level - loudness)
            frames[index] = Float(sum * gain * loudness)
        }
        for k in 0..<partialCount {
            let (real, imaginary) = (partials[k].real, partials[k].imaginary)
            let length = rt_sqrt(real * real + imaginary * imaginary)
            partials[k].real = real / length
            partials[k].imaginary = imaginary / length
        }
    }

    @_noLocks private mutating func pluck() {
        for k in 0..<partialCount {
            partials[k].envelope = 1
            // From sin(0), so that the attack begins at zero.
            partials[k].real = 1
            partials[k].imaginary = 0
        }
        untilPluck = Int(3 * sampleRate)
    }

    @_noLocks private mutating func tune(_ voice: Int, to frequency: Hertz) {
        let first = voice * Self.partialsOfVoice
        guard voice >= 0, first < partialCount else { return }
        for k in first..<first + Self.partialsOfVoice {
            let heard = frequency.value * partials[k].number
            let angle = 2 * Double.pi * heard / sampleRate
            partials[k].isAudible = heard < 0.45 * sampleRate
            partials[k].stepReal = rt_cos(angle)
            partials[k].stepImaginary = rt_sin(angle)
        }
    }
}
