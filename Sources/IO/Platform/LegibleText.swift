extension String {
    /// The text as a terminal or a page can show it: a question mark stands for each control character, and for each
    /// character that turns the direction of the text after it (Unicode Standard Annex 9, 2.1 to 2.5).
    ///
    /// Names of files and pieces come from outside. Without this they could end a line, command the terminal or hide what
    /// follows them.
    package var legible: String {
        String(UnicodeScalarView(unicodeScalars.map { $0.isLegible ? $0 : "?" }))
    }
}

extension Unicode.Scalar {
    fileprivate var isLegible: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: false  // embeddings, overrides, isolates and their ends
        default: properties.generalCategory != .control
        }
    }
}
