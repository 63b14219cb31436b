public import Music

/// The player's rules for naming a frequency: tuning, note names, instrument, transposition.
///
/// ```swift
/// let finder = NoteFinder(tuning: try Tuning(), strings: try Instrument(named: "guitar").standard)
/// let pitch = finder.pitch(of: 83.hertz)  // E2, 12.4 cents sharp
/// ```
public struct NoteFinder: Sendable {
    /// The frequencies of the notes.
    public var tuning: Tuning
    package var naming: NoteNaming
    /// The player's transposition. Notes are named as written, with the concert note beside them.
    package var transposition: Transposition
    /// The strings to tune to. If `nil`, every note of the tuning counts.
    public var strings: StringTuning?
    /// The position in `strings` of the only string that counts; `nil` if all do.
    public var lockedString: Int?

    /// The notes of a tuning, or the strings of an instrument in it, with English names.
    public init(tuning: Tuning, strings: StringTuning? = nil) {
        self.init(tuning: tuning, naming: NoteNaming(), strings: strings)
    }

    /// Rules for this tuning. By default: concert pitch, all notes.
    package init(
        tuning: Tuning, naming: NoteNaming, transposition: Transposition = .concert,
        strings: StringTuning? = nil, lockedString: Int? = nil
    ) {
        (self.tuning, self.naming, self.transposition) = (tuning, naming, transposition)
        (self.strings, self.lockedString) = (strings, lockedString)
    }

    /// How far from every string a sound is none of them: a fifth. New strings are tuned up from closer than that, and mains
    /// hum, other instruments and the common fundamental of a chord lie farther away.
    package static let reach = 700.cents

    /// The note nearest to a frequency and the deviation from it; `nil` outside 1 Hz to 100 kHz.
    ///
    /// With strings, it is also `nil` more than a fifth from every string. If one string is locked, the deviation is that
    /// from this string, and the others still count for the range.
    public func pitch(of frequency: Hertz) -> TunedNote.Pitch? {
        if let strings {
            guard let nearest = strings.nearest(to: frequency, in: tuning),
                abs(nearest.deviation.value) <= Self.reach.value,
                let (string, target, deviation) = lockedString == nil
                    ? nearest : strings.nearest(to: frequency, in: tuning, locked: lockedString)
            else { return nil }
            return pitch(target, deviation, frequency, string: string)
        }
        guard let (target, deviation) = tuning.nearest(to: frequency) else { return nil }
        return pitch(target, deviation, frequency, string: nil)
    }

    /// What a string is tuned to: its note, and the deviation of a frequency from it, however large.
    ///
    /// - Parameter string: a position in `strings`.
    /// - Returns: `nil` if there is no such string, or the tuning has no frequency for its note.
    func pitch(ofString string: Int, at frequency: Hertz) -> TunedNote.Pitch? {
        guard let notes = strings?.strings, notes.indices.contains(string),
            let target = tuning.target(for: notes[string])
        else { return nil }
        return pitch(target, Cents(from: target.frequency, to: frequency), frequency, string: string)
    }

    /// Whether a frequency is below every string.
    func isBelowStrings(_ frequency: Hertz) -> Bool {
        guard let strings else { return false }
        return strings.strings.allSatisfy { (tuning.deviation(of: frequency, from: $0)?.value ?? 0) < 0 }
    }

    /// Name and octave of a note of the tuning, as written for the player's instrument.
    public func label(of target: Tuning.Target) -> String {
        guard !hasKeys else { return naming.name(of: transposition.written(concert: target.key)) }
        let name = tuning.name(of: target, in: naming)
        // 14:4 is step 14 of octave 4; without the colon it would read as 144.
        return name + (name.last?.isNumber == true ? ":" : "") + String(target.octave)
    }

    /// Whether the tuning is a temperament of the twelve keys. Only then do names and transpositions apply.
    public var hasKeys: Bool { tuning.scale == nil }

    private func pitch(
        _ target: Tuning.Target, _ deviation: Cents, _ frequency: Hertz, string: Int?
    ) -> TunedNote.Pitch {
        let isTransposed = hasKeys && transposition.sounds.semitones != 0
        let shown = isTransposed ? transposition.written(concert: target.key) : target.key
        return TunedNote.Pitch(
            note: target.key,
            name: hasKeys ? naming.name(ofPitchClass: shown.pitchClass) : tuning.name(of: target, in: naming),
            octave: hasKeys ? shown.octave : target.octave, label: label(of: target),
            concert: isTransposed ? naming.name(of: target.key) : nil, deviation: deviation, frequency: frequency,
            target: target.frequency, string: string,
            course: string.flatMap { strings?.courseNumber(ofString: $0) })
    }
}
