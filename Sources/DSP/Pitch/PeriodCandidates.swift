internal import CRealtime
internal import Realtime
internal import Spectral

/// The periods that a window of sound might have: the key maxima of its normalised difference.
///
/// - SeeAlso: McLeod & Wyvill, "A Smarter Way to Find Pitch", ICMC 2005.
struct PeriodCandidates: ~Copyable {
    /// Height of the highest key maximum in range, 0 if there is none.
    private(set) var highest = 0.0
    /// The key maxima at least 0.55 times as high, shortest lag first, at most eight.
    private(set) var count = 0
    private let lags = SampleBuffer<Double>(count: 8)
    private let heights = SampleBuffer<Double>(count: 8)
    private var difference: NormalizedDifference
    private let window: SampleBuffer<Float>
    private var lagCount = 0
    private var factor = 1.0

    init(longestWindow: Int, longestLag: Int) throws(PitchError) {
        difference = try makeNormalizedDifference(longestWindow: longestWindow, longestLag: longestLag)
        window = SampleBuffer(count: longestWindow)
    }

    /// A candidate's period, in samples of the widest copy.
    @_noLocks func lag(_ index: Int) -> Double { lags.unsafeElements[index] * factor }
    @_noLocks func height(_ index: Int) -> Double { heights.unsafeElements[index] }

    /// A maximum at least this high may be the period. The lower the highest one, the more noise there is, and the further
    /// the maximum at the period may fall below a later one by chance.
    var threshold: Double { @_noLocks get { (0.97 - 0.25 * (1 - min(1, highest))) * highest } }

    /// The first candidate over the threshold.
    var first: Int? {
        @_noLocks get {
            for index in 0..<count where heights.unsafeElements[index] >= threshold { return index }
            return nil
        }
    }

    /// The height of the normalised difference at a period in samples of the widest copy: that of a maximum within 3 %
    /// of it, 0 where there is none.
    @_noLocks func height(at period: Double) -> Double {
        var height = 0.0
        for index in 0..<count where isSameNote(lag(index), period) { height = max(height, self.height(index)) }
        return height
    }

    /// Looks for periods between `shortest` and `longest` samples of the widest copy.
    ///
    /// - Parameter factor: how many samples of that copy one of `samples` stands for.
    @_noLocks mutating func find(
        _ samples: UnsafeMutableBufferPointer<Float>, every factor: Int = 1, shortest: Double, longest: Double
    ) {
        (highest, count) = (0, 0)
        self.factor = Double(factor)
        let (shortest, longest) = (shortest / self.factor, longest / self.factor)
        let length = samples.count
        // Beyond 0.55 of the window the overlap is too short to trust the highest point; a window that still grows may
        // look a little further, for the sake of a low note's attack.
        let share = length < difference.longestWindow ? 0.65 : 0.55
        lagCount = min(Int(share * Double(length)), difference.longestLag) + 1
        guard lagCount > 3 else { return }
        difference.measure(centred(samples), lags: lagCount - 1)
        var lag = 0
        while let found = nextKeyMaximum(difference.values, after: &lag, count: lagCount) {
            let peak = sharpened(found)
            if peak.lag >= shortest && peak.lag <= longest { highest = max(highest, peak.height) }
        }
        lag = 0
        while let found = nextKeyMaximum(difference.values, after: &lag, count: lagCount), count < 8 {
            let peak = sharpened(found)
            guard peak.lag >= shortest, peak.lag <= longest, peak.height > 0.55 * highest else { continue }
            lags.unsafeElements[count] = peak.lag
            heights.unsafeElements[count] = peak.height
            count += 1
        }
        // The highest of all may come after the eighth: a note and what hums beside it repeat together after many periods
        // of the note. Then that of the candidates counts.
        guard first == nil else { return }
        highest = 0
        for index in 0..<count { highest = max(highest, height(index)) }
    }

    /// The height of the normalised difference at a period that is known already, in samples of the widest copy; `nil`
    /// where a search has to tell, because the sound repeats within the period as well.
    ///
    /// It would be another note, 2, 3, 5 … times as high, to which the player has slurred: asked for are all primes up to
    /// 13, which is 3 octaves and 8 semitones.
    /// - Complexity: 25 products per sample of three periods. A search takes 60, and two transforms.
    @_noLocks func height(
        ofKnown period: Double, in samples: UnsafeMutableBufferPointer<Float>, every factor: Int
    ) -> Double? {
        let lag = period / Double(factor)
        // A parabola through three samples tells a peak of 40 samples a period; a shorter one is `sharpened` by a search.
        guard lag >= 40, 2 * lag < Double(samples.count) else { return nil }
        let centred = centred(samples)
        guard let x = centred.baseAddress else { return nil }
        let energy = dotProduct(x, x, centred.count)
        let height = repetition(of: centred, energy: energy, after: lag)
        let primes: InlineArray<6, Double> = [2, 3, 5, 7, 11, 13]
        for index in 0..<6 where repetition(of: centred, energy: energy, after: lag / primes[index]) > 0.9 * height {
            return nil
        }
        return height
    }

    /// The samples without their mean.
    @_noLocks private func centred(_ samples: UnsafeMutableBufferPointer<Float>) -> UnsafeMutableBufferPointer<Float> {
        var sum = 0.0
        for n in 0..<samples.count { sum += Double(samples[n]) }
        let mean = Float(sum / Double(samples.count))
        let centred = UnsafeMutableBufferPointer(rebasing: window.unsafeElements[0..<samples.count])
        for n in 0..<samples.count { centred[n] = samples[n] - mean }
        return centred
    }

    /// A maximum at a short lag, measured between the samples by a windowed sinc.
    ///
    /// The peaks of a bright high note are a sample or two wide; a parabola through three samples may miss a tenth of
    /// their height, and a multiple of the period that happens to fall on a sample would win.
    /// - SeeAlso: Boersma, "Accurate short-term analysis of the fundamental frequency", IFA Proceedings 17, 1993.
    @_noLocks private func sharpened(_ peak: (lag: Double, height: Double)) -> (lag: Double, height: Double) {
        guard peak.lag < 256, peak.lag > 2, peak.lag + 18 < Double(lagCount), peak.height > 0.3 else { return peak }
        let (before, top, after) = (between(peak.lag - 0.25), between(peak.lag), between(peak.lag + 0.25))
        let curvature = before - 2 * top + after
        guard curvature < 0 else { return peak }
        let offset = max(-2, min(2, 0.5 * (before - after) / curvature))
        return (peak.lag + 0.25 * offset, max(top, top - 0.25 * (before - after) * offset))
    }

    /// The normalised difference between two lags: a sinc of 16 samples each way under a parabola.
    @_noLocks private func between(_ lag: Double) -> Double {
        let values = difference.values
        let centre = Int(lag)
        let fraction = lag - Double(centre)
        if fraction < 1e-6 { return Double(values[centre]) }
        let sine = rt_sin(.pi * fraction) / .pi
        var sum = 0.0
        for n in -15...16 {
            let distance = fraction - Double(n)
            let across = distance / 17
            let sign: Double = n & 1 == 0 ? 1 : -1
            sum += Double(values[abs(centre + n)]) * sign * sine / distance * (1 - across * across)
        }
        return sum
    }

    /// A period refined by the maxima at 2, 4, 8 … times its lag, where the same error counts 2, 4, 8 times less.
    @_noLocks func refined(_ period: Double) -> Double {
        let values = difference.values
        var (multiple, lag) = (1.0, period / factor)
        while 2 * multiple * lag < Double(lagCount - 3) {
            multiple *= 2
            let centre = multiple * lag
            let reach = max(1.5, min(0.3 * lag, 0.02 * centre))
            let from = max(1, Int(centre - reach))
            let to = min(Int(rt_ceil(centre + reach)), lagCount - 2)
            guard from < to else { break }
            var top = from
            for n in from...to where values[n] > values[top] { top = n }
            if values[top - 1] > values[top] || values[top + 1] > values[top] { break }
            let peak = parabolicPeak(values[top - 1], values[top], values[top + 1])
            lag = (Double(top) + peak.offset) / multiple
        }
        return lag * factor
    }
}
