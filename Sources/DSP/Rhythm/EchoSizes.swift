internal import CRealtime
internal import Music
internal import Spectral

/// The lengths that a click canceller works with at one sample rate.
internal struct EchoSizes: Sendable {
    let sampleRate: Double
    /// Samples of a frame, 21.3 ms; frames overlap by half.
    let window: Int
    /// Samples between two frames.
    let hop: Int
    /// Samples of a click and its echoes: 32 hops, 341 ms.
    let length: Int
    /// The echo begins so many samples before its predicted arrival, 1.3 ms: a filter may ring before.
    let lead: Int
    /// Frames of an echo; the first begins half a frame before it.
    let frames = 33
    /// Frequencies of a frame.
    let bins: Int

    init(sampleRate: Hertz) throws(OnsetError) {
        guard (8_000...192_000).contains(sampleRate.value) else { throw .unsupportedSampleRate(sampleRate) }
        self.sampleRate = sampleRate.value
        // A multiple of 16 without a prime factor above 5, so that half of it is a multiple of 8.
        var size = max(32, Int(sampleRate.value * 1_024 / 48_000 / 16 + 0.5) * 16)
        while !OnsetSizes.isSmooth(size) { size += 16 }
        window = size
        hop = size / 2
        length = 16 * size
        lead = size / 16
        bins = hop + 1
    }

    /// Hops of an echo.
    var hops: Int { @_noLocks get { 32 } }

    /// Cells of time and frequency of an echo.
    var cells: Int { @_noLocks get { frames * bins } }
}
