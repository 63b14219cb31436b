internal import CRealtime
internal import Music
internal import Realtime

// Whether a sound is a strum of the strings.
extension StrumRefinement {
    /// Several of the strings explain most of the sound, and it is not that of one.
    ///
    /// - Parameter clarity: how nearly it repeats after a period of a single note.
    @_noLocks mutating func isStrum(clarity: Double) -> Bool {
        guard explainedShare > leastExplained, !isForeign else { return false }
        let least = min(3, fit.layout.stringCount)
        // Where the clarity is not a note's, as of chords that are fretted, no note would explain the sound anyway.
        guard clarity < noteClarity else {
            return heard(least: leastGain) >= least && isBeyondNote || isHarmonicStrum || isBeyondLowest
        }
        return heard(least: leastStrummed) >= least || heard(least: leastGain) >= least && hasUnrelatedStrings
    }

    /// Whether what has been a strum may still be one: strings fade, but two at least are heard, and nothing else sounds.
    var isStillStrum: Bool { @_noLocks mutating get { !isForeign && heard(least: leastGain) >= 2 } }

    /// Two loud strings are no partials of one note: their frequencies are in no ratio of small numbers.
    private var hasUnrelatedStrings: Bool {
        @_noLocks mutating get {
            for a in 0..<fit.layout.stringCount where isHeard(a, least: leastStrummed) {
                for b in 0..<a where isHeard(b, least: leastStrummed) && !areRelated(a, b) { return true }
            }
            return false
        }
    }

    /// Whether two strings may be partials of one note.
    @_noLocks private mutating func areRelated(_ a: Int, _ b: Int) -> Bool {
        let (x, y) = (frequency(a), frequency(b))
        for k in 1...highestRatio {
            let place = y * Double(k) / x
            let nearest = rt_floor(place + 0.5)
            if nearest >= 1 && abs(place / nearest - 1) < ratioTolerance { return true }
        }
        return false
    }

    @_noLocks mutating func frequency(_ string: Int) -> Double {
        fit.fundamentals.unsafeElements[string] * rt_exp2(fit.laws.unsafeElements[lead(string)].cents / 1_200)
    }

    /// Nearly all strings are about equally loud: no note looks so, and the strings of open tunings, such as D A D F# A D,
    /// repeat with one period as a note does.
    private var isHarmonicStrum: Bool {
        @_noLocks mutating get {
            let count = fit.layout.stringCount
            return loudStrings >= max(min(3, count), count - 1) && heard(least: leastInHarmony) >= min(3, count)
                && explainedShare > leastExplainedInHarmony
        }
    }

    /// How many strings are not far below the loudest.
    private var loudStrings: Int {
        @_noLocks mutating get {
            var (loudest, loud) = (0.0, 0)
            for s in 0..<fit.layout.stringCount where isHeard(s) { loudest = max(loudest, power(s)) }
            for s in 0..<fit.layout.stringCount where isHeard(s) && power(s) > widestLevels * loudest { loud += 1 }
            return loud
        }
    }

    /// What is known of a string after the newest window: what that tells, or of a string that has faded what the last one told in
    /// which it was heard.
    @_noLocks mutating func reading(of string: Int) -> StringReading {
        let newest = newestReading(of: string)
        let lasting = strings.lasting.unsafeElements[string]
        return lasting.isHeard && !newest.isHeard ? lasting : newest
    }

    /// Remembers what the newest window tells of strings that fade so soon that longer ones tell no more of them.
    ///
    /// The first windows do not count: in them nobody can tell whether a string has been struck.
    @_noLocks mutating func keepReadings() {
        guard 2 * fit.halfLength > undecidedLength, !hasFollowers else { return }
        for s in 0..<fit.layout.stringCount {
            let reading = newestReading(of: s)
            if reading.isHeard {
                strings.lasting.unsafeElements[s] = fades(s) ? reading : StringReading(silent: reading.frequency)
            }
        }
    }

    @_noLocks private mutating func fades(_ string: Int) -> Bool {
        let logDecay = fit.laws.unsafeElements[string].logDecay
        return logDecay > fadingLogDecay && logDecay < fastestLogDecay
    }

    /// What the newest window tells of a string.
    @_noLocks private mutating func newestReading(of string: Int) -> StringReading {
        let lead = lead(string)
        let glide = strings.glides.unsafeElements[lead]
        let cents = fit.laws.unsafeElements[lead].cents - glide
        let frequency = fit.fundamentals.unsafeElements[string] * rt_exp2(cents / 1_200)
        let error = standardError(string)
        let whole = rt_sqrt(error * error + strings.glideVariances.unsafeElements[lead])
        return StringReading(
            isHeard: isHeard(string) && !(hasFollowers ? isDubious(string) : isMadeUp(string)),
            frequency: Hertz(frequency),
            periodicity: Hertz(fit.periodicity(lead) * rt_exp2(-glide / 1_200)),
            deviation: Cents(cents), standardError: Cents(whole * strayFactor),
            inharmonicity: fit.laws.unsafeElements[lead].inharmonicity, level: Decibels(power: power(string)))
    }

    /// How much larger standard errors are than they would be if partials strayed from their laws independently.
    private var strayFactor: Double {
        @_noLocks mutating get { 1 + commonStray * step.detuningScatter / (step.detuningScatter + strayingScatter) }
    }

    /// Whether all strings are heard.
    var isWhole: Bool { @_noLocks mutating get { heard(least: leastGain) == fit.layout.stringCount } }

    /// Whether each string stands clear of what the others leave.
    var isClearlyWhole: Bool {
        @_noLocks mutating get {
            for s in 0..<fit.layout.stringCount {
                guard isHeard(s), strings.evidence.unsafeElements[lead(s)].isClear(beside: strings.largestGain) else {
                    return false
                }
            }
            return true
        }
    }

    /// How many strings are heard with so large a share of what speaks for the loudest.
    @_noLocks mutating func heard(least share: Double) -> Int {
        var count = 0
        for s in 0..<fit.layout.stringCount where isHeard(s, least: share) { count += 1 }
        return count
    }

    /// The power of a string's partials at the centre of the window.
    @_noLocks mutating func power(_ string: Int) -> Double {
        var sum = 0.0
        let lead = lead(string)
        for j in 0..<fit.layout.count(lead) {
            // An amplitude here is half of that of a cosine.
            sum += 2 * fit.amplitudes.unsafeElements[fit.layout.partial(lead, j)].power
        }
        return max(sum, 1e-20)
    }
}

/// 60 dB in 1.4 s: what is left of such a string after 0.6 s adds little to what that has told. Of strings that sounded in 600 mixed
/// strums, one string left out, 1.3 instead of 1.7 % are said to be missing; of those left out 9.1 instead of 8.9 % to be heard.
private var fadingLogDecay: Double { @_noLocks get { 1.6 } }
/// How much of a standard error is added where partials stray far: a body pulls neighbouring ones together, and the directions in
/// which a string moves differ alike in all of them. Of strings of 160 strums mixed from recordings 81 % lie within two standard
/// errors without it, 87 % with 0.5, and 89 % with 0.8; more would tell less of those that are right.
private var commonStray: Double { @_noLocks get { 0.8 } }
/// Cents: those of generated strings stay below 0.02 in windows from 0.7 s on, those of recorded ones are 0.5 and more.
private var strayingScatter: Double { @_noLocks get { 0.1 } }
/// The share of the loudest string's gain that a string of a strum has: -17 dB.
private var leastStrummed: Double { @_noLocks get { 2e-2 } }
/// Two strings that stand for partials of one note have one of its first four at the lower one.
private var highestRatio: Int { @_noLocks get { 4 } }
/// 17 cents: the strings that a note is heard as lie nearer to such a ratio, stiffness included.
private var ratioTolerance: Double { @_noLocks get { 0.01 } }
/// Of the power below 0.3 of the rate of the fit. Measured on real strums and melodies.
private var leastExplained: Double { @_noLocks get { 0.6 } }
/// The clarity from which on the sound is one note: real strums have 0.31 to 0.67, of 120 recordings of notes and melodies
/// three have less in some window.
private var noteClarity: Double { @_noLocks get { 0.75 } }
/// -12 dB of the loudest string: what a single string leaves to others in the fit lies 13 dB below it and more.
private var widestLevels: Double { @_noLocks get { 0.063_1 } }
/// As `leastStrummed` and `leastExplained`, where the clarity is that of a note. Of 223 notes, with strings of four tunings,
/// two at most looked so in any window; of 84 strums in seven open tunings all but two in 1 s.
private var leastInHarmony: Double { @_noLocks get { 0.1 } }
private var leastExplainedInHarmony: Double { @_noLocks get { 0.88 } }
