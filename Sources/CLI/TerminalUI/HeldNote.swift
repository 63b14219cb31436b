internal import Music
internal import Pitch

/// The last note heard and how far it has faded, for whatever draws it.
struct HeldNote: Sendable {
    /// What is on display; `nil` when nothing is.
    var pitch: TunedNote.Pitch?
    /// How it is drawn.
    private(set) var fading = Fading.sounding
    private var held: (reading: HeldReading, sampleRate: Hertz)?

    /// Takes a reading in; returns whether it is what is on display now.
    mutating func hear(_ note: TunedNote) -> Bool {
        var reading = HeldReading(sampleRate: note.sampleRate)
        if let held, held.sampleRate == note.sampleRate { reading = held.reading }
        let isShown = reading.hear(note.reading)
        held = (reading, note.sampleRate)
        if isShown { pitch = note.pitch }
        if reading.reading == nil { pitch = nil }
        fading = Fading(strength: reading.strength)
        return isShown
    }

    /// Nothing is heard any more, and no reading will say so.
    mutating func fade() { fading = .faint }

    /// Begins anew.
    mutating func forget() { self = HeldNote() }
}

/// How far a note on display has faded. Each stage is drawn with thinner strokes, so that it shows without colour too.
enum Fading: Int, Sendable {
    case sounding, strong, weak, faint

    /// Thirds of what comes after the sound.
    init(strength: Double) {
        self = strength >= 1 ? .sounding : strength > 2.0 / 3 ? .strong : strength > 1.0 / 3 ? .weak : .faint
    }

    /// The same ink, or dim in the later half.
    func ink(_ ink: Ink) -> Ink { rawValue < Self.weak.rawValue ? ink : .dim }

    /// A filled cell.
    func block(unicode: Bool) -> Unicode.Scalar { mark(unicode ? ["█", "▓", "▒", "░"] : ["#", "+", ":", "."]) }

    /// The upper half of a cell; a quarter of it has half the ink.
    var upperHalf: Unicode.Scalar { mark(["▀", "▀", "▘", "'"]) }

    /// The lower half of a cell.
    var lowerHalf: Unicode.Scalar { mark(["▄", "▄", "▖", "."]) }

    /// The hand of a needle one cell wide.
    func hand(unicode: Bool) -> Unicode.Scalar { mark(unicode ? ["●", "○", "◦", "·"] : ["O", "o", ":", "."]) }

    /// What a note stands behind in a line.
    var lead: Unicode.Scalar { mark(["*", "+", ":", "."]) }

    private func mark(_ marks: [Unicode.Scalar]) -> Unicode.Scalar { marks[rawValue] }
}
