import Intonation
import Music
import Pitch

/// Keeps to the tuning that a strum was found in, until a string is heard that only the one before has.
///
/// A fretted chord may sound as the open strings of another tuning do: E minor in the first position is open E minor.
struct FoundTuning {
    /// What was found, and the tuning before the first find.
    private var found: StringTuning?, usual: StringTuning?
    /// When a string that only the usual tuning has began to sound.
    private var start: Duration?

    /// As far from a string as a strum is looked for.
    private static let reach = Cents(60)
    /// Longer than what rings on of a strum leaves one string alone.
    private static let patience = Duration.milliseconds(300)

    /// Takes the strings of a tuning; whether they are others than before.
    mutating func find(_ tuning: StringTuning, _ finder: inout NoteFinder) -> Bool {
        guard let strings = finder.strings, strings.strings != tuning.strings else { return false }
        // Somebody else may have changed the strings since.
        if strings.strings != found?.strings { usual = strings }
        (found, start) = (tuning, nil)
        finder.strings = tuning
        return true
    }

    /// Takes a reading; whether it has brought the usual strings back.
    mutating func hear(_ note: TunedNote, _ finder: inout NoteFinder) -> Bool {
        guard let found, let usual, finder.strings?.strings == found.strings, found.strings != usual.strings,
            note.reading.state == .voiced, Self.isOneNote(note), !Self.isNear(note, finder)
        else {
            start = nil
            return false
        }
        var other = finder
        other.strings = usual
        guard Self.isNear(note, other) else {
            start = nil
            return false
        }
        let since = start ?? note.time
        start = since
        guard note.time - since >= Self.patience else { return false }
        (self.found, self.usual, start) = (nil, nil, nil)
        finder.strings = usual
        return true
    }

    /// Whether nothing speaks against one string, except that it is none of the present tuning.
    private static func isOneNote(_ note: TunedNote) -> Bool {
        switch note.condition {
        case nil, .noString: true
        default: false
        }
    }

    private static func isNear(_ note: TunedNote, _ finder: NoteFinder) -> Bool {
        guard let deviation = finder.pitch(of: note.reading.frequency)?.deviation else { return false }
        return Cents(-reach.value) < deviation && deviation < reach
    }
}
