internal import CRealtime
public import Music
internal import Realtime

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
    private var sound: StrumSound
    private let readings: SampleBuffer<StringReading>
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
    private var windows = StrumWindows()

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
        let factor = StrumSound.factor(below: limit, sampleRate: sampleRate.value)
        sound = StrumSound(fundamentals: tunings[0], below: limit, sampleRate: sampleRate.value)
        let capacity = Int(2.01 * sampleRate.value) / factor + 16
        places = StringPlaces(tunings, below: max(limit, 0.3 * sampleRate.value / Double(factor)))
        refinement = StrumRefinement(places, capacity: capacity)
        trial = TuningTrial(places, capacity: capacity)
        stringCount = strings.count
        readings = SampleBuffer(copying: strings.map(StringReading.init(silent:)))
    }

    /// Takes in mono samples, full scale ±1, in blocks of any size.
    ///
    /// Call `refine` after each block of up to half a second; a strum whose samples are forgotten before is lost.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) {
        for i in samples.indices { sound.process(samples[i]) }
        guard sound.strumCount != strum else { return }
        strum = sound.strumCount
        windows.begin()
        wasStrum = false
        trial.stop()
        refinement.reset()
    }

    /// Fits the next window of the newest strum, if its samples are there.
    ///
    /// - Returns: what it found; `nil` when there is nothing to do before more samples come.
    /// - Complexity: with K partials and N samples at the rate of the fit, about 8 N K + 10 K³ operations for each of 6 to
    ///   14 steps: 5 to 30 ms for a guitar, whose K is 56.
    @_noLocks public mutating func refine() -> StrumPicture? {
        tryTunings()
        guard !windows.areDone else { return nil }
        let factor = Int64(sound.factor)
        let start = windows.start(after: sound.onset, sampleRate: sound.sampleRate)
        let begin = (start ?? 0) / factor
        let count = Int(windows.seconds * sound.sampleRate) / Int(factor)
        let end = begin + Int64(count)
        guard end <= sound.available, !sound.onset.loss.isOpen(before: end * factor) else { return nil }
        guard start != nil, let samples = sound.copy(from: begin) else {
            windows.end()
            return nil
        }
        let window = UnsafeMutableBufferPointer(rebasing: samples[0..<count])
        fit(window)
        windows.advance()
        for s in 0..<stringCount { readings.unsafeElements[s] = refinement.reading(of: s) }
        // Later windows lie where most strings have faded; the first two have the picks in them.
        let isStrum = refinement.isStrum(clarity: clarity)
        if windows.isLate { wasStrum = isStrum || wasStrum && refinement.isStillStrum }
        if windows.isTrial, strum != triedStrum, !(isStrum && refinement.isWhole), clarity < singleClarity {
            triedStrum = strum
            trial.start(at: begin, count: count, unexplained: refinement.unexplainedShare)
        }
        if windows.isSecondTrial, triedStrum == strum, !(isStrum && refinement.isWhole) {
            trial.startAgain(at: begin, count: count, unexplained: refinement.unexplainedShare)
        }
        return StrumPicture(
            strum: strum, onset: sound.onset.first, window: count * Int(factor), tuning: tuning,
            isStrum: wasStrum || isStrum, explained: refinement.explainedShare,
            hasForeignLines: refinement.isForeign, clarity: clarity, isFinal: windows.areDone)
    }

    @_noLocks private mutating func fit(_ window: UnsafeMutableBufferPointer<Float>) {
        let isGlance = windows.isGlance
        if windows.isEarly {
            // What the pick has bent must not lead the others astray.
            if !isGlance { refinement.reset() }
            let longest = lowestPeriods / places.lowest(of: tuning)
            clarity = strumClarity(window, longestLag: Int(longest * sound.rate))
        }
        // A silent or faint string speaks for another tuning until those have been tried.
        let isSettled = !hasOthers || windows.isSettled
        refinement.refine(window, rate: sound.rate, isGlance: isGlance, isSettled: isSettled)
    }

    /// Tries the tunings that are due, and starts again with the one that fits.
    @_noLocks private mutating func tryTunings() {
        while trial.isDue(at: sound.available, rate: sound.rate) {
            guard let samples = sound.copy(from: trial.begin) else { return trial.stop() }
            let found = trial.advance(places, but: tuning, samples, rate: sound.rate, clarity: clarity)
            guard found >= 0 else { continue }
            tuning = found
            refinement.retune(places, tuning)
            // Not the very first window, which has the picks in it.
            windows.beginAgain()
            wasStrum = false
        }
    }

    /// What the newest picture tells of a string, counted from 0 in the order of `init`. Before the first, none is heard.
    @_noLocks public func reading(of string: Int) -> StringReading {
        precondition(string >= 0 && string < stringCount, "the instrument has no such string")
        return readings.unsafeElements[string]
    }

    /// Starts again as before the first sample, in the tuning that was found last.
    @_noLocks public mutating func reset() {
        sound.reset()
        trial.stop()
        windows.end()
        (strum, triedStrum) = (0, 0)
        for s in 0..<stringCount {
            readings.unsafeElements[s] = StringReading(silent: Hertz(refinement.fit.fundamentals.unsafeElements[s]))
        }
    }
}

/// The clarity from which on one string sounds, and no other tuning is tried: of 50 generated strums in open E three have 0.952 to
/// 0.966, and most single strings more than 0.97.
private var singleClarity: Double { @_noLocks get { 0.97 } }
/// Periods of the lowest string within which a single note repeats: notes up to an octave below it are no strums either.
var lowestPeriods: Double { @_noLocks get { 2.1 } }
