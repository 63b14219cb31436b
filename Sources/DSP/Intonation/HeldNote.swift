internal import Music
internal import Pitch

/// The last note that was heard and how far it has faded: a `HeldReading` with names.
///
/// A display shows it instead of the newest reading, so that a gap or an octave error of a few hops does not flicker.
public struct HeldNote: Sendable {
    /// The note to show; `nil` if none was heard or it has faded.
    public private(set) var pitch: TunedNote.Pitch?
    /// How much of it is left, from 1 (it sounds) to 0.
    public private(set) var strength = 1.0
    private var held: (reading: HeldReading, sampleRate: Hertz)?

    /// Nothing heard yet.
    public init() {}

    /// Adds the next reading.
    ///
    /// - Returns: whether it is the one to show now.
    public mutating func hear(_ note: TunedNote) -> Bool {
        var reading = HeldReading(sampleRate: note.sampleRate)
        if let held, held.sampleRate == note.sampleRate { reading = held.reading }
        var newest = note.reading
        // A pitch that is no note: of no string, or hum.
        if note.pitch == nil, newest.state == .voiced { newest.state = .unvoiced }
        let isShown = reading.hear(newest)
        held = (reading, note.sampleRate)
        if isShown { pitch = note.pitch }
        if reading.reading == nil { pitch = nil }
        strength = reading.strength
        return isShown
    }

    /// Names the note again, after the rules have changed.
    public mutating func rename(by finder: NoteFinder) { pitch = pitch.flatMap { finder.pitch(of: $0.frequency) } }

    /// Shows the note at its faintest: the device is lost, and no reading will come to fade it.
    public mutating func fade() { strength = 0 }

    /// Removes the note.
    public mutating func forget() { self = HeldNote() }
}
