import Music

/// The note names that `--names` and the key `n` offer.
enum NoteNames: String, CaseIterable {
    case sharps, flats, german, solfege, japanese, korean, sargam

    var naming: NoteNaming {
        switch self {
        case .sharps: NoteNaming()
        case .flats: NoteNaming(accidentals: .flats)
        case .german: NoteNaming(language: .german)
        case .solfege: NoteNaming(language: .solfege)
        case .japanese: NoteNaming(language: .japanese)
        case .korean: NoteNaming(language: .korean)
        case .sargam: NoteNaming(language: .sargam)
        }
    }

    var isASCII: Bool { self != .japanese && self != .korean }

    /// All of them, as a list for help and messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
