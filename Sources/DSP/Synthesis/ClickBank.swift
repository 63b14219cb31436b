internal import CRealtime
internal import Music
internal import Realtime
internal import Timebase

/// The click sounds of a metronome at one sample rate: for each layer (voice) its normal, medium and accented level.
public struct ClickBank: ~Copyable, Sendable {
    /// How many voices can sound at once.
    public let layerCount: Int
    internal let kernels: SampleBuffer<ClickKernel>
    internal let partials: SampleBuffer<PartialKernel>

    /// The peak of the loudest level of all layers together, as a share of full scale: -2 dBFS, which leaves the room
    /// to -1 dBFS for a tail that still rings into the next blow.
    internal static let ceiling = 0.794

    /// A tail is over when it has fallen by 100 dB: below the noise of 16 bits.
    private static let tailNepers = 11.513

    /// Makes `voices` ready. Allocates: call before the stream starts.
    ///
    /// - Parameters:
    ///   - voices: one per layer, at least one.
    ///   - sampleRate: frames per second. Partials above 45 % of it are left out.
    public init(voices: [ClickVoice], sampleRate: Int) {
        precondition(!voices.isEmpty, "a bank needs at least one voice")
        layerCount = voices.count
        kernels = SampleBuffer(count: voices.count * 4, repeating: ClickKernel())
        let total = voices.reduce(0) { $0 + $1.partials.count * 3 }
        let silence = PartialKernel(amplitude: 0, angle: 1, damping: 1, attackDamping: 1)
        partials = SampleBuffer(count: total, repeating: silence)
        var filled = 0
        for (layer, voice) in voices.enumerated() {
            for level in [AccentLevel.normal, .medium, .accent] {
                var kernel = Self.kernel(of: voice, level: level, sampleRate: Double(sampleRate))
                kernel.firstPartial = filled
                for partial in Self.partials(of: voice, level: level, sampleRate: Double(sampleRate)) {
                    partials.unsafeElements[filled] = partial
                    filled += 1
                }
                kernel.partialCount = filled - kernel.firstPartial
                let peak = peakOfStrike(kernel, partials)
                let loudness = voice.expression(of: level).loudness.amplitude * Self.ceiling / Double(voices.count)
                kernel.gain = peak > 0 ? Float(loudness / peak) : 0
                kernels.unsafeElements[layer * 4 + level.number] = kernel
            }
        }
    }

    @_noLocks internal func kernelIndex(layer: Int, level: AccentLevel) -> Int { layer * 4 + level.number }

    private static func partials(of voice: ClickVoice, level: AccentLevel, sampleRate: Double) -> [PartialKernel] {
        let pitch = voice.expression(of: level).pitch
        return voice.partials.filter { $0.frequency.value * pitch < 0.45 * sampleRate }.map { partial in
            PartialKernel(
                amplitude: partial.amplitude, angle: 2 * .pi * partial.frequency.value * pitch / sampleRate,
                damping: 1 / (partial.decay * sampleRate), attackDamping: 1 / (voice.attack * sampleRate))
        }
    }

    private static func kernel(of voice: ClickVoice, level: AccentLevel, sampleRate: Double) -> ClickKernel {
        var kernel = ClickKernel()
        kernel.attackDamping = 1 / (voice.attack * sampleRate)
        for lane in 0..<8 { kernel.attackLanes[lane] = Float(rt_exp(-kernel.attackDamping * Double(lane))) }
        kernel.attackStep = Float(rt_exp(-kernel.attackDamping * 8))
        let longest = voice.partials.map(\.decay).max() ?? 0
        kernel.frameCount = Int(longest * tailNepers * sampleRate) + 8
        return kernel
    }
}

/// The peak of one click, found by rendering it. For `init` only.
private func peakOfStrike(_ kernel: ClickKernel, _ partials: borrowing SampleBuffer<PartialKernel>) -> Double {
    var peak = 0.0
    for n in 0..<min(kernel.frameCount, 20_000) {
        let t = Double(n) + 1
        var sum = 0.0
        for index in kernel.firstPartial..<(kernel.firstPartial + kernel.partialCount) {
            let partial = partials.unsafeElements[index]
            sum += partial.amplitude * rt_exp(-partial.damping * t) * rt_cos(partial.angle * t + partial.phase)
        }
        let blow = 1 - rt_exp(-kernel.attackDamping * t)
        peak = max(peak, abs(sum * blow * blow * blow))
    }
    return peak
}
