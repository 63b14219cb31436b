/// Finds a known click in recorded sound, to a fraction of a sample.
///
/// A matched filter: the recording is correlated with the click's own waveform, and where the normalized correlation
/// peaks, there a click begins. It hears a click under noise that hides its onset, and the peak of a click of some
/// bandwidth is far sharper than its envelope.
///
/// Not for the audio thread: it allocates.
/// - SeeAlso: Turin, "An introduction to matched filters", IRE Trans. Information Theory 6(3), 1960; Knapp & Carter,
///   "The generalized correlation method for estimation of time delay", IEEE Trans. ASSP 24(4), 1976.
public struct ClickFinder: Sendable {
    /// A click that was found.
    public struct Click: Sendable, Hashable {
        /// Where its first sample lies in all samples taken in, counted from 0; between two samples as a rule.
        public var position: Double
        /// How alike it is: 1 is the click itself, whatever its loudness.
        public var likeness: Double
        /// How loud it is beside the click that was looked for: 1 is the same; below zero it is upside down.
        public var gain: Double
    }

    private let click: [Float]
    private let energy: Double
    private let threshold: Double
    private let spacing: Int
    /// Samples not done with: the oldest has the index `start`.
    private var samples: [Float] = []
    private var start = 0
    /// The best so far of a peak that may still rise.
    private var candidate: Click?
    private var candidateIndex = 0

    /// A finder for `click`.
    ///
    /// - Parameters:
    ///   - click: its samples, at the rate of what is searched; not all zero.
    ///   - threshold: how alike a click has to be. Loop-back gives more than 0.99, a room around 0.6, music below 0.3.
    ///   - spacing: samples in which there is one click at most; its own length at least.
    public init(click: [Float], threshold: Double = 0.5, spacing: Int) {
        let energy = click.reduce(0.0) { $0 + Double($1) * Double($1) }
        precondition(energy > 0, "silence cannot be found")
        (self.click, self.energy, self.threshold) = (click, energy, threshold)
        self.spacing = max(spacing, click.count)
    }

    /// Takes in the next samples and returns the clicks that are certain now, oldest first.
    public mutating func process(_ block: borrowing Span<Float>) -> [Click] {
        samples.reserveCapacity(samples.count + block.count)
        for i in block.indices { samples.append(block[i]) }
        return search()
    }

    /// There is no more: returns the click that was still waiting for a better one, if any.
    public mutating func finish() -> [Click] {
        samples.append(contentsOf: repeatElement(0, count: click.count + 1))
        let found = search()
        defer { candidate = nil }
        return found + (candidate.map { [$0] } ?? [])
    }

    private mutating func search() -> [Click] {
        var found: [Click] = []
        // One sample more on either side: a peak is where both neighbours are lower.
        let last = samples.count - click.count - 1
        guard last > 1 else { return [] }
        var power = 0.0
        for i in 0..<click.count { power += Double(samples[1 + i]) * Double(samples[1 + i]) }
        samples.withUnsafeBufferPointer { values in
            for i in 1..<last {
                if let done = candidate, start + i - candidateIndex >= spacing {
                    found.append(done)
                    candidate = nil
                }
                // -80 dB below the click: there is nothing to hear, and nothing to divide by.
                if power > energy * 1e-8, let click = peak(values, i, power) {
                    if click.likeness > candidate?.likeness ?? 0 { (candidate, candidateIndex) = (click, start + i) }
                }
                let (leaving, entering) = (Double(values[i]), Double(values[i + self.click.count]))
                power = max(0, power - leaving * leaving + entering * entering)
            }
        }
        let done = last - 1
        samples.removeFirst(done)
        start += done
        return found
    }

    /// The click at `i`, if the correlation peaks there and is high enough.
    private func peak(_ values: UnsafeBufferPointer<Float>, _ i: Int, _ power: Double) -> Click? {
        let here = correlation(values, i)
        let likeness = abs(here) / (energy * power).squareRoot()
        guard likeness >= threshold else { return nil }
        let (before, after) = (correlation(values, i - 1), correlation(values, i + 1))
        let sign = here < 0 ? -1.0 : 1
        guard sign * here >= sign * before, sign * here > sign * after else { return nil }
        // The vertex of the parabola through three points.
        let curvature = before - 2 * here + after
        let shift = curvature == 0 ? 0 : (before - after) / (2 * curvature)
        return Click(
            position: Double(start + i) + max(-0.5, min(0.5, shift)), likeness: likeness, gain: here / energy)
    }

    /// Σ click[k] · values[i + k].
    private func correlation(_ values: UnsafeBufferPointer<Float>, _ i: Int) -> Double {
        let window = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: values[i..<(i + click.count)]))
        return click.withUnsafeBytes { bytes in
            var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var at = 0
            let wide = 16 * MemoryLayout<Float>.stride
            while at + wide <= bytes.count {
                first +=
                    bytes.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
                    * window.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
                second +=
                    bytes.loadUnaligned(fromByteOffset: at + wide / 2, as: SIMD8<Float>.self)
                    * window.loadUnaligned(fromByteOffset: at + wide / 2, as: SIMD8<Float>.self)
                at += wide
            }
            var sum = Double((first + second).sum())
            while at < bytes.count {
                sum +=
                    Double(bytes.loadUnaligned(fromByteOffset: at, as: Float.self))
                    * Double(window.loadUnaligned(fromByteOffset: at, as: Float.self))
                at += MemoryLayout<Float>.stride
            }
            return sum
        }
    }

    /// A click that is good to find: a sweep from 1 to 8 kHz within 4 ms, fading in and out (Hann).
    ///
    /// Its correlation peak is an eighth of a millisecond wide, and a telephone's microphone passes most of it.
    public static func sweep(sampleRate: Int) -> [Float] {
        let count = max(16, sampleRate / 250)
        let (low, high) = (1_000.0, min(8_000, 0.4 * Double(sampleRate)))
        return (0..<count).map { n in
            let (x, seconds) = (Double(n) / Double(count), Double(n) / Double(sampleRate))
            let turns = low * seconds + (high - low) * seconds * x / 2
            let window = 0.5 - 0.5 * cosine(2 * .pi * (Double(n) + 0.5) / Double(count))
            return Float(0.7 * window * cosine(2 * .pi * turns))
        }
    }
}
