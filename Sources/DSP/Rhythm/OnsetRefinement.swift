internal import CRealtime
internal import Realtime
internal import Spectral

/// The sample at which a note begins, found once 12 ms of it have sounded.
///
/// Two signals near 8 kHz are divided by their level before the note: the squared residual of a predictor trained before,
/// and the power above 5 kHz. Each is then exponentially distributed with mean 1 before the note and with a mean s in it;
/// the onset is the start of the stretch whose log-likelihood ratio is largest, among those that last into the hop in which
/// the note was noticed. Where a click may have left something over, the level before the note is higher by that.
/// - SeeAlso: Page, "Continuous Inspection Schemes", Biometrika 41, 1954; Basseville & Nikiforov, "Detection of Abrupt
///   Changes", 1993, section 2.2.
internal struct OnsetRefinement: ~Copyable, Sendable {
    /// Seconds: the hop in which a note is noticed ends so long after its beginning, in the median, and what that scatters by.
    static var notice: Double { @_noLocks get { 0.001_2 } }
    static var guess: Double { @_noLocks get { 0.003 } }
    /// Where the search begins: 22 ms before the hop in which a note is noticed, in samples of the low band.
    private static var back: Int { @_noLocks get { 176 } }
    /// And ends: 12 ms after it.
    static var ahead: Int { @_noLocks get { 96 } }
    /// By how much later a note may be confirmed: 36 ms.
    static var late: Int { @_noLocks get { 288 } }
    /// Before that, 25 ms tell the residual's level; for the high band it is 30 ms.
    private static var before: Int { @_noLocks get { 200 } }
    private static var beforeHigh: Int { @_noLocks get { 240 } }
    /// The least log-likelihood ratio of a beginning. By chance one of 256 samples has as much in one note of 5,000:
    /// ln(256 · 5,000) = 14. A note has less where what clicks may have left over is louder.
    private static var evidence: Float { @_noLocks get { 14 } }
    /// The least ratio of a note's power to another at which 2 ms of it are evidence: s - 1 - ln s is 14/16 at s = 2.6.
    private static var visible: Float { @_noLocks get { 1.6 } }
    private let constants: OnsetConstants
    private let sizes: OnsetSizes
    private var predictor = LinearPredictor()
    private let low: SampleBuffer<Float>, high: SampleBuffer<Float>
    /// For each hop the level before the note as a share of that and what clicks may have left over.
    private let lowShare: SampleBuffer<Float>, highShare: SampleBuffer<Float>

    init(sizes: OnsetSizes, constants: OnsetConstants) {
        self.constants = constants
        self.sizes = sizes
        low = SampleBuffer(count: Self.back + Self.ahead)
        high = SampleBuffer(count: Self.back + Self.ahead)
        lowShare = SampleBuffer(count: (Self.back + Self.ahead) / OnsetSizes.hopLow)
        highShare = SampleBuffer(count: (Self.back + Self.ahead) / OnsetSizes.hopLow)
    }

    /// How many samples of the low band are looked back on at most.
    static var reach: Int { LinearPredictor.training + LinearPredictor.order + back + ahead + late + 16 }

    /// How many hops are looked back on at most.
    static var reachHops: Int { (back + ahead + late) / OnsetSizes.hopLow + 1 }

    /// Finds the onset.
    ///
    /// - Parameters:
    ///   - streams: both signals.
    ///   - age: how many samples of the low band ago the hop ended in which the note was noticed, at least `ahead`.
    ///   - floors: for each hop what clicks may have left over, in the residual and above 5 kHz.
    @_noLocks mutating func find(
        in streams: borrowing OnsetStreams, age: Int, floors: borrowing OnsetFloors
    ) -> Result {
        var result = Result()
        let count = Self.back + Self.ahead - OnsetStreams.lag
        let newest = streams.low.latest(Self.reach)
        guard let end = newest.baseAddress.map({ UnsafePointer($0 + Self.reach - age + OnsetStreams.lag) }),
            let u = low.unsafeElements.baseAddress, let w = high.unsafeElements.baseAddress
        else { return result }
        let hops = (age + Self.back) / OnsetSizes.hopLow
        let (lowFloors, highFloors) = (floors.low.latest(hops), floors.high.latest(hops))
        // `end` is the sample of the low band at the end of that hop.
        let start = end - Self.back
        predictor.train(start - LinearPredictor.training)
        let level = Float(predictor.residualPower(start - Self.before, Self.before)) + 1e-10
        for n in 0..<count {
            let e = predictor.residual(start + n)
            u[n] = e * e / (level + lowFloors[n / OnsetSizes.hopLow])
        }
        let powers = streams.high.latest(Self.reach)
        guard let endHigh = powers.baseAddress.map({ UnsafePointer($0 + Self.reach - age) }) else { return result }
        let startHigh = endHigh - Self.back
        var levelHigh: Float = 1e-12
        for n in 0..<Self.beforeHigh { levelHigh += startHigh[n - Self.beforeHigh] / Float(Self.beforeHigh) }
        for n in 0..<count { w[n] = startHigh[n] / (levelHigh + highFloors[n / OnsetSizes.hopLow]) }
        for hop in 0...(count - 1) / OnsetSizes.hopLow {
            lowShare.unsafeElements[hop] = level / (level + lowFloors[hop])
            highShare.unsafeElements[hop] = levelHigh / (levelHigh + highFloors[hop])
        }
        (result.low, result.high) = (loudest(u, count).mean, loudest(w, count).mean)
        result.isSharp = result.high > constants.gate
        var place = changePoint(result, count)
        if place == 0 { place = changePointWithin(&result, count) }
        guard var place, place > 0 else {
            (result.isFound, result.isSharp, result.offset) = (false, false, -Self.notice * sizes.sampleRate)
            result.place = Self.back + Int(result.offset) / sizes.decimation
            return result
        }
        if result.isSharp { place = afterDamping(place, start, startHigh, count) }
        result.place = place
        let offset = Double((place - Self.back) * sizes.decimation)
        result.hidden = Double(hidden(before: place, count) * sizes.decimation) / sizes.sampleRate
        let lag = Double(constants.lag) * min(1, rt_sqrt(Double(constants.clear / max(1e-3, result.low))))
        result.offset = result.isSharp ? offset : offset - lag * sizes.sampleRate
        return result
    }

    /// Samples of the low band that are searched.
    static var searched: Int { @_noLocks get { back + ahead - OnsetStreams.lag } }

    /// How many samples of the low band ago a place of the search was.
    ///
    /// - Parameter age: of the hop in which the note was noticed.
    @_noLocks func age(of place: Int, _ age: Int) -> Int { max(0, age - OnsetStreams.lag + Self.back - place) }

    /// Searches what was found again, from a place on: what is before it is compared with.
    @_noLocks mutating func search(from first: Int, _ result: inout Result) {
        let count = Self.searched
        result.isInTone = true
        result.place = max(
            1,
            compare(with: max(0, first - Self.level)..<first, from: first, &result, count) ?? first + OnsetSizes.hopLow)
        result.offset = Double((result.place - Self.back) * sizes.decimation)
    }

    /// 6 ms.
    private static var level: Int { @_noLocks get { 48 } }

    /// The same where all that was searched is louder than what went before, as another sound lies between, such as what is left
    /// of a click: it is compared with its own first 10 ms, which are before the note.
    @_noLocks private mutating func changePointWithin(_ result: inout Result, _ count: Int) -> Int? {
        compare(with: 0..<80, from: 0, &result, count)
    }

    /// The change point from a place on, where a stretch tells the level before the note.
    @_noLocks private mutating func compare(
        with range: Range<Int>, from first: Int, _ result: inout Result, _ count: Int
    ) -> Int? {
        var (levelLow, levelHigh): (Float, Float) = (1e-6, 1e-6)
        for n in range {
            levelLow += low.unsafeElements[n] / Float(range.count)
            levelHigh += high.unsafeElements[n] / Float(range.count)
        }
        guard levelLow.isFinite, levelHigh.isFinite else { return nil }
        for n in 0..<count {
            low.unsafeElements[n] /= levelLow
            high.unsafeElements[n] /= levelHigh
        }
        for hop in 0..<lowShare.count { (lowShare.unsafeElements[hop], highShare.unsafeElements[hop]) = (1, 1) }
        (result.low, result.high) = (result.low / levelLow, result.high / levelHigh)
        result.isSharp = result.high > constants.gate
        return changePoint(result, count, from: first)
    }

    /// The start of the stretch with the largest sum of log-likelihood ratios.
    @_noLocks private func changePoint(_ result: Result, _ count: Int, from first: Int = 0) -> Int? {
        let isSharp = result.isSharp
        let lowRise = rise(low, lowShare, count, exponent: isSharp ? constants.highExponent : constants.lowExponent)
        let highRise = rise(high, highShare, count, exponent: constants.highExponent)
        let lowWeight = isSharp ? constants.lowWeight : 1
        var (sum, least, best): (Float, Float, Float) = (0, 0, 0)
        var (leastPlace, place) = (first, first)
        var (lowLevel, highLevel, lowLog, highLog): (Float, Float, Float, Float) = (1, 1, 0, 0)
        let noticed = Self.back - OnsetSizes.hopLow
        for n in first..<count {
            if n % OnsetSizes.hopLow == 0 || n == first {
                let hop = n / OnsetSizes.hopLow
                lowLevel = max(lowRise.least, 1 + lowRise.power * lowShare.unsafeElements[hop])
                highLevel = max(highRise.least, 1 + highRise.power * highShare.unsafeElements[hop])
                (lowLog, highLog) = (logarithm(lowLevel), logarithm(highLevel))
            }
            sum += lowWeight * ratio(low.unsafeElements[n], lowLevel, lowLog)
            if isSharp { sum += ratio(high.unsafeElements[n], highLevel, highLog) }
            if n >= noticed, sum - least > best { (best, place) = (sum - least, leastPlace) }
            if sum < least { (least, leastPlace) = (sum, n + 1) }
        }
        return best >= Self.evidence ? place : nil
    }

    /// The power that a note adds to the level before it, in units of that, and the least ratio of its sound to what was there
    /// with the clicks: the loudest 2 ms, raised to an exponent as attacks grow.
    @_noLocks private func rise(
        _ values: borrowing SampleBuffer<Float>, _ share: borrowing SampleBuffer<Float>, _ count: Int, exponent: Float
    ) -> (power: Float, least: Float) {
        guard let values = values.unsafeElements.baseAddress else { return (1, 2) }
        let (mean, place) = loudest(UnsafePointer(values), count)
        let absolute = mean / share.unsafeElements[place / OnsetSizes.hopLow]
        return (max(2, power(absolute, exponent)) - 1, max(2, power(mean, exponent)))
    }

    /// Samples of the low band right before a place in which clicks may have left over more than the note has there.
    @_noLocks private func hidden(before place: Int, _ count: Int) -> Int {
        guard let values = low.unsafeElements.baseAddress else { return 0 }
        let hop = place / OnsetSizes.hopLow
        let (mean, _) = loudest(UnsafePointer(values + place), min(count - place, 2 * OnsetSizes.hopLow))
        let note = mean / lowShare.unsafeElements[hop]
        var first = hop
        while first > 0, lowShare.unsafeElements[first - 1] * note < Self.visible { first -= 1 }
        return first < hop ? place - first * OnsetSizes.hopLow : 0
    }
}

/// What clicks may have left over in the last hops.
internal struct OnsetFloors: ~Copyable, Sendable {
    /// In the predictor's residual, and in the power above 5 kHz.
    var low = SampleHistory(length: OnsetRefinement.reachHops)
    var high = SampleHistory(length: OnsetRefinement.reachHops)

    @_noLocks mutating func add(low: Float, high: Float) {
        self.low.extend(by: 1)[0] = low
        self.high.extend(by: 1)[0] = high
    }

    @_noLocks mutating func clear() {
        low.clear()
        high.clear()
    }
}

/// The log-likelihood ratio of a value under the means `level` and 1. One value may not outweigh all others: in noise of mean
/// `level` one of 10 billion exceeds 23 times that, and what is beyond 30 is no noise.
@_noLocks private func ratio(_ value: Float, _ level: Float, _ log: Float) -> Float {
    min(value, 30 * level) * (1 - 1 / level) - log
}

/// The largest mean of 2 ms, and where it begins.
@_noLocks private func loudest(_ values: UnsafePointer<Float>, _ count: Int) -> (mean: Float, place: Int) {
    let length = min(16, count)
    var (largest, place): (Float, Int) = (0, 0)
    for first in 0...(count - length) {
        var sum: Float = 0
        for n in 0..<length { sum += values[first + n] }
        if sum / Float(length) > largest { (largest, place) = (sum / Float(length), first) }
    }
    return (largest, place)
}

@_noLocks private func power(_ x: Float, _ exponent: Float) -> Float {
    Float(rt_pow(Double(x), Double(exponent)))
}
@_noLocks private func logarithm(_ x: Float) -> Float { Float(rt_log(Double(x))) }
