public import Music
internal import Pitch
internal import Realtime
@_spi(Measurement) public import Rhythm
internal import Spectral
internal import TunerEngine

/// Finds the notes of a melody in a stream of mono samples, as it sounds.
///
/// ```swift
/// var segmenter = try NoteSegmenter(sampleRate: 48.kilohertz)
/// let block = [Float](repeating: 0, count: 512)  // from a microphone
/// segmenter.process(block.span)
/// while let event = segmenter.nextEvent() {
///     if event.kind == .ended { print(event.note.note, event.note.start, event.note.end) }
/// }
/// ```
///
/// One note sounds at a time. A note is told when it begins (`began`), usually 30 to 80 ms after its onset, before it is
/// certain and before the one before is told to be over. For 0.2 s after its beginning its key and that beginning may be
/// corrected (`corrected`), or it may turn out to be none (`withdrawn`); then all that stands. It is told once more when it
/// is over (`ended`), at most 0.1 s after the next one begins. A note that is struck again and one that is slurred to another
/// pitch are notes of their own; a glide and a vibrato are not.
///
/// Blocks may have any size, and the notes do not depend on it. At most 256 events wait; then the oldest are dropped.
///
/// - Complexity: that of `OnsetDetector` and `TunerEngine`, 3 % of a core at 48 kHz. Nothing allocates, locks or throws after
///   `init`, and the compiler checks that.
public struct NoteSegmenter: ~Copyable, Sendable {
    private var slicer: FrameSlicer
    private var onsets: OnsetDetector
    private var pitch: TunerEngine
    private var fresh: FreshPitch
    private var rise: ToneRise
    private var toneBreak: ToneBreak
    private var decider: NoteDecider

    /// A segmenter for one sample rate, 8 to 192 kHz. Allocates.
    ///
    /// - Parameter reference: the pitch by which keys and deviations are named, in equal temperament.
    public init(sampleRate: Hertz, reference: ReferencePitch = .standard) throws(OnsetError) {
        try self.init(sampleRate: sampleRate, reference: reference, constants: SegmenterConstants())
    }

    /// A segmenter with limits of its own.
    @_spi(Measurement) public init(
        sampleRate: Hertz, reference: ReferencePitch = .standard, constants: SegmenterConstants
    ) throws(OnsetError) {
        // All before anything is stored: a value without copies is whole or not there.
        var limits = OnsetConstants()
        (limits.certain, limits.noticed) = (Float(constants.certain), Float(constants.noticed))
        // The pitch tells of soft notes.
        (limits.foretold, limits.pitched) = (0, 0)
        // And of vibratos and glides: an onset where a glide begins is wanted, as it places the note that the glide leads to.
        limits.moving = 0
        let onsets = try OnsetDetector(sampleRate: sampleRate, constants: limits)
        let pitch = try Self.pitchDetector(sampleRate: sampleRate)
        let fresh = try FreshPitch(sampleRate: sampleRate, longest: constants.patience + 0.012)
        let rise = ToneRise(sampleRate: sampleRate)
        let toneBreak = ToneBreak(sampleRate: sampleRate)
        slicer = FrameSlicer(hop: pitch.hop, window: max(2 * fresh.reach, rise.reach, toneBreak.reach))
        decider = NoteDecider(sampleRate: sampleRate, hop: pitch.hop, reference: reference, constants: constants)
        self.fresh = fresh
        self.rise = rise
        self.toneBreak = toneBreak
        self.onsets = onsets
        self.pitch = pitch
    }

    /// The detector with its usual hop and window: what can stop it is what can stop an onset detector.
    private static func pitchDetector(sampleRate: Hertz) throws(OnsetError) -> TunerEngine {
        do throws(PitchError) {
            return try TunerEngine(sampleRate: sampleRate)
        } catch {
            if case .spectral(let error) = error { throw .spectral(error) }
            throw .unsupportedSampleRate(sampleRate)
        }
    }

    /// Processes mono samples, full scale ±1.
    @_noLocks public mutating func process(_ samples: borrowing Span<Float>) {
        var index = 0
        while slicer.fill(from: samples, at: &index) {
            onsets.process(UnsafeBufferPointer(slicer.latest(slicer.hop)).span)
            pitch.process(UnsafeBufferPointer(slicer.latest(slicer.hop)).span)
            while let onset = onsets.nextOnset() { decider.hear(onset) }
            while let reading = pitch.nextReading() { hear(reading) }
        }
    }

    @_noLocks private mutating func hear(_ reading: PitchReading) {
        let age = decider.ageToLookAt(when: reading.frame)
        if age > 0, age <= fresh.reach {
            let old = decider.keyBefore(when: reading.frame)
            let result = fresh.find(slicer.latest(2 * fresh.reach), age: age, after: old)
            decider.hear(result, when: reading.frame)
        }
        if decider.mayEmerge(when: reading.frame) {
            let old = decider.before ?? -1
            let result = fresh.find(
                slicer.latest(2 * fresh.reach), age: fresh.reach, after: old, least: decider.constants.faint)
            decider.emerge(result, when: reading.frame)
        }
        let onset = decider.ageToBreak(when: reading.frame)
        if onset > 0, let old = decider.before {
            decider.hearBreak(toneBreak.find(slicer.latest(toneBreak.reach), age: onset, key: old))
        }
        decider.hear(reading)
        if decider.isUnreadAtLast { decider.hearAll(fresh.findAll(slicer.latest(fresh.reach))) }
        if decider.isBeginningVague {
            decider.hearBeginning(
                rise.find(
                    slicer.latest(rise.reach), key: decider.sounding.key, after: decider.sounding.over,
                    swinging: decider.swingOver))
        }
        if decider.isBeginningOutgrown, decider.hasOutgrown() {
            decider.hearBeginningAgain(
                rise.find(
                    slicer.latest(rise.reach), key: decider.sounding.key, after: decider.sounding.over))
        }
    }

    /// Ends the note that sounds. Call it after the last sample.
    @_noLocks public mutating func finish() { decider.finish() }

    /// The oldest event that was not taken yet, or `nil`.
    @_noLocks public mutating func nextEvent() -> NoteEvent? { decider.nextEvent() }

    /// How many events were dropped because they were not taken in time.
    public var droppedEvents: Int { @_noLocks get { decider.dropped } }

    /// Starts again as before the first sample.
    @_noLocks public mutating func reset() {
        slicer.reset()
        onsets.reset()
        pitch.reset()
        decider.reset()
    }
}
