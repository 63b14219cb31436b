internal import CRealtime
public import Music
internal import Realtime
internal import Spectral

/// The maximum-likelihood pitch of one note at a time: the house's own method.
///
/// 1. An attack restarts the window at its very sample; the window grows from there to `longestWindow`.
/// 2. The key maxima of the normalised difference (McLeod & Wyvill 2005) are the candidates. A note is told when period,
///    fit and successive windows agree (`NoteEvidence`), on the whole window or on its newest part.
/// 3. Among them the octave is chosen by exact harmonic least squares and description length (Nielsen et al. 2017).
/// 4. The pitch is the maximum-likelihood frequency of a stiff string's tone (`HarmonicFit`), all partials that matter,
///    on a copy of the sound at a rate that fits the note. Its standard error comes with it.
/// 5. While a note sounds, only its newest block is met (`PartialBlocks`). A short window runs beside the long one, and
///    where they disagree by more than chance the pitch is moving and the short one is told, filtered (`MovingPitch`).
/// 6. The standard error is that of white noise at least. What the partials' scatter within a window and the changes from
///    window to window (`PitchInnovation`) tell beyond white noise comes on top.
/// 7. Mains hum that no attack announced and rumble are no notes (`Background`).
///
/// - Complexity: half a million instructions per hop of 256 samples on average over notes from 41 Hz to 2 kHz, attacks
///   included. Acquisition costs several times more per hop. No allocation after `init`.
@_spi(Engine) public struct HarmonicDetector: ~Copyable, PitchDetector, Sendable {
    /// How many samples lie between two readings.
    public let hop: Int
    /// How many of the newest samples the detector wants to see. It keeps what came before by itself.
    public let windowLength: Int

    let sizes: NoteSizes
    var bank: DecimationBank
    var candidates: PeriodCandidates
    var moments: PartialMoments
    let fits = HarmonicFits()
    var blocks: PartialBlocks
    let rows = SampleBuffer<Float>(count: 6 * PartialMoments.stride)

    private var received = 0
    /// Those of the hops before this one.
    private let powers: SampleBuffer<Double>
    private var hops = 0
    /// Where the note's window begins, in samples of the widest copy.
    var onset = 0
    /// Where the last attack was, in the same samples. That a stream begins is none.
    var attack = -1 << 40
    /// The power of the newest hop.
    var power = 0.0
    /// Whether the window may still begin later, once the attack has come to its height.
    private var isRising = false
    var note = NoteState()

    /// A detector for one sample rate. Allocates.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 to 192 kHz.
    ///   - hop: samples between readings, 1 to 50 ms; by default 5.33 ms (256 samples at 48 kHz).
    ///   - longestWindow: seconds that a steady note's reading rests on at most, 0.085 to 1; by default 0.3.
    public init(sampleRate: Hertz, hop: Int? = nil, longestWindow: Double = 0.3) throws(PitchError) {
        let hop = try PitchRange.hop(hop, sampleRate: sampleRate)
        guard (0.085...1).contains(longestWindow) else { throw .unsupportedWindow(longestWindow) }
        let sizes = NoteSizes(sampleRate: sampleRate.value, hop: hop, longestWindow: longestWindow)
        let candidates = try PeriodCandidates(
            longestWindow: sizes.middle, longestLag: Int(sizes.rate / PitchRange.lowest()) + 2)
        self.candidates = candidates
        self.hop = hop
        self.sizes = sizes
        bank = DecimationBank(
            base: sizes.base, levelCount: NoteSizes.levelCount, length: (sizes.long + 2 * sizes.hop) * sizes.base,
            hop: hop)
        moments = PartialMoments(longest: sizes.middle + 2 * sizes.hop)
        blocks = PartialBlocks(capacity: sizes.mostBlocks + 4, longestBlock: sizes.hop + 2)
        windowLength = hop
        // 43 ms: more than a period of the lowest B of a bass, whose every pulse would pass for an attack otherwise, and
        // whose every pause for silence.
        powers = SampleBuffer(count: max(1, Int((0.0426 * sampleRate.value / Double(hop)).rounded(.up))))
    }

    /// Forgets all sound so far.
    @_noLocks public mutating func reset() {
        bank.reset()
        (received, hops, onset, attack) = (0, 0, 0, -1 << 40)
        isRising = false
        note = NoteState()
    }

    /// Reads the pitch at the end of `window`.
    @_noLocks public mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        bank.update(from: window, newest: hop)
        received += hop
        power = meanSquare(of: window, newest: hop)
        let level = Decibels(power: power)
        let before = loudest(within: 0)
        powers.unsafeElements[hops % powers.count] = power
        hops += 1
        findOnset(window, power: power, before: before)
        if isRising { passRise() }
        guard loudest(within: note.isLocked ? note.frequency : 0) > PitchRange.silence() else {
            note = NoteState()
            onset = bank.count(0)
            hops = 0
            return PitchReading(frame: frame, state: .silence, level: level)
        }
        guard bank.count(0) - onset >= sizes.shortest else {
            note.isLocked = false
            return PitchReading(frame: frame, state: .attack, level: level)
        }
        if note.isLocked { follow() }
        if !note.isLocked { acquire() }
        return note.reading(frame: frame, level: level, isYoung: bank.count(0) - onset < sizes.middle)
    }

    /// The highest power of the hops of the last 43 ms, or of one and a half periods if there is a note.
    @_noLocks private func loudest(within frequency: Double) -> Double {
        var loudest = 1e-14
        let known = min(hops, powers.count)
        let periods = frequency > 0 ? Int(1.5 * sizes.rate / (frequency * Double(sizes.hop))) + 2 : known
        for n in 0..<min(known, periods) {
            loudest = max(loudest, powers.unsafeElements[(hops - 1 - n) % powers.count])
        }
        return loudest
    }

    /// Restarts the window at the sample where a hop rises 9 dB above all of the last 43 ms.
    @_noLocks private mutating func findOnset(_ window: borrowing Span<Float>, power: Double, before: Double) {
        if power > Background.leastRise * before, received > powers.count * hop { attack = bank.count(0) }
        guard power > 8 * before, power > 1e-8 else { return }
        var peak: Float = 0
        for n in (window.count - hop)..<window.count { peak = max(peak, abs(window[n])) }
        let least = max(0.2 * peak, 4 * Float(rt_sqrt(before)))
        var first = window.count - hop
        while first < window.count - 1 && abs(window[first]) <= least { first += 1 }
        onset = (received - window.count + first + sizes.base - 1) / sizes.base
        note = NoteState()
        note.isOverAnother = before > 1e-3 * power
        isRising = true
    }

    /// Lets the window begin where the attack has come to 0.4 of its height, 1.5 ms later at most.
    ///
    /// A tone that is still rising does not repeat, and in a window of two periods that costs more than 1.5 ms of sound.
    @_noLocks private mutating func passRise() {
        let longest = Int(0.0015 * sizes.rate)
        let known = bank.count(0) - onset
        // Until a hop after the attack: before that its height is not known.
        guard known >= longest + sizes.hop / 2 else { return }
        isRising = false
        guard known <= longest + 2 * sizes.hop else { return }
        let samples = bank.latest(known, of: 0)
        var peak: Float = 0
        for n in 0..<known { peak = max(peak, abs(samples[n])) }
        var first = 0
        while first < longest && abs(samples[first]) < 0.4 * peak { first += 1 }
        onset += first
    }
}
