/// A key signature, and how its notes are written.
package struct KeySignature: Sendable, Hashable {
    /// Sharps, or flats if negative: -7 to 7.
    package let fifths: Int
    package let isMinor: Bool

    package init(fifths: Int, isMinor: Bool = false) { (self.fifths, self.isMinor) = (fifths, isMinor) }

    /// How well each degree fits a key.
    /// - SeeAlso: Krumhansl & Kessler, "Tracing the dynamic changes in perceived tonal organization", Psychological Review 89,
    ///   1982.
    private static let major = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
    private static let minor = [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]
    /// Degrees of a key above its tonic that have no accidental.
    private static let (majorScale, minorScale) = ([0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10])

    /// The key whose notes these are: that whose signature asks for the fewest accidentals, weighted by length, and among
    /// those the one whose profile the lengths follow best.
    ///
    /// - Parameters:
    ///   - notes: how long each of them sounds, in any unit.
    ///   - tonic: the pitch class of the tonic, if it is known: then the notes choose between major and minor.
    package init(of notes: some Sequence<(note: Note, length: Double)>, tonic: Int? = nil) {
        var lengths = [Double](repeating: 0, count: 12)
        for (note, length) in notes { lengths[note.pitchClass] += length }
        self.init(lengths: lengths, tonics: tonic.map { [$0] } ?? Array(0..<12))
    }

    private init(lengths: [Double], tonics: [Int]) {
        var best = (score: -Double.infinity, fifths: 0, isMinor: false)
        let total = max(1e-9, lengths.reduce(0, +))
        for tonic in tonics {
            for isMinor in [false, true] {
                // Fifths from C to the tonic, or to that of the relative major.
                let root = isMinor ? (tonic + 3) % 12 : tonic
                var fifths = root * 7 % 12
                if fifths > 6 { fifths -= 12 }
                let scale = isMinor ? Self.minorScale : Self.majorScale
                let inside = scale.reduce(0) { $0 + lengths[(tonic + $1) % 12] } / total
                let fit = Self.correlation(lengths, isMinor ? Self.minor : Self.major, tonic)
                let score = inside + 0.25 * fit - 0.001 * Double(abs(fifths))
                if score > best.score { best = (score, fifths, isMinor) }
            }
        }
        (fifths, isMinor) = (best.fifths, best.isMinor)
    }

    private static func correlation(_ lengths: [Double], _ profile: [Double], _ tonic: Int) -> Double {
        let (meanX, meanY) = (lengths.reduce(0, +) / 12, profile.reduce(0, +) / 12)
        var (xy, xx, yy) = (0.0, 0.0, 0.0)
        for n in 0..<12 {
            let (x, y) = (lengths[(tonic + n) % 12] - meanX, profile[n] - meanY)
            (xy, xx, yy) = (xy + x * y, xx + x * x, yy + y * y)
        }
        return xx > 0 ? xy / (xx * yy).squareRoot() : 0
    }

    /// A written note: letter, semitones of its accidental, octave.
    package struct Spelling: Sendable, Equatable {
        package let step: String
        package let alter: Int
        package let octave: Int
    }

    /// How a note is written in this key: from three fifths flatter than the key's flattest note to two sharper than its
    /// sharpest, so that G sharp leads to A in A minor. Only the leading tone of a minor key has a double accidental: else the
    /// natural that sounds alike is easier to read.
    package func spelling(of note: Note) -> Spelling {
        // On the line of fifths F is -1, C 0, B 5; the key's own notes are fifths - 1 to fifths + 5.
        var place = note.pitchClass * 7 % 12
        while place < fifths - 3 { place += 12 }
        while place > fifths + 8 { place -= 12 }
        // B sharp is the last with one sharp, F flat with one flat.
        let isLeading = isMinor && place == fifths + 8
        if place > 12, !isLeading { place -= 12 }
        if place < -8 { place += 12 }
        let letter = ((place + 1) % 7 + 7) % 7
        let alter = (place + 1 - letter) / 7
        let steps = ["F", "C", "G", "D", "A", "E", "B"]
        return Spelling(
            step: steps[letter], alter: alter, octave: Note(midi: note.midi - alter).octave)
    }

    /// The pitch class of the tonic.
    package var tonic: Int { ((fifths + (isMinor ? 3 : 0)) * 7 % 12 + 12) % 12 }

    /// The degree of a note above the tonic: `1` to `7`, with `b` or `#` where it is not the key's own.
    package func degree(of note: Note) -> String {
        let major = ["1", "b2", "2", "b3", "3", "4", "#4", "5", "b6", "6", "b7", "7"]
        let minor = ["1", "b2", "2", "3", "#3", "4", "#4", "5", "6", "#6", "7", "#7"]
        let steps = Note(midi: note.pitchClass - tonic).pitchClass
        return (isMinor ? minor : major)[steps]
    }

    /// The accidental that the signature gives a letter.
    package func alter(of step: String) -> Int {
        let order = ["F", "C", "G", "D", "A", "E", "B"]
        guard let place = order.firstIndex(of: step) else { return 0 }
        if fifths > 0 { return place < fifths ? 1 : 0 }
        return 6 - place < -fifths ? -1 : 0
    }
}
