/// A click on its way: announced, being subtracted, or waiting to be learnt from.
internal struct ExpectedClick: BitwiseCopyable, Sendable {
    /// When it arrives as predicted, how far after that sample, and which sound it is.
    var frame: Int64 = 0
    var fraction = 0.0
    var sound = 0
    /// By how much later than that sample it was subtracted, in samples.
    var delay = 0.0
    /// Whether it is being subtracted or was, until its echo has ended.
    var isUnderWay = false
    /// Whether all of it was there to be learnt from.
    var isWhole = true
    /// Whether its sound was known and not silent when it began, so that it is subtracted.
    var isKnown = false
    /// Whether its sound was known and silent then.
    var isSilent = false
    @_noLocks init() {}
}
