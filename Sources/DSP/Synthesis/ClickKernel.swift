internal import CRealtime
internal import Music
internal import Timebase

/// A damped sine prepared for one sample rate: eight samples take one multiplication of eight complex numbers.
internal struct PartialKernel: BitwiseCopyable, Sendable {
    /// A tail ends when it has fallen by 100 dB, below the noise of 16 bits.
    private static let tailNepers = 11.513

    /// Amplitude and phase at the start of the attack.
    internal let amplitude: Double, phase: Double
    /// Per sample: radians of rotation and nepers of decay.
    internal let angle: Double, damping: Double
    /// The rotations to the samples 0...7, and from one group of eight to the next.
    internal let laneReal: SIMD8<Float>, laneImaginary: SIMD8<Float>
    internal let stepReal: Float, stepImaginary: Float
    internal let frameCount: Int

    /// - Parameters:
    ///   - amplitude: before the envelope of the attack.
    ///   - angle: radians per sample.
    ///   - damping: nepers per sample.
    ///   - attackDamping: nepers per sample of the attack, which determine the phase that has no DC.
    internal init(amplitude: Double, angle: Double, damping: Double, attackDamping: Double) {
        frameCount = Int(Self.tailNepers / damping) + 8
        // ∫ (1 - e^(-at))³ e^(-(s - iw)t) dt = Σ binomial · 1 / (s + k·a - iw), k = 0...3; the real part of e^(iφ)
        // times this vanishes for φ = π/2 - its argument.
        let binomials: [Double] = [1, -3, 3, -1]
        var (real, imaginary) = (0.0, 0.0)
        for (k, binomial) in binomials.enumerated() {
            let s = damping + Double(k) * attackDamping
            let squared = s * s + angle * angle
            real += binomial * s / squared
            imaginary += binomial * angle / squared
        }
        self.amplitude = amplitude
        self.phase = .pi / 2 - rt_atan2(imaginary, real)
        (self.angle, self.damping) = (angle, damping)
        var (laneReal, laneImaginary) = (SIMD8<Float>(), SIMD8<Float>())
        for lane in 0..<8 {
            let decay = rt_exp(-damping * Double(lane))
            laneReal[lane] = Float(decay * rt_cos(angle * Double(lane)))
            laneImaginary[lane] = Float(decay * rt_sin(angle * Double(lane)))
        }
        (self.laneReal, self.laneImaginary) = (laneReal, laneImaginary)
        let decay = rt_exp(-damping * 8)
        stepReal = Float(decay * rt_cos(angle * 8))
        stepImaginary = Float(decay * rt_sin(angle * 8))
    }
}

/// One sound of one level, prepared for one sample rate.
internal struct ClickKernel: BitwiseCopyable, Sendable {
    /// The index of its first partial in the bank.
    internal var firstPartial = 0, partialCount = 0
    /// Nepers per sample of the attack, its samples 0...7, and the factor from eight samples to the next eight.
    internal var attackDamping = 0.0
    internal var attackLanes = SIMD8<Float>()
    internal var attackStep: Float = 0
    /// How many frames of the attack have passed on the frame of the strike.
    internal var start = 1.0
    internal var frameCount = 0
    /// A recording: the index of the silence before its first sample.
    internal var isRecorded = false
    internal var firstSample = 0
    /// A word of a count, and how many of its frames lie before its instant.
    internal var isWord = false
    internal var preRoll = 0
    /// Brings the peak to the level's loudness.
    internal var gain: Float = 0

    @_noLocks internal init() {}
}
