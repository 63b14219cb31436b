private import CRealtime

/// What a tuner tunes to: every note that may be meant, at its frequency.
///
/// A tuning joins a reference pitch with a temperament, or a scale with a keyboard mapping, adds the player's own offsets,
/// and lists the outcome from 1 Hz to 100 kHz. Then it answers one question: which note is nearest to this frequency, and
/// how far off is it?
///
///     let tuning = try Tuning(reference: ReferencePitch(a4: 415.0.hertz), temperament: .vallotti)
///     tuning.nearest(to: 311.0.hertz)   // E♭4… and its deviation in cents
///
/// A tuning holds arrays and belongs off the audio thread; `TuningTable` gives the same answers on it. Make a new one when
/// the reference changes: 12 notes take some microseconds.
public struct Tuning: Sendable {
    /// A note of the tuning.
    public struct Target: Sendable, Hashable {
        /// The key that sounds it, a MIDI number which may lie outside 0...127.
        public let key: Note
        /// Where it belongs.
        public let frequency: Hertz
        /// The degree of the scale, from 0; with a temperament, the pitch class.
        public let degree: Int
        /// The octave (or period) it lies in: the one that begins at the middle key has the middle key's number.
        public let octave: Int
    }

    /// The frequency that everything hangs from: A4, or the mapping's reference key.
    public let reference: Hertz
    /// The scale; `nil` where a temperament of the twelve keys is tuned.
    public let scale: Scale?

    // One entry for each note, by rising pitch: cents above the reference, key, and where it stands in the scale.
    let positions: [Double]
    let keys: [Int]
    private let degrees: [(degree: Int, octave: Int)]
    private let indexOfKey: [Int: Int]

    /// The twelve keys in a temperament.
    ///
    /// - Parameters:
    ///   - reference: what A4 is, 1 Hz to 100 kHz.
    ///   - temperament: equal unless said otherwise. A keeps the reference whatever the temperament.
    ///   - key: the pitch class that the temperament is built on, 0 for C.
    ///   - sweetening: offsets on top, those of A included.
    public init(
        reference: ReferencePitch = .standard, temperament: Temperament = .equal, key: Int = 0,
        sweetening: Sweetening = Sweetening()
    ) throws(TuningError) {
        guard Self.audible.contains(reference.a4.value) else { throw .unsupportedReference(reference.a4) }
        let offsets = temperament.offsets(key: key)
        var notes: [Entry] = []
        // 17 octaves: more than 1 Hz to 100 kHz with A4 anywhere in that range.
        for midi in (69 - 204)...(69 + 204) {
            let note = Note(midi: midi)
            let position = 100 * Double(midi - 69) + offsets[note.pitchClass].value + sweetening.offset(of: note).value
            notes.append(Entry(position: position, key: midi, degree: note.pitchClass, octave: note.octave))
        }
        self.init(reference: reference.a4, scale: nil, notes: notes)
    }

    /// A scale on the keyboard that a mapping describes.
    ///
    /// - Parameters:
    ///   - scale: its period must be above 1/1.
    ///   - mapping: where it lies and what it hangs from.
    ///   - sweetening: offsets on top, by key.
    public init(scale: Scale, mapping: KeyboardMapping, sweetening: Sweetening = Sweetening()) throws(TuningError) {
        guard Self.audible.contains(mapping.frequency.value) else { throw .unsupportedReference(mapping.frequency) }
        let formalOctave = mapping.formalOctave > 0 && !mapping.pattern.isEmpty ? mapping.formalOctave : scale.count
        let period = scale.cents(ofDegree: formalOctave).value
        guard scale.count > 0, scale.period.value > 0, period > 0, period.isFinite else {
            throw .periodNotAbove(Cents(min(period, scale.period.value)))
        }
        guard let home = Self.position(of: mapping.reference, scale, mapping, period) else {
            throw .referenceUnmapped(mapping.reference)
        }
        // Only so many repetitions can lie in the audible range; each holds every key of the pattern.
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
        guard !positions.isEmpty else { throw .noNotes }
    }

    /// A scale with degree 0 on middle C, one degree a key.
    ///
    /// With twelve notes, A4 is the reference itself. With any other number there is no A to speak of, and middle C is what
    /// it would be in equal temperament.
    public init(
        scale: Scale, reference: ReferencePitch = .standard, sweetening: Sweetening = Sweetening()
    ) throws(TuningError) {
        let middle = Note(midi: 60)
        let mapping =
            scale.count == 12
            ? KeyboardMapping(frequency: reference.a4)
            : KeyboardMapping(reference: middle, frequency: reference.frequency(of: middle))
        try self.init(scale: scale, mapping: mapping, sweetening: sweetening)
    }

    /// How many notes there are from 1 Hz to 100 kHz.
    public var count: Int { positions.count }

    /// The notes by rising pitch, 0 to `count` - 1.
    public subscript(index: Int) -> Target {
        precondition(positions.indices.contains(index), "the tuning has no note \(index)")
        return Target(
            key: Note(midi: keys[index]), frequency: frequency(at: positions[index]), degree: degrees[index].degree,
            octave: degrees[index].octave)
    }

    /// The note that a key sounds; `nil` for a key that sounds none.
    public func target(for key: Note) -> Target? { indexOfKey[key.midi].map { self[$0] } }

    /// The note nearest to a frequency, and how far the frequency lies from it: positive is sharp.
    ///
    /// Halfway between two notes the lower one counts; of several keys at one pitch, the lowest.
    ///
    /// - Parameter frequency: 1 Hz to 100 kHz; otherwise the result is `nil`.
    /// - Complexity: O(log `count`).
    public func nearest(to frequency: Hertz) -> (target: Target, deviation: Cents)? {
        guard Self.audible.contains(frequency.value) else { return nil }
        let position = 1_200 * rt_log2(frequency / reference)
        let index = nearestPosition(in: positions.span, to: position)
        return (self[index], Cents(position - positions[index]))
    }

    /// How far a frequency lies from the note of a key, as when one string is locked: positive is sharp.
    ///
    /// - Returns: `nil` for a key that sounds nothing, or a frequency outside 1 Hz to 100 kHz.
    public func deviation(of frequency: Hertz, from key: Note) -> Cents? {
        guard Self.audible.contains(frequency.value), let index = indexOfKey[key.midi] else { return nil }
        return Cents(1_200 * rt_log2(frequency / reference) - positions[index])
    }

    /// The name of a note without its octave: the scale's own where it has names; with twelve keys, the key's in `naming`;
    /// else the number of the degree.
    public func name(of target: Target, in naming: NoteNaming = NoteNaming()) -> String {
        guard let scale else { return naming.name(ofPitchClass: target.key.pitchClass) }
        if !scale.names.isEmpty { return scale.names[target.degree] }
        return scale.count == 12 ? naming.name(ofPitchClass: target.key.pitchClass) : String(target.degree)
    }

    // MARK: How it is made

    /// What the tables cover, in hertz: well beyond anything heard, so that no pitch a tuner finds lies outside.
    static let audible = 1.0...100_000.0
    /// log2 of that range, rounded up.
    private static let octaves = 17.0
    /// 2 MB of tables, some 3,000 notes to the octave: finer than any ear or tuner.
    static let maximumNotes = 65_536

    private struct Entry {
        let position: Double
        let key: Int
        let degree: Int
        let octave: Int
    }

    private init(reference: Hertz, scale: Scale?, notes: [Entry]) {
        self.reference = reference
        self.scale = scale
        let low = 1_200 * rt_log2(Self.audible.lowerBound / reference.value)
        let high = 1_200 * rt_log2(Self.audible.upperBound / reference.value)
        let sorted = notes.filter { $0.position >= low && $0.position <= high }
            .sorted { ($0.position, $0.key) < ($1.position, $1.key) }
        positions = sorted.map(\.position)
        keys = sorted.map(\.key)
        degrees = sorted.map { ($0.degree, $0.octave) }
        indexOfKey = Dictionary(uniqueKeysWithValues: sorted.indices.map { (sorted[$0].key, $0) })
    }

    /// Cents of a key above degree 0 on the middle key; `nil` where it sounds nothing.
    private static func position(
        of key: Note, _ scale: Scale, _ mapping: KeyboardMapping, _ period: Double
    ) -> Double? {
        mapping.entry(of: key).map { Double($0.repetition) * period + scale.cents(ofDegree: $0.degree).value }
    }

    private func frequency(at position: Double) -> Hertz { reference.raised(by: Cents(position)) }
}

/// The index of the nearest of rising positions, the lower one of two equally near and the first of equal ones.
@_noLocks func nearestPosition(in positions: borrowing Span<Double>, to position: Double) -> Int {
    var low = 0
    var high = positions.count
    // Afterwards everything before `low` lies below `position`.
    while low < high {
        let middle = (low + high) / 2
        if positions[middle] < position { low = middle + 1 } else { high = middle }
    }
    if low == 0 { return 0 }
    if low == positions.count || position - positions[low - 1] <= positions[low] - position {
        // The first of those at the same pitch.
        let pitch = positions[low - 1]
        var first = low - 1
        while first > 0 {
            if positions[first - 1] < pitch { break }
            first -= 1
        }
        return first
    }
    return low
}
