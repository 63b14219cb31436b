// Concert pitch, in the order in which players name the strings. Guitars and basses sound an octave lower than written;
// these are the sounding octaves: the guitar's low E is 82.4 Hz.

extension Instrument {
    /// Fretted guitars.
    static let guitars: [Instrument] = [
        Instrument(
            "guitar", also: ["acoustic guitar", "classical guitar", "electric guitar", "6-string guitar"],
            [
                "standard": "E2 A2 D3 G3 B3 E4",
                "half step down": "Eb2 Ab2 Db3 Gb3 Bb3 Eb4",
                "whole step down": "D2 G2 C3 F3 A3 D4",
                "drop D": "D2 A2 D3 G3 B3 E4",
                "double drop D": "D2 A2 D3 G3 B3 D4",
                "drop C": "C2 G2 C3 F3 A3 D4",
                "drop B": "B1 F#2 B2 E3 G#3 C#4",
                "DADGAD": "D2 A2 D3 G3 A3 D4",
                "open D": "D2 A2 D3 F#3 A3 D4",
                "open D minor": "D2 A2 D3 F3 A3 D4",
                "open E": "E2 B2 E3 G#3 B3 E4",
                "open E minor": "E2 B2 E3 G3 B3 E4",
                "open G": "D2 G2 D3 G3 B3 D4",
                "open G minor": "D2 G2 D3 G3 Bb3 D4",
                "open A": "E2 A2 E3 A3 C#4 E4",
                "open C": "C2 G2 C3 G3 C4 E4",
                "orkney": "C2 G2 D3 G3 C4 D4",
                "all fourths": "E2 A2 D3 G3 C4 F4",
                "new standard": "C2 G2 D3 A3 E4 G4",
                "Nashville": "E3 A3 D4 G4 B3 E4",
                "taro patch": "D2 G2 D3 G3 B3 D4",
            ]),
        Instrument(
            "7-string guitar",
            [
                "standard": "B1 E2 A2 D3 G3 B3 E4",
                "drop A": "A1 E2 A2 D3 G3 B3 E4",
                "Brazilian": "C2 E2 A2 D3 G3 B3 E4",
                "Russian": "D2 G2 B2 D3 G3 B3 D4",
            ]),
        Instrument(
            "8-string guitar", ["standard": "F#1 B1 E2 A2 D3 G3 B3 E4", "drop E": "E1 B1 E2 A2 D3 G3 B3 E4"]),
        Instrument("9-string guitar", ["standard": "C#1 F#1 B1 E2 A2 D3 G3 B3 E4"]),
        Instrument(
            "12-string guitar",
            [
                "standard": "E2/E3 A2/A3 D3/D4 G3/G4 B3/B3 E4/E4",
                "whole step down": "D2/D3 G2/G3 C3/C4 F3/F4 A3/A3 D4/D4",
                "open G": "D2/D3 G2/G3 D3/D4 G3/G4 B3/B3 D4/D4",
            ]),
        Instrument(
            "baritone guitar", ["standard": "B1 E2 A2 D3 F#3 B3", "A": "A1 D2 G2 C3 E3 A3"]),
        Instrument(
            "tenor guitar",
            ["standard": "C3 G3 D4 A4", "Chicago": "D3 G3 B3 E4", "Irish": "G2 D3 A3 E4"]),
        Instrument("requinto", also: ["requinto guitar"], ["standard": "A2 D3 G3 C4 E4 A4"]),
        Instrument("guitalele", also: ["guitarlele"], ["standard": "A2 D3 G3 C4 E4 A4"]),
    ]

    /// Bass guitars. The double bass is among the bowed strings.
    static let basses: [Instrument] = [
        Instrument(
            "bass", also: ["bass guitar", "4-string bass", "electric bass"],
            [
                "standard": "E1 A1 D2 G2",
                "half step down": "Eb1 Ab1 Db2 Gb2",
                "whole step down": "D1 G1 C2 F2",
                "drop D": "D1 A1 D2 G2",
                "drop C": "C1 G1 C2 F2",
                "BEAD": "B0 E1 A1 D2",
                "fifths": "C1 G1 D2 A2",
                "piccolo": "E2 A2 D3 G3",
            ]),
        Instrument(
            "5-string bass", ["standard": "B0 E1 A1 D2 G2", "high C": "E1 A1 D2 G2 C3", "drop A": "A0 E1 A1 D2 G2"]),
        Instrument("6-string bass", ["standard": "B0 E1 A1 D2 G2 C3"]),
        Instrument("bass VI", also: ["baritone bass"], ["standard": "E1 A1 D2 G2 B2 E3"]),
    ]

    /// Ukuleles. The G string is the high, re-entrant one unless the tuning is called `low G`.
    static let ukuleles: [Instrument] = [
        Instrument(
            "ukulele", also: ["soprano ukulele", "concert ukulele", "uke", "banjolele"],
            ["standard": "G4 C4 E4 A4", "low G": "G3 C4 E4 A4", "D": "A4 D4 F#4 B4", "slack key": "G4 C4 E4 G4"]),
        Instrument(
            "tenor ukulele", ["standard": "G4 C4 E4 A4", "low G": "G3 C4 E4 A4", "baritone": "D3 G3 B3 E4"]),
        Instrument("baritone ukulele", ["standard": "D3 G3 B3 E4", "high D": "D4 G3 B3 E4"]),
        Instrument("sopranino ukulele", ["standard": "D5 G4 B4 E5", "F": "C5 F4 A4 D5"]),
        Instrument("bass ukulele", also: ["u-bass"], ["standard": "E1 A1 D2 G2"]),
    ]

    /// Banjos. The short, high fifth string comes first.
    static let banjos: [Instrument] = [
        Instrument(
            "banjo", also: ["5-string banjo", "bluegrass banjo"],
            [
                "open G": "G4 D3 G3 B3 D4",
                "double C": "G4 C3 G3 C4 D4",
                "C": "G4 C3 G3 B3 D4",
                "sawmill": "G4 D3 G3 C4 D4",
                "open D": "F#4 D3 F#3 A3 D4",
                "double D": "A4 D3 A3 D4 E4",
                "open A": "A4 E3 A3 C#4 E4",
            ]),
        Instrument("long-neck banjo", ["standard": "E4 B2 E3 G#3 B3"]),
        Instrument("tenor banjo", ["standard": "C3 G3 D4 A4", "Irish": "G2 D3 A3 E4", "Chicago": "D3 G3 B3 E4"]),
        Instrument("plectrum banjo", ["standard": "C3 G3 B3 D4", "Chicago": "D3 G3 B3 E4"]),
        Instrument("cello banjo", ["standard": "C2 G2 D3 A3"]),
        Instrument("6-string banjo", also: ["banjitar", "guitar banjo"], ["standard": "E2 A2 D3 G3 B3 E4"]),
    ]

    /// The mandolin family, most of it with double courses.
    static let mandolins: [Instrument] = [
        Instrument(
            "mandolin",
            [
                "standard": "G3/G3 D4/D4 A4/A4 E5/E5", "cross A": "A3/A3 E4/E4 A4/A4 E5/E5",
                "GDAD": "G3/G3 D4/D4 A4/A4 D5/D5",
            ]),
        Instrument("piccolo mandolin", ["standard": "C4/C4 G4/G4 D5/D5 A5/A5"]),
        Instrument("mandola", also: ["tenor mandola"], ["standard": "C3/C3 G3/G3 D4/D4 A4/A4"]),
        Instrument("octave mandolin", also: ["octave mandola"], ["standard": "G2/G2 D3/D3 A3/A3 E4/E4"]),
        Instrument("mandocello", ["standard": "C2/C2 G2/G2 D3/D3 A3/A3"]),
        Instrument("mandobass", ["standard": "E1 A1 D2 G2"]),
        Instrument(
            "Irish bouzouki",
            [
                "GDAD": "G2/G2 D3/D3 A3/A3 D4/D4", "GDAE": "G2/G2 D3/D3 A3/A3 E4/E4", "ADAD": "A2/A2 D3/D3 A3/A3 D4/D4",
                "GDAD octaves": "G2/G3 D3/D4 A3/A3 D4/D4",
            ]),
    ]

    /// Guitars played with a bar.
    static let steelGuitars: [Instrument] = [
        Instrument(
            "lap steel", also: ["lap steel guitar", "Hawaiian guitar"],
            [
                "C6": "C3 E3 G3 A3 C4 E4", "open G": "G2 B2 D3 G3 B3 D4", "open D": "D2 A2 D3 F#3 A3 D4",
                "open E": "E2 B2 E3 G#3 B3 E4",
            ]),
        Instrument(
            "dobro", also: ["resonator guitar"], ["open G": "G2 B2 D3 G3 B3 D4", "open D": "D2 A2 D3 F#3 A3 D4"]),
        Instrument("Weissenborn", ["open D": "D2 A2 D3 F#3 A3 D4"]),
        Instrument(
            "pedal steel", also: ["pedal steel guitar"],
            ["E9": "B2 D3 E3 F#3 G#3 B3 E4 G#4 D#4 F#4", "C6": "C2 F2 A2 C3 E3 G3 A3 C4 E4 G4"]),
    ]
}
