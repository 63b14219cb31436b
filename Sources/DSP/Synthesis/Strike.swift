/// A click that sounds.
internal struct Strike: BitwiseCopyable, Sendable {
    /// 0: silent, the place is free.
    internal var framesLeft = 0
    /// Frames until it begins to sound, and frames until its own frame.
    internal var wait = 0, untilFrame = 0, layer = 0, kernel = 0
    /// How many of its last frames are faded; 0: it ends by itself.
    internal var fade = 0
    /// How many frames of a word whose beginning is missing still fade in, of how many.
    internal var riseLeft = 0, rise = 0
    internal var gain: Float = 0
    internal var attack = SIMD8<Float>()
    /// Eight computed samples, and the index of the next one.
    internal var pending = SIMD8<Float>()
    internal var lane = 0
    /// The number of computed samples, the number of partials of a voice that still sound, and whether a recording lies between
    /// two frames.
    internal var played = 0, soundingPartials = 0
    internal var isDelayed = false

    @_noLocks internal init() {}
}
