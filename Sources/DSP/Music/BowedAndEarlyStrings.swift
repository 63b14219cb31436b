// Concert pitch, in the order in which players name the strings.

extension Instrument {
    /// The violin family and other fiddles of Europe.
    static let bowedStrings: [Instrument] = [
        Instrument(
            "violin", also: ["fiddle"],
            [
                "standard": "G3 D4 A4 E5", "cross A": "A3 E4 A4 E5", "high bass": "A3 D4 A4 E5", "GDAD": "G3 D4 A4 D5",
                "sawmill": "G3 D4 G4 D5", "Cajun": "F3 C4 G4 D5",
            ]),
        Instrument("5-string violin", ["standard": "C3 G3 D4 A4 E5"]),
        Instrument("viola", ["standard": "C3 G3 D4 A4"]),
        Instrument("cello", also: ["violoncello"], ["standard": "C2 G2 D3 A3", "fifth suite": "C2 G2 D3 G3"]),
        Instrument(
            "double bass", also: ["contrabass", "upright bass"],
            ["orchestra": "E1 A1 D2 G2", "solo": "F#1 B1 E2 A2", "C extension": "C1 A1 D2 G2", "fifths": "C1 G1 D2 A2"]),
        Instrument("5-string double bass", ["standard": "B0 E1 A1 D2 G2"]),
        Instrument("viola d'amore", ["D major": "A2 D3 A3 D4 F#4 A4 D5"]),
        Instrument("Hardanger fiddle", also: ["hardingfele"], ["upstilt": "A3 D4 A4 E5"]),
        Instrument("nyckelharpa", ["standard": "C3 G3 C4 A4"]),
        Instrument("Cretan lyra", ["standard": "G3 D4 A4"]),
        Instrument("gadulka", ["standard": "A3 E3 A4"]),
    ]

    /// Viols, lutes and guitars of the Renaissance and Baroque, at modern pitch.
    static let earlyStrings: [Instrument] = [
        Instrument("treble viol", ["standard": "D3 G3 C4 E4 A4 D5"]),
        Instrument("tenor viol", ["standard": "G2 C3 F3 A3 D4 G4"]),
        Instrument(
            "bass viol", also: ["viola da gamba", "gamba"],
            ["standard": "D2 G2 C3 E3 A3 D4", "7 strings": "A1 D2 G2 C3 E3 A3 D4"]),
        Instrument("violone", ["G": "G1 C2 F2 A2 D3 G3", "D": "D1 G1 C2 E2 A2 D3"]),
        Instrument("lute", also: ["Renaissance lute"], ["G": "G2 C3 F3 A3 D4 G4", "A": "A2 D3 G3 B3 E4 A4"]),
        Instrument("Baroque lute", ["D minor": "A1 B1 C2 D2 E2 F2 G2 A2 D3 F3 A3 D4 F4"]),
        Instrument(
            "Baroque guitar", ["bourdons": "A2/A3 D3/D4 G3/G3 B3/B3 E4", "re-entrant": "A3/A3 D4/D4 G3/G3 B3/B3 E4"]),
    ]

    /// Harps, zithers and dulcimers.
    static let zithers: [Instrument] = [
        // 47 strings. With every pedal in the middle position they are the white keys.
        Instrument(
            "harp", also: ["pedal harp", "concert harp"], ["C major": "C1..G7", "C flat major": "C1..G7:CDEFGAB"]),
        Instrument(
            "lever harp", also: ["Celtic harp", "folk harp", "34-string harp"],
            ["E flat major": "C2..A6:BEA", "C major": "C2..A6"]),
        Instrument("36-string harp", ["E flat major": "C2..C7:BEA", "C major": "C2..C7"]),
        Instrument(
            "dulcimer", also: ["mountain dulcimer", "Appalachian dulcimer"],
            [
                "DAD": "D3 A3 D4/D4", "DAA": "D3 A3 A3/A3", "DAG": "D3 A3 G3/G3", "DAC": "D3 A3 C4/C4",
                "CGC": "C3 G3 C4/C4",
            ]),
        Instrument("autoharp", ["36 strings": "F2 G2 C3 D3 E3 F3 F#3 G3 A3 A#3 B3 C4~C6"]),
        Instrument("kantele", also: ["5-string kantele"], ["D major": "D4 E4 F#4 G4 A4", "D minor": "D4 E4 F4 G4 A4"]),
    ]

    /// Keyboard instruments with strings.
    static let keyboards: [Instrument] = [
        Instrument("piano", countsFromFirst: true, ["88 keys": "A0~C8"]),
        Instrument("harpsichord", countsFromFirst: true, ["FF to f3": "F1~F6"]),
    ]
}
