package import Music

/// Why a sound has no note, or what is wrong with it.
package enum SoundCondition: Sendable, Equatable {
    /// A pitch more than a fifth from every string; `isBelow` if it is below the lowest one.
    case noString(isBelow: Bool)
    /// Several notes at once.
    case severalNotes
    /// Mains hum, with its frequency where that is known.
    case hum(Hertz?)
    /// Something was played that is too quiet to measure.
    case tooQuiet
    /// The input is too loud: its samples reach full scale.
    case clipping

    /// What a reading without a note is called; `nil` for conditions that do not depend on the pitch.
    package var name: String? {
        switch self {
        case .noString: "no string"
        case .severalNotes: "several notes"
        case .hum: "hum"
        case .tooQuiet, .clipping: nil
        }
    }

    /// Whether it depends on the strings that are tuned.
    var isOfStrings: Bool { if case .noString = self { true } else { false } }

    /// What a player is told, with what to do; `nil` for hum, which needs no action.
    ///
    /// - Parameter hasStrings: whether the player tunes the strings of an instrument.
    package func advice(hasStrings: Bool) -> String? {
        switch self {
        case .noString: "no string is near this note"
        case .severalNotes: hasStrings ? "one string at a time" : "one note at a time"
        case .hum: nil
        case .tooQuiet: "too quiet: play louder or raise gain"
        case .clipping: "too loud: clipping, lower the gain"
        }
    }
}
