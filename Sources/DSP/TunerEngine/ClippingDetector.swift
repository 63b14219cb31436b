/// Finds samples that were cut off at full scale.
///
/// A sound card that clips delivers its highest value several times in a row. A single sample at full scale may be music.
package struct ClippingDetector: Sendable {
    private var run = 0

    /// 0.1 % below full scale: some converters stop a few steps short of it.
    private static let fullScale: Float = 0.999
    /// Three samples: the crest of a sine at full scale has fewer above 0.999 from 1.4 % of the sample rate on, and lower
    /// tones at exactly full scale are about to clip.
    private static let shortest = 3

    package init() {}

    /// Whether a run of samples at full scale ends or goes on in the next samples.
    package mutating func process(_ samples: borrowing Span<Float>) -> Bool {
        var isClipped = false
        for i in samples.indices {
            run = abs(samples[i]) >= Self.fullScale ? run + 1 : 0
            if run >= Self.shortest { isClipped = true }
        }
        return isClipped
    }
}
