internal import CRealtime
internal import Realtime

/// The fit of one strum while its window grows.
struct StrumRefinement: ~Copyable, Sendable {
    var fit: StrumFit
    private var step: StrumStep
    private var search: StrumSearch
    private let prior: StrumPrior
    /// How many windows of this strum have been fitted.
    private(set) var windowCount = 0
    private var isSplit = false
    /// The window with which the courses were split.
    private var splitWindow = 0
    /// What each string adds to what the others explain, and the largest of these.
    private let gains: SampleBuffer<Double>
    private var largestGain = 0.0

    /// - Parameters:
    ///   - fundamentals: the first partials by the tuning, in hertz.
    ///   - limit: the highest frequency of a partial, in hertz.
    ///   - capacity: the most samples of a window.
    init(fundamentals: [Double], below limit: Double, capacity: Int) {
        prior = StrumPrior()
        fit = StrumFit(fundamentals: fundamentals, below: limit, prior: prior, capacity: capacity)
        step = StrumStep(partialCount: fit.layout.count, stringCount: fundamentals.count)
        search = StrumSearch(partialCount: fit.layout.count)
        gains = SampleBuffer(count: fundamentals.count)
    }

    /// Forgets the last strum.
    @_noLocks mutating func reset() {
        windowCount = 0
        isSplit = false
        for s in 0..<fit.layout.stringCount {
            fit.laws.unsafeElements[s] = StringLaw(prior)
            fit.isActive.unsafeElements[s] = !isFollower(s)
        }
        fit.decaySlope = prior.decaySlope
        for p in 0..<fit.layout.count {
            fit.detuning.unsafeElements[p] = 0
            fit.damping.unsafeElements[p] = 0
            fit.penalty.unsafeElements[p] = 0
        }
        (step.detuningScatter, step.dampingScatter) = (0.1, 0.2)
    }

    /// Fits the next, longer window of the strum.
    ///
    /// - Parameters:
    ///   - window: its samples.
    ///   - rate: samples per second.
    @_noLocks mutating func refine(_ window: UnsafeMutableBufferPointer<Float>, rate: Double) {
        fit.window.load(window)
        fit.halfLength = Double(window.count) / rate / 2
        let isFirst = windowCount == 0
        if isFirst { search.run(&fit) }
        let splits = !isSplit && hasFollowers && 2 * fit.halfLength >= splitLength
        if splits { split() }
        let isNewlySplit = isSplit && windowCount < splitWindow + 3
        var (residual, part) = (Double.infinity, 1.0)
        for round in 0..<(isFirst ? 12 : isNewlySplit ? 14 : 6) {
            fit.place()
            if isFirst && round == 0 { spreadNoise() }
            if fit.residual > 1.3 * residual && part > 0.1 {
                part *= 0.4
                step.shorten(&fit, to: part)
                continue
            }
            (part, residual) = (1, fit.residual)
            if round == 5 && 2 * fit.halfLength < reconsideredLength {
                let hasExchanged = search.exchange(&fit)
                if search.reconsider(&fit) || hasExchanged {
                    fit.place()
                    residual = fit.residual
                }
            }
            if isFirst ? round % 4 == 2 : round == 0 {
                fit.measureNoise()
                fit.expectAmplitudes()
            }
            if isFirst && round == 5 { step.detuningScatter = 0.05 }
            fit.linearize()
            let change = step.move(&fit, prior: prior)
            if round >= (isFirst ? 6 : 1) { step.learnScatter(fit) }
            if change < 1e-4 && round > 8 { break }
        }
        fit.place()
        weigh()
        windowCount += 1
    }

    /// The share of the power in the window that the strings explain, 0 to 1.
    var explainedShare: Double { @_noLocks get { fit.explained / (fit.explained + fit.residual) } }

    /// Whether the string is in the sound.
    ///
    /// A silent one takes what the others' laws leave: less than a thousandth of what the loudest string explains, at a
    /// place that nothing determines.
    @_noLocks func isHeard(_ string: Int, least share: Double = leastGain) -> Bool {
        let lead = lead(string)
        return gains.unsafeElements[lead] > share * largestGain && abs(fit.laws.unsafeElements[lead].cents) < farthest
            && step.standardError(lead) < largestError
    }

    /// The string whose numbers stand for this one: itself, or its partner before the two of a course are told apart.
    @_noLocks func lead(_ string: Int) -> Int { fit.isActive.unsafeElements[string] ? string : string - 1 }

    /// The standard error of the first partial of a string, in cents.
    @_noLocks func standardError(_ string: Int) -> Double { step.standardError(lead(string)) }

    /// Whether a string has the pitch of the one before it.
    @_noLocks private func isFollower(_ string: Int) -> Bool {
        guard string > 0 else { return false }
        let ratio = fit.fundamentals.unsafeElements[string] / fit.fundamentals.unsafeElements[string - 1]
        // Not a third string of one pitch: it would follow a follower.
        return abs(ratio - 1) < 1e-3 && !isFollower(string - 1)
    }

    private var hasFollowers: Bool {
        @_noLocks get {
            for s in 0..<fit.layout.stringCount where isFollower(s) { return true }
            return false
        }
    }

    /// Looks for two strings where one has stood for both.
    @_noLocks private mutating func split() {
        isSplit = true
        splitWindow = windowCount
        fit.place()
        for s in 0..<fit.layout.stringCount where isFollower(s) { search.split(&fit, s - 1, s) }
    }

    /// The first guess of the noise: all that the fit leaves, in equal parts.
    @_noLocks private func spreadNoise() {
        for p in 0..<fit.layout.count {
            fit.noise.unsafeElements[p] = fit.residual / Double(fit.layout.count)
        }
    }

    @_noLocks private mutating func weigh() {
        largestGain = 0
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            gains.unsafeElements[s] = search.gain(&fit, s)
            largestGain = max(largestGain, gains.unsafeElements[s])
        }
    }
}

/// Seconds from which on two strings of one pitch are told apart: 2 cents at 330 Hz, partial 4, are one bin of 0.7 s.
private let splitLength = 0.69
/// Seconds up to which strings are tried again at all places: the grid is too coarse for longer windows.
private let reconsideredLength = 0.55
/// -30 dB. Muted strings of generated strums stay below 1.3e-4, those of real ones that are heard above 1.5e-3.
let leastGain = 1e-3
/// Cents: beyond it, a string is not the one of the tuning.
private let farthest = 62.0
/// Cents: an error that is larger tells nothing.
private let largestError = 5.0
