internal import Realtime

/// Tries a strum in the other tunings of an instrument, where it does not fit the tuning so far.
///
/// First the strings of each tuning are placed roughly; then those that explain most are fitted. The work is spread over the
/// time after the strum, so that it leaves time for the rest of the analysis.
struct TuningTrial: ~Copyable, Sendable {
    private var refinement: StrumRefinement
    private let tuningCount: Int
    /// The tunings that explain most when they are placed roughly, best first, and what each leaves of the sound.
    private let shortlist = SampleBuffer<Int>(count: listLength), lefts = SampleBuffer<Double>(count: listLength)
    private var listed = 0
    /// Which step comes next: first one for each tuning, then one for each on the list. -1 where there is nothing to try.
    private var step = -1
    /// The samples of the strum: the first, and how many, at the rate of the fit.
    private(set) var begin: Int64 = 0
    private var count = 0
    /// The tuning that fits best so far, and the share of the sound that another must leave less of.
    private var best = -1
    private var least = 0.0
    /// The tuning that leaves least of all that lack a string, and what it leaves; -1 if there is none.
    private var incomplete = -1
    private var leastIncomplete = 0.0
    /// Whether that one is tried again, in a longer window.
    private var isAgain = false

    init(_ places: borrowing StringPlaces, capacity: Int) {
        tuningCount = places.tuningCount
        // Where there is nothing to try, a small one.
        refinement =
            places.tuningCount > 1
            ? StrumRefinement(places, capacity: capacity)
            : StrumRefinement(StringPlaces([[100, 200]], below: 200), capacity: 8)
    }

    var isRunning: Bool { @_noLocks get { step >= 0 } }

    /// Starts with a window of the strum.
    ///
    /// - Parameters:
    ///   - begin: its first sample.
    ///   - unexplained: the share of it that the tuning so far leaves.
    @_noLocks mutating func start(at begin: Int64, count: Int, unexplained: Double) {
        guard tuningCount > 1 else { return }
        (step, best, listed) = (0, -1, 0)
        (self.begin, self.count) = (begin, count)
        least = betterShare * unexplained
        (incomplete, leastIncomplete, isAgain) = (-1, least, false)
    }

    /// Starts with a longer window of the same strum, if a tuning seemed to lack a string in the first one.
    ///
    /// Strings an octave apart may take each other's lines in half a second: then one of them is not heard, or not known within
    /// 5 cents, though the tuning leaves hardly anything.
    @_noLocks mutating func startAgain(at begin: Int64, count: Int, unexplained: Double) {
        guard !isRunning, incomplete >= 0 else { return }
        (step, best, listed) = (tuningCount, -1, 1)
        shortlist.unsafeElements[0] = incomplete
        (self.begin, self.count) = (begin, count)
        least = betterShare * unexplained
        (incomplete, leastIncomplete, isAgain) = (-1, least, true)
    }

    /// Forgets what the strum has told.
    @_noLocks mutating func stop() { (step, incomplete) = (-1, -1) }

    /// Whether a step is due when the copy of the stream has so many samples, `rate` of them in a second.
    @_noLocks func isDue(at available: Int64, rate: Double) -> Bool {
        guard isRunning else { return false }
        guard !isAgain else { return true }
        let passed = Double(available - begin - Int64(count)) / rate
        return Double(step) <= Double(tuningCount + listLength) * passed / trialTime
    }

    /// Takes the next step.
    ///
    /// - Parameters:
    ///   - current: the tuning so far.
    ///   - samples: those of the copy of the stream from `begin` on.
    ///   - clarity: how nearly the sound repeats after a period of a single note.
    /// - Returns: the tuning that fits, when all have been tried; -1 before that, and if none does.
    @_noLocks mutating func advance(
        _ places: borrowing StringPlaces, but current: Int, _ samples: UnsafeMutableBufferPointer<Float>, rate: Double,
        clarity: Double
    ) -> Int {
        let short = UnsafeMutableBufferPointer(rebasing: samples[0..<min(count, Int(shortTrial * rate))])
        if step < tuningCount {
            if step != current {
                refinement.retune(places, step)
                list(step, refinement.roughlyUnexplained(short, rate: rate))
            }
        } else if step - tuningCount < listed {
            let tuning = shortlist.unsafeElements[step - tuningCount]
            refinement.retune(places, tuning)
            refinement.refine(short, rate: rate, isGlance: true)
            if isAgain {
                let middle = UnsafeMutableBufferPointer(rebasing: samples[0..<min(count, Int(middleTrial * rate))])
                refinement.refine(middle, rate: rate)
            }
            refinement.refine(UnsafeMutableBufferPointer(rebasing: samples[0..<count]), rate: rate)
            judge(tuning, clarity: clarity)
        }
        step += 1
        guard step >= tuningCount + listed else { return -1 }
        step = -1
        if best >= 0 { incomplete = -1 }
        return best
    }

    /// Keeps a tuning that has been fitted if it leaves less than all before, apart from those that lack a string.
    @_noLocks private mutating func judge(_ tuning: Int, clarity: Double) {
        let left = refinement.unexplainedShare
        guard left < least, refinement.isStrum(clarity: clarity) else { return }
        let mustBeClear = isAgain || clarity > doubtfulClarity
        if mustBeClear ? refinement.isClearlyWhole : refinement.isWhole {
            (best, least) = (tuning, left)
        } else if left < leastIncomplete {
            (incomplete, leastIncomplete) = (tuning, left)
        }
    }

    /// Keeps a tuning if it is among the best.
    @_noLocks private mutating func list(_ tuning: Int, _ left: Double) {
        guard left < mostRoughlyLeft else { return }
        var place = listed
        while place > 0 && lefts.unsafeElements[place - 1] > left { place -= 1 }
        guard place < listLength else { return }
        listed = min(listLength, listed + 1)
        var i = listed - 1
        while i > place {
            (shortlist.unsafeElements[i], lefts.unsafeElements[i]) =
                (shortlist.unsafeElements[i - 1], lefts.unsafeElements[i - 1])
            i -= 1
        }
        (shortlist.unsafeElements[place], lefts.unsafeElements[place]) = (tuning, left)
    }
}

extension StrumRefinement {
    /// The share of a window that the strings leave where they are placed roughly.
    @_noLocks mutating func roughlyUnexplained(_ window: UnsafeMutableBufferPointer<Float>, rate: Double) -> Double {
        fit.window.load(window)
        fit.halfLength = Double(window.count) / rate / 2
        search.runRoughly(&fit)
        fit.place()
        return 1 - explainedShare
    }
}

/// Seconds of the window between the two, where the last is longer than this.
private var middleTrial: Double { @_noLocks get { 0.5 } }
/// The clarity from which on a tuning is taken only if all its strings stand clear: a recorded fifth of E has more, and was taken
/// for a tuning whose two highest strings it lacks.
private var doubtfulClarity: Double { @_noLocks get { 0.95 } }
/// The tunings that are fitted in earnest.
private var listLength: Int { @_noLocks get { 3 } }
/// Seconds over which the steps are spread.
private var trialTime: Double { @_noLocks get { 0.4 } }
/// Seconds of the window in which strings are placed.
private var shortTrial: Double { @_noLocks get { 0.25 } }
/// Of the sound: a tuning that leaves more when it is placed roughly is not that of the strings.
private var mostRoughlyLeft: Double { @_noLocks get { 0.7 } }
/// What another tuning leaves of the sound, at most, over what the one so far does. Of 16 generated strums the right one left
/// a tenth to a quarter of that.
private var betterShare: Double { @_noLocks get { 0.5 } }
