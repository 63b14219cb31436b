internal import CRealtime
internal import Realtime
internal import Spectral

extension LowForecast {
    /// How many input samples before the newest one a note began that was noticed so many samples of this band ago; `nil` without
    /// evidence.
    @_noLocks mutating func place(noticed: Int, _ decimation: Int) -> Double? {
        guard let place = changePoint(from: noticed + Self.back, to: 0) else { return nil }
        return inputSamples(place, decimation)
    }

    /// Samples: such a note began 22 ms before it was noticed, at most.
    private static var back: Int { @_noLocks get { 44 } }

    /// How many samples before the newest one a note began: the start of the stretch in which what is not foretold has a larger
    /// variance.
    ///
    /// - Parameters:
    ///   - first, last: how many samples ago it began at most, and how many of the newest tell nothing more.
    /// - SeeAlso: ``OnsetRefinement``.
    @_noLocks mutating func changePoint(from first: Int, to last: Int) -> Int? {
        let count = first - last + Self.level + Self.margin
        let training = LeastSquaresPredictor.reach - Self.level
        guard count <= residuals.count,
            let x = samples.latest(count + last + training).baseAddress
        else { return nil }
        predictor.train(UnsafePointer(x))
        let start = UnsafePointer(x + training)
        let u = residuals.unsafeElements
        var before: Float = 1e-12
        for n in 0..<count {
            let e = Float(predictor.residual(start + n))
            u[n] = e * e
            if n < Self.level { before += e * e / Float(Self.level) }
        }
        var peak: Float = 0
        for n in Self.level..<(count - 3) {
            peak = max(peak, (u[n] + u[n + 1] + u[n + 2] + u[n + 3]) / (4 * before))
        }
        // The level that is expected of a note, as a power of its largest.
        let ratio = max(2, Float(rt_pow(Double(peak), Self.exponent)))
        let log = Float(rt_log(Double(ratio)))
        var (sum, least, best): (Float, Float, Float) = (0, 0, 0)
        let begin = Self.level + Self.margin
        var (leastPlace, place) = (begin, -1)
        for n in begin..<count {
            sum += min(u[n] / before, 30 * ratio) * (1 - 1 / ratio) - log
            if sum - least > best { (best, place) = (sum - least, leastPlace) }
            if sum < least { (least, leastPlace) = (sum, n + 1) }
        }
        return best >= Self.evidence ? count + last - 1 - place : nil
    }

    /// The least log-likelihood ratio of a beginning: as ``OnsetRefinement`` has it.
    private static var evidence: Float { @_noLocks get { 14 } }
    /// Samples between those that tell the level before and those searched: 16 ms.
    private static var margin: Int { @_noLocks get { 32 } }
    /// A note began 28 ms before the end of the look that hears it best at most, and that is 16 ms ago.
    static var oldest: Int { @_noLocks get { 80 } }
    /// 0.4 to 0.6 place a bass guitar's notes within 9 to 13 ms, 19 of 20 of them.
    private static var exponent: Double { @_noLocks get { 0.6 } }
    /// The newest samples that tell nothing more of such a note: all but 4 ms of those after that look.
    static var later: Int { @_noLocks get { 24 } }
    /// Samples that are looked at, at most: 90 ms, the first 30 of which tell the level before.
    static var searched: Int { @_noLocks get { 180 } }
    private static var level: Int { @_noLocks get { 60 } }
}
