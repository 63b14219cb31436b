internal import CRealtime
internal import Realtime

/// The fit of one strum while its window grows.
struct StrumRefinement: ~Copyable, Sendable {
    var fit: StrumFit
    var step: StrumStep
    var search: StrumSearch
    let prior: StrumPrior
    /// How many windows of this strum have been fitted.
    var windowCount = 0
    var isSplit = false
    /// The window with which the courses were split.
    var splitWindow = 0
    /// What each string adds to what the others explain, and the largest of these.
    private let gains: SampleBuffer<Double>
    /// What stood for both strings of a course, at the second one.
    let courseLaws: SampleBuffer<StringLaw>
    private var largestGain = 0.0

    /// - Parameters:
    ///   - fundamentals: the first partials by the tuning, in hertz.
    ///   - limit: the highest frequency of a partial, in hertz.
    ///   - capacity: the most samples of a window.
    init(fundamentals: [Double], below limit: Double, capacity: Int) {
        prior = StrumPrior()
        fit = StrumFit(fundamentals: fundamentals, below: limit, prior: prior, capacity: capacity)
        step = StrumStep(partialCount: fit.layout.count, stringCount: fundamentals.count)
        search = StrumSearch()
        gains = SampleBuffer(count: fundamentals.count)
        courseLaws = SampleBuffer(count: fundamentals.count, repeating: StringLaw(prior))
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
        if isFirst { search.run(&fit) } else { settle() }
        let splits = !isSplit && hasFollowers && 2 * fit.halfLength >= splitLength
        if splits { split() }
        let isNewlySplit = isSplit && windowCount < splitWindow + 3
        let isCoarse = 2 * fit.halfLength < reconsideredLength
        var (residual, part, most) = (Double.infinity, 1.0, isFirst || isNewlySplit ? 14 : 6)
        var (round, failures, tries) = (0, 0, 0)
        while round < most {
            fit.place()
            if isFirst && round == 0 { spreadNoise() }
            if fit.residual > 1.2 * residual && part > 0 {
                part = part > 0.1 ? part * 0.4 : 0
                step.shorten(&fit, to: part)
                round += 1
                failures += part == 0 ? 1 : 0
                if failures == 2 { break }
                continue
            }
            // Above the least, not above the last: else a fit could creep away.
            (part, residual) = (1, min(residual, fit.residual))
            if isFirst ? round >= 5 + 4 * tries && tries < 2 : round >= 2 && tries == 0 {
                tries += 1
                var hasMoved = false
                if isCoarse {
                    let hasExchanged = search.exchange(&fit)
                    hasMoved = reconsider(isFirst && tries == 1) || hasExchanged
                } else if windowCount <= lastRescue {
                    hasMoved = rescue()
                }
                if hasMoved {
                    fit.place()
                    residual = fit.residual
                    most = min(mostRounds, round + 8)
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
            if change < leastChange && round >= (isFirst ? 10 : 3) { break }
            round += 1
        }
        fit.place()
        if fit.residual > 1.2 * residual {
            step.shorten(&fit, to: 0)
            fit.place()
        }
        weigh()
        windowCount += 1
    }

    /// Tries all strings at other places, or those of which less is known than of most others.
    ///
    /// - Returns: whether one has moved.
    @_noLocks mutating func reconsider(_ isForAll: Bool) -> Bool {
        var hasMoved = false
        let usual = usualError()
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            guard isForAll || step.standardError(s) > doubtfulRatio * usual else { continue }
            if search.reconsider(&fit, s) { hasMoved = true }
        }
        return hasMoved
    }

    /// Tries strings of which far less is known than of most others at other places in a long window.
    ///
    /// - Returns: whether one has moved.
    @_noLocks private mutating func rescue() -> Bool {
        var hasMoved = false
        let usual = usualError()
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let error = step.standardError(s)
            guard error > suspectRatio * usual || error > largestError else { continue }
            if search.rescue(&fit, s) { hasMoved = true }
        }
        return hasMoved
    }

    /// The median of the standard errors, in cents.
    @_noLocks private func usualError() -> Double {
        // The number of strings is small: the one that has as many below as above.
        var (best, distance) = (0.0, Int.max)
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            let error = step.standardError(s)
            var rank = 0
            for t in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[t] {
                let other = step.standardError(t)
                rank += other < error ? -1 : other > error ? 1 : 0
            }
            if abs(rank) < distance { (best, distance) = (error, abs(rank)) }
        }
        return best
    }

    /// Forgets how far partials are off their laws, if the laws alone explain the longer window better: then the shorter
    /// one has been explained by beats that it could not resolve.
    @_noLocks private mutating func settle() {
        fit.place()
        let residual = fit.residual
        step.save(fit)
        for p in 0..<fit.layout.count {
            fit.detuning.unsafeElements[p] = 0
            fit.damping.unsafeElements[p] = 0
        }
        fit.place()
        if fit.residual < residual {
            (step.detuningScatter, step.dampingScatter) = (0.1, 0.2)
        } else {
            step.shorten(&fit, to: 0)
        }
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

    /// The first guess of the noise: all that the fit leaves, in equal parts.
    @_noLocks private func spreadNoise() {
        for p in 0..<fit.layout.count {
            fit.noise.unsafeElements[p] = fit.residual / Double(fit.layout.count)
        }
    }

    @_noLocks private mutating func weigh() {
        largestGain = 0
        for s in 0..<fit.layout.stringCount where fit.isActive.unsafeElements[s] {
            // A silent string may lie where nothing determines it, and its gain is no number or endless.
            let gain = search.gain(&fit, s)
            gains.unsafeElements[s] = gain.isFinite ? gain : 0
            guard step.standardError(s) < largestError else { continue }
            largestGain = max(largestGain, gains.unsafeElements[s])
        }
    }
}

/// Seconds from which on two strings of one pitch are told apart: 2 cents at 330 Hz, partial 4, are one bin of 0.7 s.
private let splitLength = 0.49
/// Seconds up to which strings are tried again at all places: the grid is too coarse for longer windows.
private let reconsideredLength = 0.55
/// Windows after the first in which suspect strings are tried elsewhere.
private let lastRescue = 5
/// The same in short windows, where trying costs less.
private let doubtfulRatio = 2.0
/// A standard error so many times the median is suspect: the string sits on partials of others.
private let suspectRatio = 4.0
/// Cents: the next step is far smaller still.
private let leastChange = 1e-3
/// Steps in one window, when strings have been moved meanwhile.
private let mostRounds = 20
/// -30 dB. Muted strings of generated strums mostly stay below it, those of real ones that are heard above 1.5e-3.
let leastGain = 1e-3
/// Cents: beyond it, a string is not the one of the tuning.
private let farthest = 62.0
/// Cents: an error that is larger tells nothing.
private let largestError = 5.0
