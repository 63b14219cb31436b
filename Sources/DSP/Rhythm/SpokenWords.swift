internal import CRealtime
package import Music
package import Spectral
package import Synthesis

/// Finds the words of a spoken count in a recording, and places each by its waveform.
///
/// The recording is correlated with the beginning of every word, from its consonant to 80 ms behind its instant: as much as a
/// fast tempo leaves of it. A place counts where the correlation coefficient reaches 0.9; of the places within 100 ms the best
/// one counts. Measured: the right word has more than 0.95, also in MP3; second syllables of other words have less than 0.86,
/// and clicks less than 0.7. Of a word that begins
/// before the recording, as the first of a rendering does, what follows its instant has to be like it; it has no kind, as its place is
/// less exact.
///
/// Not for the audio thread: it allocates.
/// - SeeAlso: Turin, "An introduction to matched filters", IRE Trans. Information Theory 6(3), 1960.
package struct SpokenWords: ~Copyable {
    private struct Word {
        /// The conjugate spectrum of its samples, their energy, and that of their differences.
        let spectrum: [SIMD2<Float>], energy: Double, slope: Double
        /// The energy of what is left of it without its first samples, as many as the index says, up to its instant.
        let tails: [Double]
        let count: Int, instant: Int
    }

    private let rate: Int
    private var fft: RealFFT
    private var words: [Word] = []
    private let longest: Int
    private var filter: HighPass
    /// Samples that are still needed: the first has the index `start`.
    private var samples: [Float] = []
    private var start: Int
    /// The words so far, in their order. Their instants are known: they have the kind 0.
    package private(set) var found: [RecordedClicks.Click] = []
    private var likenesses: [Double] = []

    /// The least correlation coefficient.
    private static let least = 0.9

    /// - Parameters:
    ///   - count: the words, at the rate of the recording.
    ///   - sampleRate: of the recording.
    package init(of count: RecordedClick, sampleRate: Hertz) throws(SpectralError) {
        rate = Int(sampleRate.value.rounded())
        filter = HighPass(sampleRate: rate)
        var heads: [(samples: [Float], instant: Int)] = []
        for word in count.words.compactMap({ $0 }) {
            var filter = HighPass(sampleRate: rate)
            let head = word.samples.prefix(word.instant + rate * 8 / 100)
            heads.append((head.map { filter.next($0) }, word.instant))
        }
        longest = heads.reduce(1) { max($0, $1.samples.count) }
        var size = 4_096
        while size < 4 * longest { size *= 2 }
        var fft = try RealFFT(size: size)
        for head in heads {
            for n in 0..<size { fft.samples[n] = n < head.samples.count ? head.samples[n] : 0 }
            fft.forward()
            let spectrum = (0..<fft.binCount).map { SIMD2(fft.spectrum[$0].x, -fft.spectrum[$0].y) }
            let energy = head.samples.reduce(0.0) { $0 + Double($1) * Double($1) }
            let slope = zip(head.samples, head.samples.dropFirst()).reduce(0.0) { sum, pair in
                sum + Double(pair.1 - pair.0) * Double(pair.1 - pair.0)
            }
            guard energy > 0, slope > 0 else { continue }
            var tails = [energy]
            for sample in head.samples.prefix(head.instant) {
                tails.append(tails[tails.count - 1] - Double(sample) * Double(sample))
            }
            words.append(
                Word(
                    spectrum: spectrum, energy: energy, slope: slope, tails: tails, count: head.samples.count,
                    instant: head.instant))
        }
        self.fft = fft
        // Silence before the recording, which may begin in the middle of a word.
        start = -longest
        samples = [Float](repeating: 0, count: longest)
    }

    /// Takes in the next samples.
    package mutating func process(_ block: borrowing Span<Float>) {
        for i in block.indices { samples.append(filter.next(safe(block[i]))) }
        while samples.count >= fft.size { step() }
    }

    /// Ends the recording.
    package mutating func finish() {
        samples += [Float](repeating: 0, count: fft.size)
        step()
    }

    private mutating func step() {
        let length = fft.size - longest
        var energies = [0.0]
        energies.reserveCapacity(fft.size + 1)
        for n in 0..<fft.size {
            fft.samples[n] = samples[n]
            energies.append(energies[n] + Double(samples[n]) * Double(samples[n]))
        }
        fft.forward()
        let spectrum = Array(fft.spectrum)
        // What is 60 dB below the loudest is silence or the end of something.
        let quietest = 1e-6 * energies[fft.size]
        var hits: [(click: RecordedClicks.Click, likeness: Double)] = []
        for word in words {
            for (k, (x, t)) in zip(spectrum, word.spectrum).enumerated() {
                fft.spectrum[k] = SIMD2(x.x * t.x - x.y * t.y, x.x * t.y + x.y * t.x)
            }
            fft.inverse()
            let scale = 1 / Double(fft.size)
            // How many samples of the word lie before the recording, where it begins at `n`.
            func cut(_ n: Int) -> Int { min(max(0, -(start + n)), word.tails.count - 1) }
            func likeness(_ n: Int) -> Double {
                let energy = energies[n + word.count] - energies[n]
                return energy > quietest ? Double(fft.samples[n]) * scale / rt_sqrt(energy * word.tails[cut(n)]) : 0
            }
            let least = Self.least * Self.least / (scale * scale)
            for n in 1..<(length - 1) where fft.samples[n] > 0 && start + n + word.instant >= 0 {
                // The square first, as most places fail here.
                let value = Double(fft.samples[n])
                let wordEnergy = word.tails[cut(n)]
                guard value * value >= least * wordEnergy * (energies[n + word.count] - energies[n]) else { continue }
                let here = likeness(n)
                guard here >= Self.least, here > likeness(n - 1), here >= likeness(n + 1) else { continue }
                // The vertex of the parabola through three points of the correlation.
                let (a, b, c) = (Double(fft.samples[n - 1]), Double(fft.samples[n]), Double(fft.samples[n + 1]))
                let bend = a - 2 * b + c
                let vertex = bend < 0 ? max(-0.5, min(0.5, (a - c) / (2 * bend))) : 0
                let place = Double(start + n + word.instant) + vertex
                // The Cramér-Rao bound for a known waveform in noise of the power that the waveform leaves.
                let noise = max(0, 1 - here * here) / (here * here) * wordEnergy / Double(word.count)
                hits.append(
                    (
                        RecordedClicks.Click(
                            position: place, kind: cut(n) > 0 ? nil : 0, standardError: rt_sqrt(noise / word.slope)),
                        here
                    ))
            }
        }
        for hit in hits.sorted(by: { $0.click.position < $1.click.position }) { add(hit.click, hit.likeness) }
        samples.removeFirst(length - 2)
        start += length - 2
    }

    /// Keeps the best of several places within 100 ms.
    private mutating func add(_ click: RecordedClicks.Click, _ likeness: Double) {
        while let last = found.last, let known = likenesses.last,
            abs(click.position - last.position) < Double(rate) / 10
        {
            guard likeness > known else { return }
            found.removeLast()
            likenesses.removeLast()
        }
        found.append(click)
        likenesses.append(likeness)
    }
}
