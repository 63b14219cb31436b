public import Music

/// Which note a frequency is, by the player's own rules: tuning, names, instrument, transposition.
public struct NoteFinder: Sendable {
    /// Where notes belong.
    public var tuning: Tuning
    /// How they are written.
    public var naming: NoteNaming
    /// How the player's instrument reads; notes are shown as written, with the concert note beside them.
    public var transposition: Transposition
    /// The strings to tune to; without them every note of the tuning counts.
    public var strings: StringTuning?
    /// The position in `strings` of the only one that counts.
    public var lockedString: Int?
    /// How much faster the sample clock runs than it says: 100 ppm make every pitch read 0.17 cents flat.
    public var clockError: Double

    /// Rules; as they stand: A4 = 440 Hz, equal temperament, English names.
    public init(
        tuning: Tuning, naming: NoteNaming = NoteNaming(), transposition: Transposition = .concert,
        strings: StringTuning? = nil, lockedString: Int? = nil, clockError: Double = 0
    ) {
        self.tuning = tuning
        self.naming = naming
        self.transposition = transposition
        self.strings = strings
        self.lockedString = lockedString
        self.clockError = clockError
    }

    /// The note that a frequency is meant to be, and how far off it is; `nil` outside 1 Hz to 100 kHz.
    public func pitch(of heard: Hertz) -> TunedNote.Pitch? {
        let frequency = heard * (1 + clockError)
        if let strings {
            guard let (string, target, deviation) = strings.nearest(to: frequency, in: tuning, locked: lockedString)
            else { return nil }
            return pitch(target, deviation, frequency, string: string)
        }
        guard let (target, deviation) = tuning.nearest(to: frequency) else { return nil }
        return pitch(target, deviation, frequency, string: nil)
    }

    /// Name and octave of a place in the tuning, as written for the player's instrument.
    public func label(of target: Tuning.Target) -> String {
        guard !hasKeys else { return naming.name(of: transposition.written(concert: target.key)) }
        let name = tuning.name(of: target, in: naming)
        // 14:4, the fourteenth step of the fourth octave, and not the number 144.
        return name + (name.last?.isNumber == true ? ":" : "") + String(target.octave)
    }

    /// Whether the twelve keys of the keyboard are what is tuned: only then there are names and transpositions.
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
            target: target.frequency, string: string)
    }
}
