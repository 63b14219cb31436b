/// The clef of a score.
package enum Clef: String, Sendable, CaseIterable {
    case treble, alto, tenor, bass
    /// The treble and the bass clef of instruments that sound an octave lower than they are written.
    case guitar, bassGuitar = "bass-guitar"

    /// As MusicXML has it: the sign, the line from below that it stands on, and the octaves by which the staff sounds higher.
    var sign: String {
        switch self {
        case .treble, .guitar: "G"
        case .alto, .tenor: "C"
        case .bass, .bassGuitar: "F"
        }
    }

    var line: Int {
        switch self {
        case .treble, .guitar: 2
        case .alto: 3
        case .tenor, .bass, .bassGuitar: 4
        }
    }

    var octaves: Int { self == .guitar || self == .bassGuitar ? -1 : 0 }
}
