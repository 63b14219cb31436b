extension Temperament {
    /// Temperaments of the last hundred years, by date: proposals for Bach, and that of an organ.
    static let modern: [Temperament] = [
        // Kellner, Acustica 52, 1982.
        Temperament(
            "Kellner", "1976", also: ["Bach Kellner"], narrowing: [1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0],
            by: pythagoreanComma / 5,
            source: "Kellner, Wie stimme ich selbst mein Cembalo?"),
        Temperament(
            "Barnes", "1979", also: ["Bach Barnes"], narrowing: [1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1],
            by: pythagoreanComma / 6,
            source: "Barnes, Bach's Keyboard Temperament, Early Music 7/2"),
        // The shares are those of the Scala archive. The frequencies in the tables of electronic tuners agree to half a cent.
        Temperament(
            "Klais", also: ["Bach Klais"], narrowing: [2, 6, 6, 7, 3, 0, 0, 0, 0, 0, 0, 0], by: pythagoreanComma / 24,
            source: "Johannes Klais, for Bach; close to Kelletat, 1960"),
        Temperament(
            "Norden", "2002", narrowing: [1, 1, 1, 1, 1, 1, 0, 0, -1, -1, 0, 1], by: pythagoreanComma / 5,
            source: "Schnitger's organ in Norden as restored, after Ortgies"),
        Temperament(
            "Lehman", "2005", also: ["Bach Lehman"], narrowing: [2, 2, 2, 2, 0, 0, 0, 1, 1, 1, -1, 2],
            by: pythagoreanComma / 12,
            source: "Lehman, Bach's Extraordinary Temperament, Early Music 33"),
        Temperament(
            "Jencka", "2005", also: ["Bach Jencka"], narrowing: [3, 3, 3, 3, 0, 0, 0, 1, 1, 1, 0, 3],
            by: pythagoreanComma / 18,
            source: "Jencka, The Tuning Script from Bach's Well-Tempered Clavier"),
    ]
}
