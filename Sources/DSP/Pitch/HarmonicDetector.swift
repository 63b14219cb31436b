internal import CRealtime
public import Music
internal import Realtime
internal import Spectral

/// The maximum-likelihood pitch of one note at a time: this package's own method.
///
/// 1. An attack restarts the window at its very sample; the window grows from there to `longestWindow`.
/// 2. The key maxima of the normalised difference (McLeod & Wyvill 2005) are the candidates. A note is told when period,
///    fit and successive windows agree (`NoteEvidence`), on the whole window or on its newest part.
/// 3. Among them the octave is chosen by exact harmonic least squares and description length (Nielsen et al. 2017).
/// 4. The pitch is the maximum-likelihood frequency of a stiff string's tone (`HarmonicFit`), all partials that matter,
///    on a copy of the sound at a rate that fits the note. Its standard error comes with it.
/// 5. While a note sounds, only its newest block is measured (`PartialBlocks`). A short window runs beside the long one;
///    where they disagree by more than chance the pitch is moving and the short one is told, filtered (`MovingPitch`).
/// 6. The standard error is that of white noise at least. What the partials' scatter within a window and the changes from
///    window to window (`PitchInnovation`) tell beyond white noise comes on top.
/// 7. Mains hum that no attack announced and rumble are no notes (`Background`).
///
/// A note is in one `NotePhase` at a time. The sound is looked at in steps of 3 to 6 ms whatever the hop (`StepCutter`).
///
/// - Complexity: half a million instructions per step of 256 samples on average over notes from 41 Hz to 2 kHz, attacks
///   included. Acquisition costs several times more per step. No allocation after `init`.
@_spi(Engine) public struct HarmonicDetector: ~Copyable, PitchDetector, Sendable {
    /// How many samples lie between two readings.
    public let hop: Int
    /// How many of the newest samples the detector wants to see. It keeps what came before by itself.
    public let windowLength: Int

    var analyzer: NoteAnalyzer
    private(set) var phase = NotePhase.silence
    private var cutter: StepCutter
    private var attacks: AttackDetector
    private var reading = NoteReading()

    /// A detector for one sample rate. Allocates.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 to 192 kHz.
    ///   - hop: samples between readings, 1 to 50 ms; by default 5.33 ms (256 samples at 48 kHz).
    ///   - longestWindow: seconds that a steady note's reading rests on at most, 0.085 to 1; by default 0.3.
    ///   - constants: times and limits, to measure what they do.
    public init(
        sampleRate: Hertz, hop: Int? = nil, longestWindow: Double = 0.3, constants: PitchConstants = PitchConstants()
    ) throws(PitchError) {
        let hop = try PitchRange.hop(hop, sampleRate: sampleRate)
        guard (0.085...1).contains(longestWindow) else { throw .unsupportedWindow(longestWindow) }
        let step = StepCutter(hop: hop, sampleRate: sampleRate.value).step
        let sizes = NoteSizes(
            sampleRate: sampleRate.value, step: step, longestWindow: longestWindow, constants: constants)
        let analyzer = try NoteAnalyzer(sizes: sizes, constants: constants, step: step + 1)
        self.analyzer = analyzer
        self.hop = hop
        windowLength = hop
        cutter = StepCutter(hop: hop, sampleRate: sampleRate.value)
        attacks = AttackDetector(sampleRate: sampleRate.value, step: step, constants: constants)
    }

    /// Forgets all sound so far.
    @_noLocks public mutating func reset() {
        analyzer.reset()
        cutter.reset()
        attacks.reset()
        phase = .silence
        reading = NoteReading()
    }

    /// Reads the pitch at the end of `window`.
    @_noLocks public mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        let level = Decibels(power: meanSquare(of: window, newest: hop))
        let steps = cutter.add(window, newest: hop)
        for index in 0..<steps { advance(cutter.step(index).span) }
        let isYoung = analyzer.end - attacks.onset < analyzer.sizes.middle
        var unvoiced = PitchState.attack
        switch phase {
        case .silence: unvoiced = .silence
        case .attack: unvoiced = .attack
        case .acquiring, .steady, .moving, .releasing: unvoiced = isYoung ? .attack : .unvoiced
        }
        return reading.reading(frame: frame, unvoiced: unvoiced, level: level)
    }

    /// Takes in one step of sound: the transitions between the phases.
    @_noLocks private mutating func advance(_ step: borrowing Span<Float>) {
        analyzer.bank.update(from: step, newest: step.count)
        if let before = attacks.hear(step, base: analyzer.sizes.base) {
            phase = .attack(belief(before: before))
        }
        attacks.passRise(&analyzer)
        guard attacks.isSounding(phase.isFollowed ? reading.frequency : 0, analyzer.sizes) else {
            phase = .silence
            attacks.rest(at: analyzer.end)
            reading = NoteReading()
            return
        }
        if case .silence = phase { phase = .attack(NoteBelief()) }
        guard analyzer.end - attacks.onset >= analyzer.sizes.shortest else {
            reading = NoteReading()
            return
        }
        if case .attack(let belief) = phase { phase = .acquiring(Acquiring(belief)) }
        follow()
        acquire()
    }

    /// What is known of a note at its attack.
    ///
    /// A pick, a hammer or a tongue makes a sound of its own just before the note: that is no other note.
    ///
    /// - Parameter before: how loud the sound before was, as a share of the attack.
    @_noLocks private mutating func belief(before: Double) -> NoteBelief {
        // 30 dB: what rings below that does not disturb.
        guard before > 1e-3 else { return NoteBelief() }
        if phase.isFollowed { return NoteBelief(isOverAnother: true, ringing: reading.frequency) }
        return switch phase {
        case .attack(let belief): belief.afresh()
        case .acquiring(let acquiring): acquiring.belief.afresh()
        case .silence, .steady, .moving, .releasing: NoteBelief()
        }
    }

    /// Follows the note, if there is one.
    @_noLocks private mutating func follow() {
        switch phase {
        case .steady(let steady):
            phase = Following.steady(steady).advance(&analyzer, attacks, isReleasing: false)
        case .moving(let moving):
            phase = Following.moving(moving).advance(&analyzer, attacks, isReleasing: false)
        case .releasing(let following):
            phase = following.advance(&analyzer, attacks, isReleasing: true)
        case .silence, .attack, .acquiring: return
        }
        if let told = phase.reading { reading = told }
    }

    /// Looks for a note, if there is none, and follows it once it is certain.
    @_noLocks private mutating func acquire() {
        guard case .acquiring(var acquiring) = phase else { return }
        let outcome = acquiring.advance(
            &analyzer, onset: attacks.onset, power: attacks.power,
            isAnnounced: attacks.isAnnounced(at: analyzer.end, analyzer))
        reading = outcome.reading
        phase = .acquiring(acquiring)
        guard let (found, stretch) = outcome.found else { return }
        phase = .steady(Steady(FollowedNote(outcome, found, in: stretch, after: acquiring, &analyzer)))
    }
}

extension NotePhase {
    /// Whether a note is followed: then the detector's reading is this note's.
    fileprivate var isFollowed: Bool {
        @_noLocks get {
            switch self {
            case .steady, .moving, .releasing: true
            case .silence, .attack, .acquiring: false
            }
        }
    }

    /// What the note that is followed says.
    fileprivate var reading: NoteReading? {
        @_noLocks get {
            switch self {
            case .steady(let steady): steady.note.reading
            case .moving(let moving): moving.note.reading
            case .releasing(.steady(let steady)): steady.note.reading
            case .releasing(.moving(let moving)): moving.note.reading
            case .silence, .attack, .acquiring: nil
            }
        }
    }
}
