internal import CRealtime
package import Music

/// Finds a known click in recorded sound, to a fraction of a sample.
///
/// A matched filter: the recording is correlated with the click's own waveform, and a click begins where the correlation peaks
/// and, normalized, exceeds a threshold. It finds clicks under noise that hides their onset. In a room the direct sound is the
/// click: an echo that stands alone resembles it more than the direct sound does, over which the first echoes lie.
///
/// Not for the audio thread: it allocates.
/// - SeeAlso: Turin, "An introduction to matched filters", IRE Trans. Information Theory 6(3), 1960; Knapp & Carter,
///   "The generalized correlation method for estimation of time delay", IEEE Trans. ASSP 24(4), 1976.
@_spi(Measurement) public struct ClickFinder: Sendable {
    /// A click that was found.
    @_spi(Measurement) public struct Click: Sendable, Hashable {
        /// The position of its first sample among all samples taken in, from 0; usually between two samples.
        public var position: Double
        /// The normalized correlation: 1 is the click itself, at any loudness.
        public var likeness: Double
        /// The amplitude relative to the click that was looked for; negative when it is upside down.
        public var gain: Double
    }

    private let filter: MatchedFilter
    private let threshold: Double
    private let spacing: Int
    /// Samples that are still needed: the oldest has the index `start`.
    private var samples: [Float] = []
    private var start = 0
    /// The best click so far that a better one may still replace.
    private var candidate: Click?
    private var candidateIndex = 0

    /// A finder for `click`.
    ///
    /// - Parameters:
    ///   - click: its samples, at the sample rate of what is searched; not all zero.
    ///   - threshold: the least likeness. A loop-back gives more than 0.99, a room about 0.6, music less than 0.3.
    ///   - spacing: the number of samples that hold at most one click; at least the length of the click.
    public init(click: [Float], threshold: Double = 0.5, spacing: Int) {
        guard let filter = MatchedFilter(click) else { preconditionFailure("silence cannot be found") }
        (self.filter, self.threshold) = (filter, threshold)
        self.spacing = max(spacing, click.count)
    }

    /// Takes in the next samples and returns the clicks that are certain now, oldest first.
    public mutating func process(_ block: borrowing Span<Float>) -> [Click] {
        samples.reserveCapacity(samples.count + block.count)
        for i in block.indices { samples.append(safe(block[i])) }
        return search()
    }

    /// Ends the recording; returns the last click, if one was still waiting for a better one.
    public mutating func finish() -> [Click] {
        samples.append(contentsOf: repeatElement(0, count: filter.count + 1))
        let found = search()
        defer { candidate = nil }
        return found + (candidate.map { [$0] } ?? [])
    }

    private mutating func search() -> [Click] {
        var found: [Click] = []
        // One sample more on either side: a peak is higher than both of its neighbours.
        let last = samples.count - filter.count - 1
        guard last > 1 else { return [] }
        var power = 0.0
        for i in 0..<filter.count { power += Double(samples[1 + i]) * Double(samples[1 + i]) }
        samples.withUnsafeBufferPointer { values in
            for i in 1..<last {
                if let done = candidate, start + i - candidateIndex >= spacing {
                    found.append(done)
                    candidate = nil
                }
                // 80 dB below the click: silence, which has no normalized correlation.
                if power > filter.energy * 1e-8, let click = peak(values, i, power) {
                    if isBetter(click, at: start + i) { (candidate, candidateIndex) = (click, start + i) }
                }
                let (leaving, entering) = (Double(values[i]), Double(values[i + filter.count]))
                power = max(0, power - leaving * leaving + entering * entering)
            }
        }
        samples.removeFirst(last - 1)
        start += last - 1
        return found
    }

    /// Whether a later peak is the click rather than the candidate.
    ///
    /// Within the click's own length the larger is: the others are side lobes of its correlation. After that the candidate is the
    /// direct sound and the peak an echo, unless it has twice the amplitude: no wall reflects more than it receives.
    private func isBetter(_ click: Click, at index: Int) -> Bool {
        guard let candidate else { return true }
        let ratio = abs(click.gain) / abs(candidate.gain)
        return ratio > (index - candidateIndex < filter.count ? 1 : 2)
    }

    /// The click at `i`, if the correlation peaks there and is high enough.
    private func peak(_ values: UnsafeBufferPointer<Float>, _ i: Int, _ power: Double) -> Click? {
        let here = filter.correlation(values, at: i)
        let likeness = abs(here) / (filter.energy * power).squareRoot()
        guard likeness >= threshold else { return nil }
        let (before, after) = (filter.correlation(values, at: i - 1), filter.correlation(values, at: i + 1))
        let sign = here < 0 ? -1.0 : 1
        guard sign * here >= sign * before, sign * here > sign * after else { return nil }
        // The vertex of the parabola through three points.
        let curvature = before - 2 * here + after
        let shift = curvature == 0 ? 0 : (before - after) / (2 * curvature)
        return Click(
            position: Double(start + i) + max(-0.5, min(0.5, shift)), likeness: likeness, gain: here / filter.energy)
    }

    /// A click that is easy to find: a sweep from 1 to 8 kHz within 4 ms, fading in and out (Hann).
    ///
    /// Its correlation peak is an eighth of a millisecond wide, and a telephone's microphone passes most of it.
    package static func sweep(sampleRate: Hertz) -> [Float] {
        let count = max(16, Int(sampleRate.value / 250))
        let (low, high) = (1_000.0, min(8_000, 0.4 * sampleRate.value))
        return (0..<count).map { n in
            let (x, seconds) = (Double(n) / Double(count), Double(n) / sampleRate.value)
            let turns = low * seconds + (high - low) * seconds * x / 2
            let window = 0.5 - 0.5 * rt_cos(2 * .pi * (Double(n) + 0.5) / Double(count))
            return Float(0.7 * window * rt_cos(2 * .pi * turns))
        }
    }
}
