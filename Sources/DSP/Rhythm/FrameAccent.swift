internal import CRealtime

/// How much stands out in a frame, beside the loudest of the last seconds.
internal struct FrameAccent: BitwiseCopyable, Sendable {
    /// The largest accent of the frame, and the largest of the last seconds.
    private var accent: Float = 0, loudest: Float = 0
    private let forgetting: Float
    private let exponent: Double

    /// An accent below is none, in nepers of power: what noise makes of itself.
    private static var faintest: Float { @_noLocks get { 0.1 } }

    /// - Parameter frameSeconds: how long a frame is.
    init(frameSeconds: Double, constants: TempoConstants) {
        forgetting = Float(rt_exp(-frameSeconds / Double(constants.memory)))
        exponent = Double(constants.exponent)
    }

    @_noLocks mutating func reset() { (accent, loudest) = (0, 0) }

    @_noLocks mutating func take(_ hop: Float) { accent = max(accent, hop) }

    /// The frame is over: how much stands out in it, 0 to 1.
    @_noLocks mutating func finish() -> Float {
        loudest = max(accent, loudest * forgetting)
        defer { accent = 0 }
        return accent > Self.faintest ? Float(rt_pow(Double(accent / loudest), exponent)) : 0
    }
}
