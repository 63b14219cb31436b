extension Temperament {
    /// Equal, just and Pythagorean, and the meantones from the narrowest fifth to the widest.
    static let regular: [Temperament] = [
        Temperament(
            "equal", also: ["12edo", "12tet", "et"], degrees: (0..<12).map { 100 * Double($0) },
            source: "every fifth narrow by 1/12 of the Pythagorean comma"),
        Temperament(
            "just",
            ratios: [
                (1, 1), (16, 15), (9, 8), (6, 5), (5, 4), (4, 3), (45, 32), (3, 2), (8, 5), (5, 3), (9, 5), (15, 8),
            ],
            source: "five-limit: Ellis, Duodene of C, in Helmholtz, On the Sensations of Tone, 1885"),
        Temperament(
            "Pythagorean", narrowing: [0, 0, 0, 0, 0, 0, 0, 0, nil, 0, 0, 0], by: pythagoreanComma,
            source: "eleven pure fifths from E♭ to G♯"),
        // Minor thirds are pure.
        meantone("third", 1, 3, "1577", also: ["Salinas"], source: "Salinas, De musica"),
        // Minor thirds are as much too small as major thirds.
        meantone("two-sevenths", 2, 7, "1558", also: ["Zarlino"], source: "Zarlino, Le istitutioni harmoniche"),
        // Major thirds are pure.
        meantone("quarter", 1, 4, "1523", also: ["meantone", "Aron"], source: "Aron, Thoscanello de la musica"),
        meantone("two-ninths", 2, 9, "1666", also: ["Rossi"], source: "Rossi, Sistema musico"),
        meantone("fifth", 1, 5, "about 1600", also: ["Verheijen"], source: "Verheijen, letter to Stevin"),
        meantone("sixth", 1, 6, source: "close to the 55-part octave of Sauveur, 1701, and Telemann, 1742"),
        // Meister, "Die Orgelstimmung in Süddeutschland", 1991. Others divide the syntonic comma: sixth-comma meantone.
        Temperament(
            "Silbermann", "1748", narrowing: [1, 1, 1, 1, 1, 1, 1, 1, nil, 1, 1, 1], by: pythagoreanComma / 6,
            source: "Gottfried Silbermann, after Sorge, Gespräch zwischen einem Musico theoretico und einem Studioso"),
    ]

    /// Eleven fifths from E♭ up to G♯, each narrow by a share of the syntonic comma; the wolf fifth G♯–E♭ closes the circle.
    private static func meantone(
        _ word: String, _ numerator: Int, _ denominator: Int, _ date: String = "", also aliases: [String] = [],
        source: String
    ) -> Temperament {
        let share = "\(numerator)/\(denominator)"
        let spellings = [
            "\(word) comma", "\(share) comma", "\(share) comma meantone", "meantone \(share)",
            "\(numerator)-\(denominator) comma",
        ]
        var shares = [Int?](repeating: 1, count: 12)
        shares[8] = nil
        return Temperament(
            "\(word)-comma meantone", date, also: spellings + aliases, narrowing: shares,
            by: Double(numerator) * syntonicComma / Double(denominator), source: source)
    }
}
