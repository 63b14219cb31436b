internal import CRealtime
internal import Realtime

/// Hears strings begin, also those that a thumb strikes without noise: the power around each of the lowest partials of the
/// tuning, over what was there before.
///
/// Every 5 ms, in windows of 25 ms, each band is compared with its own past, so that noise and strings that ring hide no
/// partial but those that they cover. Three bands that rise together are the beginning of a string.
///
/// Under noise a band's power has an exponential distribution, and the mean of 0.6 s has about 24 independent values. It
/// exceeds ten times that mean with the probability (1 + 10/24)^-24 = 2.3e-4, and of 20 bands three do at once with 1.4e-8:
/// in 40 independent windows a second, once in three weeks.
struct PartialRise: ~Copyable, Sendable {
    private let bandCount: Int
    /// Samples of a window, a multiple of 8, and from one to the next.
    private let length: Int
    let hop: Int
    /// A Hann window times the cosine and the sine of each band.
    private let cosines: SampleBuffer<Float>, sines: SampleBuffer<Float>
    /// The powers of the last `historyLength` steps, step by step, and their sums over those that count as the past.
    private let history: SampleBuffer<Double>, sums: SampleBuffer<Double>
    /// The step at which each band rose last.
    private let risen: SampleBuffer<Int64>
    private var step: Int64 = 0
    /// The power of all bands in the newest step, and the most of it shortly before.
    private(set) var power = 0.0
    private(set) var powerBefore = 0.0
    private let levels = SampleBuffer<Double>(count: historyLength)

    /// - Parameters:
    ///   - fundamentals: the first partials by the tuning, in hertz.
    ///   - limit: the highest frequency of a band, in hertz.
    ///   - rate: samples per second.
    init(fundamentals: [Double], below limit: Double, rate: Double) {
        let length = (Int(0.025 * rate) + 7) / 8 * 8
        self.length = length
        hop = Int(0.005 * rate)
        var bands: [Double] = []
        for frequency in fundamentals.flatMap({ first in (1...watchedPartials).map { Double($0) * first } }).sorted()
        where frequency < limit && frequency > (bands.last ?? 0) + leastDistance {
            bands.append(frequency)
        }
        bandCount = bands.count
        let window = (0..<length).map { 0.5 - 0.5 * rt_cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
        // A partial of amplitude 1 has the power 1.
        let scale = 2 / window.reduce(0, +)
        let phases = bands.flatMap { band in window.indices.map { 2 * .pi * band / rate * Double($0) } }
        let heights = bands.flatMap { _ in window.map { scale * $0 } }
        cosines = SampleBuffer(copying: zip(heights, phases).map { Float($0 * rt_cos($1)) })
        sines = SampleBuffer(copying: zip(heights, phases).map { Float($0 * rt_sin($1)) })
        history = SampleBuffer(count: bandCount * historyLength)
        sums = SampleBuffer(count: bandCount)
        risen = SampleBuffer(count: bandCount, repeating: .min / 2)
    }

    /// Samples of a window.
    var windowLength: Int { @_noLocks get { length } }

    @_noLocks mutating func reset() {
        step = 0
        (power, powerBefore) = (0, 0)
        for i in 0..<history.count { history.unsafeElements[i] = 0 }
        for b in 0..<bandCount { (sums.unsafeElements[b], risen.unsafeElements[b]) = (0, .min / 2) }
        for i in 0..<historyLength { levels.unsafeElements[i] = 0 }
    }

    /// Takes in the next window, and returns what begins in it.
    @_noLocks mutating func process(_ window: UnsafeMutablePointer<Float>) -> Attack {
        let now = place(step)
        // What leaves the past, and what enters it when it can no longer hold a part of the attack.
        let (oldest, entering) = (place(step - Int64(historyLength)), place(step - Int64(guardSteps)))
        var (fresh, count) = (0, 0)
        power = 0
        for b in 0..<bandCount {
            let value = measure(window, b)
            let past = history.unsafeElements[entering + b]
            sums.unsafeElements[b] = max(0, sums.unsafeElements[b] + past - history.unsafeElements[oldest + b])
            history.unsafeElements[now + b] = value
            power += value
            let mean = sums.unsafeElements[b] / Double(max(1, min(step - Int64(guardSteps) + 1, Int64(pastSteps))))
            var highest = quiet
            for back in guardSteps..<guardSteps + recentSteps {
                highest = max(highest, history.unsafeElements[place(step - Int64(back)) + b])
            }
            guard value > risesOverMean * max(mean, quiet), value > risesOverRecent * highest else { continue }
            if step - risen.unsafeElements[b] > Int64(restSteps) {
                risen.unsafeElements[b] = step
                fresh += 1
            }
        }
        for b in 0..<bandCount where step - risen.unsafeElements[b] < Int64(togetherSteps) { count += 1 }
        let index = Int(step % Int64(historyLength))
        levels.unsafeElements[index] = power
        powerBefore = 0
        for back in guardSteps..<guardSteps + recentSteps {
            let i = Int((step - Int64(back) + Int64(historyLength) * 2) % Int64(historyLength))
            powerBefore = max(powerBefore, levels.unsafeElements[i])
        }
        step += 1
        guard fresh > 0 else { return .nothing }
        return count >= min(leastBands, bandCount) ? .attack : count >= leastBands - 1 ? .weakAttack : .nothing
    }

    /// Where a step has its powers.
    @inline(__always) @_noLocks private func place(_ step: Int64) -> Int {
        // From -historyLength on; what came before the stream is silence.
        Int((step + 2 * Int64(historyLength)) % Int64(historyLength)) * bandCount
    }

    @_noLocks private func measure(_ x: UnsafeMutablePointer<Float>, _ band: Int) -> Double {
        let (c, s) = (cosines.start + band * length, sines.start + band * length)
        var (re, im) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        var n = 0
        while n < length {
            let values = eight(x, n)
            re += values * eight(c, n)
            im += values * eight(s, n)
            n += 8
        }
        let (a, b) = (Double(re.sum()), Double(im.sum()))
        return a * a + b * b
    }
}

/// Partials of each string that are watched: those that a thumb excites.
private var watchedPartials: Int { 6 }
/// Hertz: half the width of a band, so that neighbours hear different things.
private var leastDistance: Double { 25.0 }
/// Steps of 5 ms from the start of an attack to the last window that may hold a part of it.
private var guardSteps: Int { @_noLocks get { 5 } }
/// Steps that count as the past: 0.6 s.
private var pastSteps: Int { @_noLocks get { 120 } }
private var historyLength: Int { @_noLocks get { pastSteps + guardSteps } }
/// Steps in which two lines that beat have been as loud as now: a tenth of a second.
private var recentSteps: Int { @_noLocks get { 20 } }
/// Over the mean of the past: see above.
private var risesOverMean: Double { @_noLocks get { 10.0 } }
/// Over the loudest window of the last tenth of a second: lines that beat rise by 3 at most from one such window to the next.
private var risesOverRecent: Double { @_noLocks get { 4.0 } }
/// The power of a partial at -80 dB of full scale, which is silence.
private var quiet: Double { @_noLocks get { 1e-8 } }
/// Steps in which a band that has risen does not rise again.
private var restSteps: Int { @_noLocks get { 8 } }
/// Steps in which the bands of one string rise.
private var togetherSteps: Int { @_noLocks get { 4 } }
private var leastBands: Int { @_noLocks get { 3 } }
