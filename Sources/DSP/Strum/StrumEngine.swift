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
    /// The first partial of the lowest string, in hertz.
    private let lowest: Double
    /// How nearly the newest strum repeats after a period of a single note.
    private var clarity = 0.0
    /// Whether a window of the newest sound has been one of a strum.
    private var wasStrum = false
    private var strum = 0
    /// The next window; `windowCount` when none is due.
    private var stage = Self.windowCount

    private static var windowCount: Int { @_noLocks get { 8 } }

    /// An engine for the strings of one instrument. Allocates.
    ///
    /// - Parameters:
    ///   - strings: the first partials by the tuning, 2 to 12 strings of 25 to 1,000 Hz in any order. A string is found
    ///     within 60 cents of its place. Two strings of one pitch stand beside each other.
    ///   - sampleRate: 16 to 192 kHz.
    public init(strings: [Hertz], sampleRate: Hertz) throws(StrumError) {
        guard sampleRate.value >= 16_000, sampleRate.value <= 192_000 else {
            throw .unsupportedSampleRate(sampleRate)
        }
        guard strings.count >= 2, strings.count <= 12 else { throw .unsupportedStringCount(strings.count) }
        for string in strings {
            guard string.value >= 25, string.value <= 1_000 else { throw .unsupportedString(string) }
        }
        let highest = strings.map(\.value).max() ?? 0
        let limit = max(700, min(3_500, 4.3 * highest))
        // A copy is flat up to 0.3 of its rate.
        var factor = 1
        while factor < 16 && 0.3 * sampleRate.value / Double(2 * factor) >= limit { factor *= 2 }
        let base = min(factor, 4)
        level = factor == 8 ? 1 : factor == 16 ? 2 : 0
        let longest = Int(longestMemory * sampleRate.value)
        bank = DecimationBank(base: base, levelCount: level + 1, length: longest, hop: blockLength)
        let capacity = Int(2.01 * sampleRate.value) / factor + 16
        refinement = StrumRefinement(fundamentals: strings.map(\.value), below: limit, capacity: capacity)
        stringCount = strings.count
        lowest = strings.map(\.value).min() ?? 25
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
                clarity = strumClarity(window, longestLag: Int(lowestPeriods / lowest * sampleRate / Double(factor)))
            }
            refinement.refine(window, rate: sampleRate / Double(factor), isGlance: stage == 0)
            stage += 1
            for s in 0..<stringCount { readings.unsafeElements[s] = measured(s) }
            // Later windows lie where most strings have faded; the first two have the picks in them.
            if stage > 2 && isStrum { wasStrum = true }
            return StrumPicture(
                strum: strum, onset: onset.first, window: count * Int(factor), isStrum: wasStrum || isStrum,
                explained: refinement.explainedShare, isFinal: stage == Self.windowCount)
        }
        return nil
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
        var power = 0.0
        for j in 0..<refinement.fit.layout.count(lead) {
            let p = refinement.fit.layout.partial(lead, j)
            // An amplitude here is half of that of a cosine.
            power += 2 * refinement.fit.amplitudes.unsafeElements[p].power
        }
        return StringReading(
            isHeard: refinement.isHeard(string), frequency: Hertz(frequency),
            periodicity: Hertz(refinement.fit.periodicity(lead)), deviation: Cents(cents),
            standardError: Cents(refinement.standardError(string)),
            inharmonicity: refinement.fit.laws.unsafeElements[lead].inharmonicity,
            level: Decibels(power: max(power, 1e-20)))
    }

    /// Starts again as before the first sample.
    @_noLocks public mutating func reset() {
        bank.reset()
        onset.reset()
        (blockCount, strum, stage) = (0, 0, Self.windowCount)
        for s in 0..<stringCount {
            readings.unsafeElements[s] = StringReading(silent: Hertz(refinement.fit.fundamentals.unsafeElements[s]))
        }
    }

    /// Several of the strings explain most of the sound, and it is not that of one.
    private var isStrum: Bool {
        @_noLocks get {
            guard heard(least: leastStrummed) >= min(3, stringCount), refinement.explainedShare > leastExplained else {
                return false
            }
            return clarity < noteClarity || isHarmonicStrum
        }
    }

    /// Nearly all strings are about equally loud: no note looks so, and the strings of open tunings, such as D A D F# A D,
    /// repeat with one period as a note does.
    private var isHarmonicStrum: Bool {
        @_noLocks get {
            var loudest = -Double.infinity
            for s in 0..<stringCount where readings.unsafeElements[s].isHeard {
                loudest = max(loudest, readings.unsafeElements[s].level.value)
            }
            var loud = 0
            for s in 0..<stringCount where readings.unsafeElements[s].isHeard {
                if readings.unsafeElements[s].level.value > loudest - widestLevels { loud += 1 }
            }
            return loud >= max(min(3, stringCount), stringCount - 1)
                && heard(least: leastInHarmony) >= min(3, stringCount)
                && refinement.explainedShare > leastExplainedInHarmony
        }
    }

    /// How many strings are heard with so large a share of what speaks for the loudest.
    @_noLocks private func heard(least share: Double) -> Int {
        var count = 0
        for s in 0..<stringCount where refinement.isHeard(s, least: share) { count += 1 }
        return count
    }

    @_noLocks private mutating func begin() {
        strum += 1
        stage = 0
        wasStrum = false
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
/// The share of the loudest string's gain that a string of a strum has: -17 dB.
private var leastStrummed: Double { @_noLocks get { 2e-2 } }
/// Seconds from the first string to the first window: the step of `StrumOnset`. The pick is in it, but at its edge: the
/// window's weights leave 1/50 of the power of the first 40 ms.
private var stepTime: Double { @_noLocks get { 0.005 } }
/// Of the power below 0.3 of the rate of the fit. Measured on real strums and melodies.
private var leastExplained: Double { @_noLocks get { 0.6 } }
/// The clarity from which on the sound is one note: real strums have 0.31 to 0.67, of 120 recordings of notes and melodies
/// three have less in some window.
private var noteClarity: Double { @_noLocks get { 0.75 } }
/// Decibels below the loudest string: what a single string leaves to others in the fit lies 13 dB below it and more.
private var widestLevels: Double { @_noLocks get { 12.0 } }
/// As `leastStrummed` and `leastExplained`, where the clarity is that of a note. Of 223 notes, with strings of four tunings,
/// two at most looked so in any window; of 84 strums in seven open tunings all but two in 1 s.
private var leastInHarmony: Double { @_noLocks get { 0.1 } }
private var leastExplainedInHarmony: Double { @_noLocks get { 0.88 } }
/// Periods of the lowest string within which a single note repeats: notes up to an octave below it are no strums either.
private var lowestPeriods: Double { @_noLocks get { 2.1 } }
