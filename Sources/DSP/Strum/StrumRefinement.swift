internal import CRealtime
internal import Music
internal import Realtime

/// The fit of one strum while its window grows.
///
/// Its methods are mutating, those that only read, too: the compiler follows every field of a noncopyable value that is borrowed,
/// which took three quarters of the time of this module's build, and none of one that is inout.
struct StrumRefinement: ~Copyable, Sendable {
    var fit: StrumFit
    var step: StrumStep
    var search: StrumSearch
    let prior: StrumPrior
    /// How many windows of this strum have been fitted.
    var windowCount = 0
    var isSplit = false
    /// Whether nothing but this tuning is left to explain the newest window.
    private(set) var isSettled = false
    /// The window with which the courses were split.
    var splitWindow = 0
    var strings: StringFindings
    /// The power of lines that are no partial of a heard string, over what the strings explain in the newest window.
    private(set) var foreign = 0.0
    /// How many groups of this strum have been tried anew.
    var trialCount = 0
    let snapshot: StrumSnapshot

    /// For the first of some tunings.
    ///
    /// - Parameter capacity: the most samples of a window.
    init(_ places: borrowing StringPlaces, capacity: Int) {
        prior = StrumPrior()
        let (count, partials) = (places.stringCount, places.mostPartials)
        fit = StrumFit(stringCount: count, partialCount: partials, prior: prior, capacity: capacity)
        step = StrumStep(partialCount: partials, stringCount: count)
        search = StrumSearch(partialCount: partials)
        strings = StringFindings(stringCount: count, prior: prior)
        snapshot = StrumSnapshot(partialCount: partials, stringCount: count)
        retune(places, 0)
    }

    /// Forgets the last strum, and takes the strings of a tuning.
    @_noLocks mutating func retune(_ places: borrowing StringPlaces, _ index: Int) {
        fit.retune(places, index)
        step.partialCount = fit.layout.count
        reset()
    }

    /// Forgets the last strum.
    @_noLocks mutating func reset() {
        windowCount = 0
        trialCount = 0
        isSplit = false
        for s in 0..<fit.layout.stringCount {
            fit.laws.unsafeElements[s] = StringLaw(prior)
            fit.isActive.unsafeElements[s] = !isFollower(s)
            strings.isSilent.unsafeElements[s] = false
            strings.clearExcess(s)
            strings.lasting.unsafeElements[s] = StringReading(silent: Hertz(fit.fundamentals.unsafeElements[s]))
        }
        fit.decaySlope = prior.decaySlope
        for p in 0..<fit.layout.count {
            fit.detuning.unsafeElements[p] = 0
            fit.damping.unsafeElements[p] = 0
            fit.penalty.unsafeElements[p] = 0
            fit.noise.unsafeElements[p] = 1
            fit.amplitudes.unsafeElements[p] = ComplexNumber(0, 0)
        }
        (step.detuningScatter, step.dampingScatter) = (0.1, 0.2)
    }

    /// Fits the next, longer window of the strum.
    ///
    /// - Parameters:
    ///   - window: its samples.
    ///   - rate: samples per second.
    ///   - isGlance: whether all is forgotten after this window, so that half the effort will do.
    ///   - isSettled: whether no other tuning may still be that of the strum. Then a string that turns out silent is tried at all
    ///     places again in the same window, and a faint one is heard if it is clear: with another tuning's lines beside its
    ///     places, both would make a wrong tuning whole, and the right one would not be tried.
    @_noLocks mutating func refine(
        _ window: UnsafeMutableBufferPointer<Float>, rate: Double, isGlance: Bool = false,
        isSettled: Bool = false
    ) {
        self.isSettled = isSettled
        fit.window.load(window)
        fit.halfLength = Double(window.count) / rate / 2
        let isFirst = windowCount == 0
        strings.beginWindow()
        if isFirst {
            search.run(&fit)
        } else {
            settle()
            if windowCount <= lastRescue { recall() }
        }
        let splits = !isSplit && hasFollowers && 2 * fit.halfLength >= splitLength
        if splits { split() }
        let isNewlySplit = isSplit && windowCount < splitWindow + 3
        iterate(isGlance ? .glance : isFirst ? .search : isNewlySplit ? .courses : .follow)
        // One line that stands for two strings leaves more than noise.
        let isWhole = isSplit || !hasFollowers
        if !isWhole { weigh() }
        var dismissals = 0
        while isWhole, dismissals < mostDismissals, dismiss() {
            // It may have been silent only where it was.
            if dismissals == 0, isSettled { recall() }
            iterate(.again)
            dismissals += 1
        }
        foreign = measureForeign()
        remember()
        measureExcesses()
        measureGlides()
        keepReadings()
        windowCount += 1
    }

    /// Whether strings are tried at all places of a grid again.
    var isCoarse: Bool { @_noLocks mutating get { 2 * fit.halfLength < reconsideredLength } }

    /// Gauss-Newton steps until nothing changes, with tries of other places in between.
    @_noLocks private mutating func iterate(_ effort: FitSchedule.Effort) {
        var schedule = FitSchedule(effort)
        var (residual, part, failures) = (Double.infinity, 1.0, 0)
        while !schedule.isOver {
            fit.place()
            if schedule.isAtStart { spreadNoise() }
            if fit.residual > 1.2 * residual && part > 0 {
                part = part > 0.1 ? part * 0.4 : 0
                step.shorten(&fit, to: part)
                schedule.nextRound()
                failures += part == 0 ? 1 : 0
                if failures == 2 { break }
                continue
            }
            // Above the least, not above the last: else a fit could creep away.
            (part, residual) = (1, min(residual, fit.residual))
            if schedule.triesPlaces {
                schedule.beginTry()
                if tryPlaces(schedule) {
                    fit.place()
                    residual = fit.residual
                    schedule.extend()
                }
            }
            if schedule.measuresNoise || schedule.measuresNoiseAgain && mayMeasureNoiseAgain {
                fit.measureNoise(keeping: schedule.measuresNoise ? 0 : leastKeptNoise)
                fit.expectAmplitudes()
            }
            if schedule.narrowsScatter { step.detuningScatter = 0.05 }
            fit.linearize()
            let change = step.move(&fit, prior: prior)
            if schedule.learnsScatter { step.learnScatter(fit) }
            if change < leastChange && schedule.mayEnd { break }
            schedule.nextRound()
        }
        fit.place()
        if fit.residual > 1.2 * residual {
            step.shorten(&fit, to: 0)
            fit.place()
        }
    }

    /// Forgets how far partials are off their laws, if the laws alone explain the longer window better: then the shorter
    /// one has been explained by beats that it could not resolve.
    ///
    /// The scatters stay as they were learnt. With wide ones the law hardly holds lines that are a third of a bin apart, and the
    /// steps lead a right fit away: one open tuning in 40 ended so.
    @_noLocks private mutating func settle() {
        _ = centre()
        fit.place()
        let residual = fit.residual
        step.save(fit)
        for p in 0..<fit.layout.count {
            fit.detuning.unsafeElements[p] = 0
            fit.damping.unsafeElements[p] = 0
        }
        fit.place()
        if fit.residual >= residual { step.shorten(&fit, to: 0) }
    }

    /// The share of the power in the window that the strings explain, 0 to 1; 0 where those of another tuning have been led so
    /// far that nothing determines them.
    var explainedShare: Double {
        @_noLocks mutating get {
            let share = fit.explained / (fit.explained + fit.residual)
            return share > 0 ? share : 0
        }
    }

    /// The share that they do not, with lines that stand for other strings.
    var unexplainedShare: Double { @_noLocks mutating get { 1 - explainedShare * (1 - min(1, foreign)) } }

    /// Where partials are off their laws, as recorded ones are, and so take steps; not with strings of one pitch, where it costs too
    /// much: 9.3 instead of 6.7 % of a core with twelve strings.
    private var mayMeasureNoiseAgain: Bool {
        @_noLocks mutating get { !hasFollowers && !areLawful && 2 * fit.halfLength > undecidedLength }
    }

    /// The first guess of the noise: all that the fit leaves, in equal parts.
    @_noLocks private mutating func spreadNoise() {
        for p in 0..<fit.layout.count {
            fit.noise.unsafeElements[p] = fit.residual / Double(fit.layout.count)
        }
    }
}

/// Seconds from which on two strings of one pitch are told apart: 2 cents at 330 Hz, partial 4, are one bin of 0.7 s.
private var splitLength: Double { @_noLocks get { 0.49 } }
/// Seconds up to which strings are tried again at all places: the grid is too coarse for longer windows.
private var reconsideredLength: Double { @_noLocks get { 0.55 } }
/// Windows after the first in which suspect strings are tried elsewhere.
var lastRescue: Int { @_noLocks get { 6 } }
/// Of the noise beside a partial, -10 dB: by so much it falls at a time when it is measured again in a window, for a partial that is
/// bent to a line beside it leaves little there. With any fall 97.4 instead of 98.1 % of the strings of the composites are heard
/// within 5 cents in 1 s; in windows of less than 0.4 s as well 96.7 %.
private var leastKeptNoise: Double { @_noLocks get { 0.1 } }
/// Cents: the next step is far smaller still.
private var leastChange: Double { @_noLocks get { 1e-3 } }
/// Times that a window is fitted again without silent strings: two strings that share most partials need two.
private var mostDismissals: Int { @_noLocks get { 3 } }
