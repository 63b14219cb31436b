internal import CRealtime
internal import Spectral

/// Searches a recording for known waveforms with matched filters.
///
/// In white noise no detector of a known waveform misses fewer. A place counts where the filter's output exceeds seven
/// standard deviations of the noise around it, which noise by itself does less than once a day.
/// - SeeAlso: Turin, "An introduction to matched filters", IRE Trans. Information Theory 6(3), 1960.
internal struct ClickSearch: ~Copyable {
    private let layout: PassageLayout
    private let spacing: Int
    private var fft: RealFFT
    /// The conjugate spectra of the waveforms, and their energies.
    private let waveforms: [MatchedFilter]
    private let filters: [(spectrum: [SIMD2<Float>], energy: Double)]
    /// Samples that are still needed: the first has the index `start`.
    private var samples: [Float]
    private var start: Int
    private var found: [Hit] = []
    /// The most places that are kept, and whether there were more.
    private let most: Int
    internal private(set) var isFull = false

    /// A place where the recording is like a waveform.
    internal struct Hit: Sendable {
        /// The number of the waveform.
        internal let kind: Int
        internal let passage: ClickPassage
        /// How strong the click is there, and how many standard deviations of the noise that is.
        internal let strength: Double, score: Double
    }

    /// Standard deviations of the noise.
    private static let least = 7.0
    /// The least gain: what is quieter is an echo, or another instrument.
    private let quietest: Double

    /// - Parameters:
    ///   - waveforms: of `layout.count` samples each.
    ///   - quietest: the least gain relative to the waveform.
    ///   - most: the most places that are kept.
    internal init(
        for waveforms: [[Float]], quietest: Double, layout: PassageLayout, spacing: Int, most: Int
    ) throws(SpectralError) {
        (self.layout, self.spacing, self.quietest, self.most) = (layout, spacing, quietest, most)
        // About a third of a second: long enough that a click does not change the noise that is measured.
        var size = 512
        while size < layout.rate / 3 + 2 * layout.count { size *= 2 }
        var fft = try RealFFT(size: size)
        filters = waveforms.map { waveform in
            for n in 0..<size { fft.samples[n] = n < waveform.count ? waveform[n] : 0 }
            fft.forward()
            let spectrum = (0..<fft.binCount).map { SIMD2(fft.spectrum[$0].x, -fft.spectrum[$0].y) }
            return (spectrum, waveform.reduce(0.0) { $0 + Double($1) * Double($1) })
        }
        self.fft = fft
        self.waveforms = waveforms.map { MatchedFilter($0) ?? MatchedFilter(silentFor: $0.count) }
        // A click at the very beginning has a passage that begins before it.
        start = -(layout.reach + layout.quiet + layout.before)
        samples = [Float](repeating: 0, count: -start)
    }

    internal mutating func process(_ block: borrowing Span<Float>) {
        for i in block.indices { samples.append(block[i]) }
        while samples.count >= needed { step(fft.size - layout.count - layout.reach - layout.quiet) }
    }

    /// The samples of a block and of the passages at its end.
    private var needed: Int { fft.size + layout.reach + layout.long - layout.count }

    /// Ends the recording; returns what was found.
    internal consuming func finish() -> [Hit] {
        samples += [Float](repeating: 0, count: needed)
        while samples.count >= needed { step(fft.size - layout.count - layout.reach - layout.quiet) }
        // What is much less like its waveform than noise explains is another sound.
        var found = found.filter { hit in
            let (lag, count) = (hit.passage.lag, layout.count)
            let share = hit.passage.share(at: lag, count: count, quiet: layout.quiet)
            let likeness = hit.passage.samples.withUnsafeBufferPointer { waveforms[hit.kind].likeness($0, at: lag) }
            return likeness >= 0.7 * rt_sqrt(share) - 0.08
        }
        // What is hardly more than noise and much weaker than the others is chance.
        let medians = Dictionary(grouping: found, by: \.kind).mapValues { hits in
            hits.map(\.strength).sorted()[hits.count / 2]
        }
        found.removeAll { $0.score < 12 && $0.strength < 0.6 * (medians[$0.kind] ?? 0) }
        return found
    }

    /// Searches one block, and moves on by `length` samples.
    private mutating func step(_ length: Int) {
        for n in 0..<fft.size { fft.samples[n] = samples[n] }
        fft.forward()
        let spectrum = Array(fft.spectrum)
        var hits: [(kind: Int, lag: Int, strength: Double, score: Double)] = []
        for (kind, filter) in filters.enumerated() where filter.energy > 0 {
            for (k, (x, t)) in zip(spectrum, filter.spectrum).enumerated() {
                fft.spectrum[k] = SIMD2(x.x * t.x - x.y * t.y, x.x * t.y + x.y * t.x)
            }
            fft.inverse()
            // Lags whose windows lie in this block, without those that the block before had.
            let lags = (layout.reach + layout.quiet)..<(length + layout.reach + layout.quiet)
            let output = lags.map { fft.samples[$0] / Float(fft.size) }
            let before = (0..<lags.lowerBound).map { abs(fft.samples[$0]) / Float(fft.size) }
            // The median of the absolute values, which clicks hardly change, is 0.6745 standard deviations.
            let deviation = Double(output.map { abs($0) }.sorted()[output.count / 2]) / 0.674_5
            for n in 1..<(output.count - 1) where output[n] > output[n - 1] && output[n] >= output[n + 1] {
                let (value, score) = (Double(output[n]), Double(output[n]) / max(deviation, 1e-12))
                guard score >= Self.least, value >= quietest * filter.energy else { continue }
                // What rings is like itself later on, but was louder just before.
                let earlier = n < before.count ? before[n...].max() ?? 0 : 0
                let recent = output[max(0, n - before.count)..<n].map { abs($0) }.max() ?? 0
                guard output[n] >= max(earlier, recent) else { continue }
                hits.append((kind, lags.lowerBound + n, value / filter.energy.squareRoot(), score))
            }
        }
        for hit in hits.sorted(by: { $0.lag < $1.lag }) { add(hit.kind, hit.lag, hit.strength, hit.score) }
        samples.removeFirst(length)
        start += length
    }

    /// Keeps the best of several places within `spacing`.
    private mutating func add(_ kind: Int, _ lag: Int, _ strength: Double, _ score: Double) {
        let place = start + lag
        while let last = found.last, abs(last.passage.rise.place - place) < spacing {
            guard strength > last.strength else { return }
            found.removeLast()
        }
        guard found.count < most else { return isFull = true }
        let first = lag - layout.reach - layout.quiet
        let end = min(samples.count, lag + layout.long + layout.reach)
        let rise = BandRises.Rise(place: place, ratio: 0, power: 0)
        var passage = ClickPassage(samples: Array(samples[first..<end]), start: start + first, rise: rise)
        passage.lag = layout.reach + layout.quiet
        found.append(Hit(kind: kind, passage: passage, strength: strength, score: score))
    }
}
