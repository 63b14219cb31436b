internal import CRealtime
internal import Spectral

/// Finds sudden rises of energy in any of several frequency bands.
///
/// A click fills some bands more than the others, and white noise fills all of them: a band of a few hundred hertz shows a
/// click that noise hides from the energy of all frequencies together. A rise is relative to the 10 ms before it and to the
/// level that the band has between clicks, which a histogram of the surrounding seconds gives.
///
/// - SeeAlso: Bello et al., "A tutorial on onset detection in music signals", IEEE Trans. Speech Audio Processing 13(5),
///   2005, section III.
internal struct BandRises: ~Copyable {
    /// A rise.
    internal struct Rise: Sendable {
        /// About where it begins among all samples taken in, from 0.
        internal var place: Int
        /// The energy of the loudest band, relative to what was there before.
        internal var ratio: Double
        /// The mean square of that band, full scale 1.
        internal var power: Double
    }

    /// 7 dB: among them are chance rises of noise, which the waveform tells from clicks.
    internal static let weak = 5.0
    /// 11 dB. Noise exceeds it about once a week, as the narrowest band has five degrees of freedom.
    internal static let strong = 12.6

    private let hop: Int
    /// The bins of each band.
    private let bands: [Range<Int>]
    private let window: [Float]
    private var fft: RealFFT
    /// Samples that are still needed; the first belongs to the frame `frames`.
    private var samples: [Float] = []
    private var frames = 0
    /// The powers of all bands in the frames from `first` on, and the level of each band when they were taken.
    private var powers: [[Double]] = []
    private var first = 0
    private var levels: [LevelHistogram]
    /// The next frame to decide about.
    private var next = 0

    internal init(sampleRate: Int) throws(SpectralError) {
        hop = max(1, sampleRate / 1_000)
        // 5.3 ms, of a size that the transform takes.
        var size = max(8, (sampleRate * 16 / 3_000 + 7) / 8 * 8)
        while true {
            if let fft = try? RealFFT(size: size) {
                self.fft = fft
                break
            }
            size += 8
        }
        window = (0..<size).map { Float(0.5 - 0.5 * rt_cos(2 * .pi * (Double($0) + 0.5) / Double(size))) }
        // They overlap by half, so that no click falls between two.
        let edges = [150.0, 500, 900, 1_600, 2_500, 4_000, 6_000, 10_000, 20_000].map { edge in
            min(size / 2, max(1, Int((edge * Double(size) / Double(sampleRate)).rounded())))
        }
        let found = zip(edges, edges.dropFirst(2)).filter { $0 < $1 }.map { $0..<$1 }
        bands = found.isEmpty ? [1..<(size / 2 + 1)] : found
        levels = bands.map { _ in LevelHistogram() }
    }

    /// How far behind the newest sample a rise may lie that is reported next, in samples.
    internal var delay: Int { (Self.ahead + Self.tail + 2) * hop + window.count }

    /// Half a second of what follows helps to tell the level between clicks.
    private static let ahead = 500
    /// A rise that goes on for longer is searched no further.
    private static let tail = 40
    /// Frames before the current one that do not overlap it, and how many of them are compared.
    private static let gap = 6, before = 10

    /// Takes in samples and returns the rises that are certain now, oldest first.
    internal mutating func process(_ block: borrowing Span<Float>) -> [Rise] {
        for i in block.indices { samples.append(block[i]) }
        var at = 0
        while at + window.count <= samples.count {
            analyze(from: at)
            at += hop
        }
        samples.removeFirst(at)
        return decide(before: frames - Self.ahead)
    }

    /// Ends the recording.
    internal mutating func finish() -> [Rise] { decide(before: frames) }

    private mutating func analyze(from start: Int) {
        for n in 0..<window.count { fft.samples[n] = samples[start + n] * window[n] }
        fft.forward()
        // Σ window² is 3/8 of its length; two sides of the spectrum.
        let scale = 2 / (Double(window.count) * Double(window.count) * 0.375)
        var row: [Double] = []
        for (index, band) in bands.enumerated() {
            var sum = 0.0
            for k in band {
                let bin = fft.spectrum[k]
                sum += Double(bin.x * bin.x + bin.y * bin.y)
            }
            row.append(sum * scale)
            levels[index].add(sum * scale)
        }
        powers.append(row)
        frames += 1
    }

    private mutating func decide(before end: Int) -> [Rise] {
        var found: [Rise] = []
        let floors = levels.map(\.level)
        while next + Self.tail < end || (next < end && end == frames) {
            if let rise = rise(at: next, floors, end: frames) { found.append(rise) }
            next += 1
        }
        let done = max(0, next - first - Self.gap - Self.before)
        powers.removeFirst(done)
        first += done
        return found
    }

    /// The rise that begins at a frame, if there is one.
    private func rise(at frame: Int, _ floors: [Double], end: Int) -> Rise? {
        let row = frame - first
        var best: Rise?
        for band in bands.indices {
            let (from, to) = (max(0, row - Self.gap - Self.before + 1), max(0, row - Self.gap + 1))
            let recent = powers[from..<to].reduce(0) { $0 + $1[band] } / Double(max(1, to - from))
            // 80 dB below full scale is silence.
            let base = max(recent, floors[band], 1e-8 / Self.weak)
            guard powers[row][band] > Self.weak * base else { continue }
            // The loudest frame, as long as a louder one follows within 6 ms.
            var peak = row
            var n = row + 1
            while n < min(powers.count, min(peak + 7, row + Self.tail)) {
                if powers[n][band] > powers[peak][band] { peak = n }
                n += 1
            }
            // The largest ratio tells how certain the rise is, the band with the most energy where it lies: a quiet band
            // is the first to stand out of silence.
            let ratio = max(powers[peak][band] / base, best?.ratio ?? 0)
            guard powers[peak][band] > best?.power ?? 0 else {
                best?.ratio = ratio
                continue
            }
            // Half of a frame holds a quarter of its energy: the sound begins in the middle of that frame.
            let begin = (row...peak).first { powers[$0][band] >= 0.25 * powers[peak][band] } ?? peak
            best = Rise(
                place: (first + begin) * hop + window.count / 2, ratio: ratio, power: powers[peak][band])
        }
        return best
    }
}

/// The level of a band between clicks: twice the first quartile of its powers, which is the mean of noise.
private struct LevelHistogram: Sendable {
    /// One bin per decibel, from -200 dB.
    private var bins = [Double](repeating: 0, count: 260)
    private var total = 0.0
    private var weight = 1.0

    mutating func add(_ power: Double) {
        let decibels = power > 1e-20 ? 10 * rt_log10(power) : -200
        // Limited before it is whole: the power may be infinite.
        bins[Int(max(0, min(Double(bins.count - 1), decibels + 200)))] += weight
        total += weight
        // Forgets within four seconds: the newer a frame, the more it weighs.
        weight *= 1.000_25
        guard weight > 1e100 else { return }
        for index in bins.indices { bins[index] /= weight }
        total /= weight
        weight = 1
    }

    var level: Double {
        var sum = 0.0
        for (index, count) in bins.enumerated() {
            sum += count
            if sum >= 0.25 * total { return index == 0 ? 0 : 2 * rt_pow(10, (Double(index) + 0.5 - 200) / 10) }
        }
        return 0
    }
}
