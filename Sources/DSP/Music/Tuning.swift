private import CRealtime

/// The notes to tune to, with their frequencies from 1 Hz to 100 kHz.
///
/// A tuning combines a reference pitch with a temperament, or a scale with a keyboard mapping, and adds the player's
/// offsets. It finds the note nearest to a frequency and the deviation from it.
///
/// ```swift
/// let tuning = try Tuning(reference: ReferencePitch(a4: 415.hertz), temperament: .vallotti)
/// let nearest = tuning.nearest(to: 311.hertz)  // E♭4 in that tuning, and the deviation in cents
/// ```
///
/// A tuning holds arrays, so do not use it on the audio thread. Make a new tuning when the reference changes; it takes
/// microseconds.
public struct Tuning: Sendable {
    /// A note of the tuning.
    public struct Target: Sendable, Hashable {
        /// Its key, a MIDI number that may lie outside 0...127.
        public let key: Note
        /// Its frequency.
        public let frequency: Hertz
        /// The degree of the scale, from 0; the pitch class in a temperament.
        public let degree: Int
        /// Its octave or period. The one that begins at the middle key has the octave number of that key.
        public let octave: Int
    }

    /// The frequency of A4, or of the mapping's reference key.
    public let reference: Hertz
    /// The scale; `nil` for a temperament of the twelve keys.
    package let scale: Scale?

    /// By rising pitch.
    private let notes: [Entry]
    private let indexOfKey: [Int: Int]

    /// A temperament of the twelve keys with offsets on top of it.
    package init(
        reference: ReferencePitch = .standard, temperament: Temperament = .equal, key: Int = 0, sweetening: Sweetening
    ) throws(TuningError) {
        guard Self.audible.contains(reference.a4.value) else { throw .unsupportedReference(reference.a4) }
        let offsets = temperament.offsets(key: key)
        var notes: [Entry] = []
        // 17 octaves up and down: more than 1 Hz to 100 kHz with A4 anywhere in that range.
        for midi in (69 - 204)...(69 + 204) {
            let note = Note(midi: midi)
            let position = 100 * Double(midi - 69) + offsets[note.pitchClass].value + sweetening.offset(of: note).value
            notes.append(Entry(position: position, key: midi, degree: note.pitchClass, octave: note.octave))
        }
        self.init(reference: reference.a4, scale: nil, notes: notes)
    }

    /// A temperament of the twelve keys.
    ///
    /// - Parameters:
    ///   - reference: the frequency of A4, 1 Hz to 100 kHz.
    ///   - temperament: equal by default. A4 is at the reference in every temperament.
    ///   - key: the pitch class that the temperament is built on, 0 for C.
    public init(
        reference: ReferencePitch = .standard, temperament: Temperament = .equal, key: Int = 0
    ) throws(TuningError) {
        try self.init(reference: reference, temperament: temperament, key: key, sweetening: Sweetening())
    }

    /// A scale with a period above 1/1 at its place on the keyboard, with offsets by key on top of it.
    package init(scale: Scale, mapping: KeyboardMapping, sweetening: Sweetening = Sweetening()) throws(TuningError) {
        guard Self.audible.contains(mapping.frequency.value) else { throw .unsupportedReference(mapping.frequency) }
        let formalOctave = mapping.formalOctave > 0 && !mapping.pattern.isEmpty ? mapping.formalOctave : scale.count
        let period = scale.cents(ofDegree: formalOctave).value
        guard scale.count > 0, scale.period.value > 0, period > 0, period.isFinite else {
            throw .periodNotAbove(Cents(min(period, scale.period.value)))
        }
        guard let home = Self.position(of: mapping.reference, scale, mapping, period) else {
            throw .referenceUnmapped(mapping.reference)
        }
        // The number of repetitions in the audible range, each with every key of the pattern.
        let size = mapping.pattern.isEmpty ? scale.count : mapping.pattern.count
        let entries = mapping.pattern.isEmpty ? Array(0..<scale.count) : mapping.pattern.compactMap(\.self)
        let spread = entries.map { scale.cents(ofDegree: $0).value.magnitude }.max() ?? 0
        let reach = (1_200 * Self.octaves + spread + home.magnitude) / period + 1
        guard reach * Double(size) < Double(Self.maximumNotes) else { throw .tooManyNotes(limit: Self.maximumNotes) }
        var notes: [Entry] = []
        let repetitions = Int(reach)
        for midi in (mapping.middle.midi - repetitions * size)...(mapping.middle.midi + repetitions * size) {
            let key = Note(midi: midi)
            guard mapping.retunes(key), let (entry, repetition) = mapping.entry(of: key),
                let position = Self.position(of: key, scale, mapping, period)
            else { continue }
            let total = mapping.pattern.isEmpty ? entry : repetition * formalOctave + entry
            let (octave, degree) = divided(total, by: scale.count)
            let offset = sweetening.offset(of: key).value
            notes.append(
                Entry(
                    position: position - home + offset, key: midi, degree: degree,
                    octave: mapping.middle.octave + octave))
        }
        self.init(reference: mapping.frequency, scale: scale, notes: notes)
        guard !self.notes.isEmpty else { throw .noNotes }
    }

    /// A scale with degree 0 on middle C and one degree for each key.
    ///
    /// A scale of twelve notes has A4 at the reference. Any other scale has no A; its middle C is the one of equal
    /// temperament.
    package init(
        scale: Scale, reference: ReferencePitch = .standard, sweetening: Sweetening = Sweetening()
    ) throws(TuningError) {
        let middle = Note(midi: 60)
        let mapping =
            scale.count == 12
            ? KeyboardMapping(frequency: reference.a4)
            : KeyboardMapping(reference: middle, frequency: reference.frequency(of: middle))
        try self.init(scale: scale, mapping: mapping, sweetening: sweetening)
    }

    /// The number of notes from 1 Hz to 100 kHz.
    public var count: Int { notes.count }

    /// A note by its index, from 0 to `count` - 1, in order of rising pitch.
    public subscript(index: Int) -> Target {
        precondition(notes.indices.contains(index), "the tuning has no note \(index)")
        let note = notes[index]
        return Target(
            key: Note(midi: note.key), frequency: reference.raised(by: Cents(note.position)), degree: note.degree,
            octave: note.octave)
    }

    /// The note of a key; `nil` for a key without a note.
    public func target(for key: Note) -> Target? { indexOfKey[key.midi].map { self[$0] } }

    /// The note nearest to a frequency and the deviation from it; positive is sharp.
    ///
    /// Halfway between two notes it is the lower one; of several keys at one pitch it is the lowest.
    ///
    /// - Parameter frequency: 1 Hz to 100 kHz; otherwise the result is `nil`.
    /// - Complexity: O(log `count`).
    public func nearest(to frequency: Hertz) -> (target: Target, deviation: Cents)? {
        guard Self.audible.contains(frequency.value) else { return nil }
        let position = 1_200 * rt_log2(frequency / reference)
        let index = nearestIndex(to: position)
        return (self[index], Cents(position - notes[index].position))
    }

    /// The deviation of a frequency from the note of a key; positive is sharp.
    ///
    /// - Returns: `nil` for a key without a note, or a frequency outside 1 Hz to 100 kHz.
    public func deviation(of frequency: Hertz, from key: Note) -> Cents? {
        guard Self.audible.contains(frequency.value), let index = indexOfKey[key.midi] else { return nil }
        return Cents(1_200 * rt_log2(frequency / reference) - notes[index].position)
    }

    /// The name of a note without its octave: the scale's name if it has names; the key's name in `naming` if there are
    /// twelve keys; otherwise the number of the degree.
    package func name(of target: Target, in naming: NoteNaming = NoteNaming()) -> String {
        guard let scale else { return naming.name(ofPitchClass: target.key.pitchClass) }
        if !scale.names.isEmpty { return scale.names[target.degree] }
        return scale.count == 12 ? naming.name(ofPitchClass: target.key.pitchClass) : String(target.degree)
    }

    // MARK: Construction

    /// The range of the tables, in hertz: wider than hearing, so that it contains every pitch a tuner finds.
    static let audible = 1.0...100_000.0
    /// The octaves in that range, rounded up.
    private static let octaves = 17.0
    /// 2 MB of tables, or some 3,000 notes to the octave: finer than any tuner.
    static let maximumNotes = 65_536

    private struct Entry {
        /// Cents above the reference.
        let position: Double
        let key: Int
        let degree: Int
        let octave: Int
    }

    private init(reference: Hertz, scale: Scale?, notes: [Entry]) {
        (self.reference, self.scale) = (reference, scale)
        let low = 1_200 * rt_log2(Self.audible.lowerBound / reference.value)
        let high = 1_200 * rt_log2(Self.audible.upperBound / reference.value)
        let sorted = notes.filter { $0.position >= low && $0.position <= high }
            .sorted { ($0.position, $0.key) < ($1.position, $1.key) }
        self.notes = sorted
        indexOfKey = Dictionary(uniqueKeysWithValues: sorted.indices.map { (sorted[$0].key, $0) })
    }

    /// Cents of a key above degree 0 on the middle key; `nil` for a key without a note.
    private static func position(
        of key: Note, _ scale: Scale, _ mapping: KeyboardMapping, _ period: Double
    ) -> Double? {
        mapping.entry(of: key).map { Double($0.repetition) * period + scale.cents(ofDegree: $0.degree).value }
    }

    /// The index of the note nearest to a position: the lower of two equally near, the first of several equal ones.
    private func nearestIndex(to position: Double) -> Int {
        let upper = firstIndex(from: position)
        if upper == 0 { return 0 }
        let below = notes[upper - 1].position
        let isLower = upper == notes.count || position - below <= notes[upper].position - position
        return isLower ? firstIndex(from: below) : upper
    }

    /// The index of the first note that is not below a position.
    private func firstIndex(from position: Double) -> Int {
        var (low, high) = (0, notes.count)
        while low < high {
            let middle = (low + high) / 2
            if notes[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
