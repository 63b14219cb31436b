internal import CRealtime
public import Music
internal import Realtime
internal import Spectral

/// Measures all strings of a strum at once.
///
/// All partials of all strings are fitted together to one window, which grows from 0.25 to 2 s: partials that lie on those of
/// another string, such as B3's on E2's, cannot be told apart one by one.
///
/// ```swift
/// let guitar = [82.407, 110, 146.832, 195.998, 246.942, 329.628].map { $0.hertz }
/// var engine = try StrumEngine(strings: guitar, sampleRate: 48.kilohertz)
/// let block = [Float](repeating: 0, count: 512)
/// engine.process(block.span)
/// while let picture = engine.refine(), picture.isStrum {
///     for string in guitar.indices {
///         let reading = engine.reading(of: string)
///         print(reading.isHeard ? "\(reading.deviation.value) cents" : "not heard")
///     }
/// }
/// ```
///
/// `process` takes samples in and costs less than one per cent of a core; `refine` computes, for several milliseconds at a
/// time. Call both on one thread that is not the audio thread, such as the one that reads a ring of samples. Nothing
/// allocates, locks or throws after `init`, and the compiler checks that. Samples that are not finite count as silence.
/// - SeeAlso: Christensen & Jakobsson, "Multi-Pitch Estimation", Morgan & Claypool, 2009, chapter 2.
public struct StrumEngine: ~Copyable, Sendable {
    /// How many strings there are.
    public let stringCount: Int
    private var refinement: StrumRefinement
    private var bank: DecimationBank
    private let level: Int
    private let sampleRate: Double
    private let block: SampleBuffer<Float>
    private let readings: SampleBuffer<StringReading>
    private var blockCount = 0
    private var onset: StrumOnset
    private let places: StringPlaces
    private var trial: TuningTrial
    private let hasOthers: Bool
    /// Which of the tunings the strings are in.
    private var tuning = 0
    /// The strum that other tunings have been tried with.
    private var triedStrum = 0
    /// How nearly the newest strum repeats after a period of a single note.
    private var clarity = 0.0
    /// Whether a window of the newest sound has been one of a strum.
    private var wasStrum = false
    private var strum = 0
    /// The next window; `windowCount` when none is due.
    private var stage = Self.windowCount

    private static var windowCount: Int { @_noLocks get { 8 } }

    /// The first partials that a string may have.
    package static let range = Hertz(25)...Hertz(1_000)

    /// An engine for the strings of one instrument. Allocates.
    ///
    /// - Parameters:
    ///   - strings: the first partials by the tuning, 2 to 12 strings of 25 to 1,000 Hz in any order. A string is found
    ///     within 60 cents of its place. Two strings of one pitch stand beside each other.
    ///   - others: the same strings in other tunings. A strum that does not fit is tried in each of them, and the engine keeps
    ///     to the one that fits; see ``StrumPicture/tuning``.
    ///   - sampleRate: 16 to 192 kHz.
    public init(strings: [Hertz], others: [[Hertz]] = [], sampleRate: Hertz) throws(StrumError) {
        guard sampleRate.value >= 16_000, sampleRate.value <= 192_000 else {
            throw .unsupportedSampleRate(sampleRate)
        }
        guard strings.count >= 2, strings.count <= 12 else { throw .unsupportedStringCount(strings.count) }
        for other in others where other.count != strings.count { throw .unsupportedStringCount(other.count) }
        for string in strings + others.flatMap(\.self) {
            guard Self.range.contains(string) else { throw .unsupportedString(string) }
        }
        let tunings = ([strings] + others).map { $0.map(\.value) }
        hasOthers = !others.isEmpty
        let limit = StringPlaces.limit(of: tunings[0])
        // A copy is flat up to 0.3 of its rate.
        var factor = 1
        while factor < 16 && 0.3 * sampleRate.value / Double(2 * factor) >= limit { factor *= 2 }
        let base = min(factor, 4)
        level = factor == 8 ? 1 : factor == 16 ? 2 : 0
        let longest = Int(longestMemory * sampleRate.value)
        bank = DecimationBank(base: base, levelCount: level + 1, length: longest, hop: blockLength)
        let capacity = Int(2.01 * sampleRate.value) / factor + 16
        places = StringPlaces(tunings, below: max(limit, 0.3 * sampleRate.value / Double(factor)))
        refinement = StrumRefinement(places, capacity: capacity)
        trial = TuningTrial(places, capacity: capacity)
        stringCount = strings.count
        self.sampleRate = sampleRate.value
        block = SampleBuffer(count: blockLength)
        readings = SampleBuffer(
            copying: strings.map(StringReading.init(silent:)))
        onset = StrumOnset(
            fundamentals: strings.map(\.value), below: limit, sampleRate: sampleRate.value, factor: factor)
    }

    /// Takes in mono samples, full scale ±1, in blocks of any size.
    ///
    /// Call `refine` after each block of up to half a second; a strum whose samples are forgotten before is lost.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) {
        for i in samples.indices {
            let sample = samples[i].isFinite ? samples[i] : 0
            block.unsafeElements[blockCount] = sample
            blockCount += 1
            if onset.process(sample) { begin() }
            if blockCount == blockLength { flush() }
        }
    }

    /// Fits the next window of the newest strum, if its samples are there.
    ///
    /// - Returns: what it found; `nil` when there is nothing to do before more samples come.
    /// - Complexity: with K partials and N samples at the rate of the fit, about 8 N K + 10 K³ operations for each of 6 to
    ///   14 steps: 5 to 30 ms for a guitar, whose K is 56.
    @_noLocks public mutating func refine() -> StrumPicture? {
        tryTunings()
        while stage < Self.windowCount {
            // The window begins when the last string has been struck and its pick is silent; the first two do not wait for the
            // strings, and the very first, for which a player waits, not for the pick.
            let struck = stage < 2 ? onset.first : max(onset.first + Int64(strumTime * sampleRate), onset.latest)
            let from = struck + Int64((stage == 0 ? stepTime : pickTime) * sampleRate)
            let length = Self.seconds(stage)
            let factor = Int64(bank.factor(level))
            let (begin, count) = (from / factor, Int(length * sampleRate) / Int(factor))
            let available = Int64(bank.count(level))
            guard begin + Int64(count) <= available else { return nil }
            let back = Int(available - begin)
            guard Double(back) * Double(factor) <= (longestMemory - 0.05) * sampleRate else {
                stage = Self.windowCount
                return nil
            }
            let samples = bank.latest(back, of: level)
            let window = UnsafeMutableBufferPointer(rebasing: samples[0..<count])
            // What the pick has bent must not lead the others astray.
            if stage == 1 { refinement.reset() }
            if stage < 2 {
                let longest = lowestPeriods / places.lowest(of: tuning)
                clarity = strumClarity(window, longestLag: Int(longest * sampleRate / Double(factor)))
            }
            // A silent string speaks for another tuning until those have been tried.
            let isSettled = !hasOthers || stage >= trialStage
            refinement.refine(
                window, rate: sampleRate / Double(factor), isGlance: stage == 0, recallsDismissed: isSettled)
            stage += 1
            for s in 0..<stringCount { readings.unsafeElements[s] = measured(s) }
            // Later windows lie where most strings have faded; the first two have the picks in them.
            let isStrum = refinement.isStrum(clarity: clarity)
            if stage > 2 && isStrum { wasStrum = true }
            if stage == trialStage, strum != triedStrum, !(isStrum && refinement.isWhole), clarity < singleClarity {
                triedStrum = strum
                trial.start(at: begin, count: count, unexplained: 1 - refinement.explainedShare)
            }
            return StrumPicture(
                strum: strum, onset: onset.first, window: count * Int(factor), tuning: tuning,
                isStrum: wasStrum || isStrum, explained: refinement.explainedShare, clarity: clarity,
                isFinal: stage == Self.windowCount)
        }
        return nil
    }

    /// Tries the tunings that are due, and starts again with the one that fits.
    @_noLocks private mutating func tryTunings() {
        let available = Int64(bank.count(level))
        let rate = sampleRate / Double(bank.factor(level))
        while trial.isDue(at: available, rate: rate) {
            let back = Int(available - trial.begin)
            guard Double(back) <= (longestMemory - 0.05) * rate else { return trial.stop() }
            let samples = bank.latest(back, of: level)
            let found = trial.advance(places, but: tuning, samples, rate: rate, clarity: clarity)
            guard found >= 0 else { continue }
            tuning = found
            refinement.retune(places, tuning)
            // Not the very first window, which has the picks in it.
            (stage, wasStrum) = (1, false)
        }
    }

    /// What the newest picture tells of a string, counted from 0 in the order of `init`. Before the first, none is heard.
    @_noLocks public func reading(of string: Int) -> StringReading {
        precondition(string >= 0 && string < stringCount, "the instrument has no such string")
        return readings.unsafeElements[string]
    }

    @_noLocks private func measured(_ string: Int) -> StringReading {
        let lead = refinement.lead(string)
        let cents = refinement.fit.laws.unsafeElements[lead].cents
        let frequency = refinement.fit.fundamentals.unsafeElements[string] * rt_exp2(cents / 1_200)
        return StringReading(
            isHeard: refinement.isHeard(string), frequency: Hertz(frequency),
            periodicity: Hertz(refinement.fit.periodicity(lead)), deviation: Cents(cents),
            standardError: Cents(refinement.standardError(string)),
            inharmonicity: refinement.fit.laws.unsafeElements[lead].inharmonicity,
            level: Decibels(power: refinement.power(string)))
    }

    /// Starts again as before the first sample, in the tuning that was found last.
    @_noLocks public mutating func reset() {
        bank.reset()
        onset.reset()
        trial.stop()
        (blockCount, strum, triedStrum, stage) = (0, 0, 0, Self.windowCount)
        for s in 0..<stringCount {
            readings.unsafeElements[s] = StringReading(silent: Hertz(refinement.fit.fundamentals.unsafeElements[s]))
        }
    }

    @_noLocks private mutating func begin() {
        strum += 1
        stage = 0
        wasStrum = false
        trial.stop()
        refinement.reset()
    }

    @_noLocks private mutating func flush() {
        bank.update(from: UnsafeBufferPointer(block.unsafeElements).span, newest: blockLength)
        blockCount = 0
        let count = bank.count(level)
        let newest = bank.latest(onset.needed(count: count), of: level)
        if onset.process(newest, count: count, factor: bank.factor(level)) { begin() }
    }

    /// The lengths of the windows: each half as long again, roughly, so that no error falls by less than two.
    @_noLocks private static func seconds(_ stage: Int) -> Double {
        switch stage {
        case 0, 1: 0.25
        case 2: 0.35
        case 3: 0.5
        case 4: 0.7
        case 5: 1
        case 6: 1.4
        default: 2
        }
    }
}

/// Samples that are filtered at once.
private var blockLength: Int { @_noLocks get { 256 } }
/// Seconds of sound that are kept: the longest window, the longest strum, and half a second in which `refine` may be late.
private var longestMemory: Double { @_noLocks get { 3.0 } }
/// Seconds from the first string of an ordinary strum to the last.
private var strumTime: Double { @_noLocks get { 0.06 } }
/// Seconds after a string is struck: the noise of a pick is over.
private var pickTime: Double { @_noLocks get { 0.04 } }
/// The window after which other tunings are tried: the first in which silent strings are told, 0.5 s.
private var trialStage: Int { @_noLocks get { 4 } }
/// The clarity from which on one string sounds, and no other tuning is tried: strums in open tunings have less than 0.9 by
/// the strings of the standard one, and nine of ten single strings 0.96 and more.
private var singleClarity: Double { @_noLocks get { 0.95 } }
/// Seconds from the first string to the first window: the step of `StrumOnset`. The pick is in it, but at its edge: the
/// window's weights leave 1/50 of the power of the first 40 ms.
private var stepTime: Double { @_noLocks get { 0.005 } }
/// Periods of the lowest string within which a single note repeats: notes up to an octave below it are no strums either.
private var lowestPeriods: Double { @_noLocks get { 2.1 } }
