internal import Realtime

/// One click that sounds.
internal struct Strike: BitwiseCopyable, Sendable {
    /// 0: silent, the place is free.
    internal var framesLeft = 0
    /// How many frames it still waits, and how many lie before its own.
    internal var wait = 0
    internal var untilFrame = 0
    internal var layer = 0
    internal var kernel = 0
    /// The length of the fade it is in because its layer was struck again; 0: it rings freely.
    internal var fade = 0
    internal var gain: Float = 0
    internal var attack = SIMD8<Float>()
    /// The eight samples at hand, and which comes next.
    internal var pending = SIMD8<Float>()
    internal var lane = 0
    /// How many of its samples were made; of a voice how many partials have not died away, and whether a recording lies
    /// between two frames.
    internal var played = 0
    internal var soundingPartials = 0
    internal var isDelayed = false

    @_noLocks internal init() {}
}
