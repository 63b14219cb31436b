// Concert pitch, in the order in which players name the strings. Players who tune to a singer or to themselves use the
// intervals of the tuning given; its pitch is the usual example.
//
// Checked note by note, octaves included, against a second source: bouzouki, baglamas, bajo, cuatro of Puerto Rico,
// guitarrón, tiple and tres (the mingus library's tables); charango (Wikipedia, with its frequencies); saz (h2g2, "Stringed
// Instruments Tunings"); Turkish oud (Cythara); pipa's A-d-e-a; sitar (india-instruments.com); sanjo gayageum; shamisen
// (enji.net, which says that it sounds an octave below its staff) and sanshin. For the guqin and the koto only the intervals
// were checked; the others are as commonly published, without a second source.

extension Instrument {
    /// Latin America.
    static let latinAmericanStrings: [Instrument] = [
        Instrument("cuatro", also: ["Venezuelan cuatro"], ["standard": "A3 D4 F#4 B3"]),
        Instrument("Puerto Rican cuatro", ["standard": "B2/B3 E3/E4 A3/A3 D4/D4 G4/G4"]),
        Instrument("tres", also: ["Cuban tres"], ["C": "G3/G4 C4/C4 E4/E3", "D": "A3/A4 D4/D4 F#4/F#3"]),
        Instrument("charango", ["standard": "G4/G4 C5/C5 E5/E4 A4/A4 E5/E5"]),
        Instrument("ronroco", ["standard": "G3/G3 C4/C4 E4/E3 A3/A3 E4/E4"]),
        Instrument("tiple", also: ["Colombian tiple"], ["standard": "D4/D3/D4 G4/G3/G4 B3/B3/B3 E4/E4/E4"]),
        Instrument("cavaquinho", ["DGBD": "D4 G4 B4 D5", "DGBE": "D4 G4 B4 E5"]),
        Instrument("vihuela", also: ["Mexican vihuela"], ["standard": "A3 D4 G4 B3 E4"]),
        Instrument("guitarron", also: ["guitarrón"], ["standard": "A1 D2 G2 C3 E3 A2"]),
        Instrument("bajo sexto", ["standard": "E2/E1 A2/A1 D3/D2 G2/G2 C3/C3 F3/F3"]),
        Instrument("bajo quinto", ["standard": "A2/A1 D3/D2 G2/G2 C3/C3 F3/F3"]),
    ]

    /// Spain, the Canary Islands, Portugal.
    static let iberianStrings: [Instrument] = [
        Instrument("bandurria", ["standard": "G#3/G#3 C#4/C#4 F#4/F#4 B4/B4 E5/E5 A5/A5"]),
        Instrument("laud", also: ["laúd"], ["standard": "G#2/G#2 C#3/C#3 F#3/F#3 B3/B3 E4/E4 A4/A4"]),
        Instrument("timple", ["standard": "G4 C5 E4 A4 D5"]),
        Instrument(
            "Portuguese guitar",
            [
                "Lisbon": "D3/D4 A3/A4 B3/B4 E4/E4 A4/A4 B4/B4", "Coimbra": "C3/C4 G3/G4 A3/A4 D4/D4 G4/G4 A4/A4",
            ]),
    ]

    /// Greece, Turkey, the Arab countries.
    static let easternMediterraneanStrings: [Instrument] = [
        Instrument(
            "bouzouki", also: ["Greek bouzouki"],
            ["4 courses": "C3/C4 F3/F4 A3/A3 D4/D4", "3 courses": "D3/D4 A3/A3 D4/D4"]),
        Instrument("baglamas", ["standard": "D4/D5 A4/A4 D5/D5"]),
        Instrument("saz", also: ["bağlama", "baglama"], ["kara düzen": "G3/G2 D3/D3 A2/A3/A3"]),
        Instrument(
            "oud",
            ["Arabic": "C2 F2/F2 A2/A2 D3/D3 G3/G3 C4/C4", "Turkish": "C#2 F#2/F#2 B2/B2 E3/E3 A3/A3 D4/D4"]),
    ]

    /// Eastern Europe.
    static let eastEuropeanStrings: [Instrument] = [
        Instrument("balalaika", also: ["prima balalaika"], ["standard": "E4 E4 A4"]),
        Instrument("secunda balalaika", ["standard": "A3 A3 D4"]),
        Instrument("alto balalaika", ["standard": "E3 E3 A3"]),
        Instrument("bass balalaika", ["standard": "E2 A2 D3"]),
        Instrument("contrabass balalaika", ["standard": "E1 A1 D2"]),
        Instrument("domra", also: ["3-string domra"], ["standard": "E4 A4 D5"]),
        Instrument("4-string domra", ["standard": "G3 D4 A4 E5"]),
    ]

    /// China, Japan, Korea.
    static let eastAsianStrings: [Instrument] = [
        Instrument("erhu", ["standard": "D4 A4"]),
        Instrument("gaohu", ["standard": "G4 D5"]),
        Instrument("zhonghu", ["G": "G3 D4", "A": "A3 E4"]),
        Instrument("pipa", ["standard": "A2 D3 E3 A3"]),
        Instrument("liuqin", ["standard": "G3 D4 G4 D5"]),
        Instrument("zhongruan", also: ["ruan"], ["standard": "G2 D3 G3 D4"]),
        Instrument("daruan", ["standard": "D2 A2 D3 A3"]),
        Instrument(
            "guzheng",
            [
                "D": "D2 E2 F#2 A2 B2 D3 E3 F#3 A3 B3 D4 E4 F#4 A4 B4 D5 E5 F#5 A5 B5 D6",
                "G": "D2 E2 G2 A2 B2 D3 E3 G3 A3 B3 D4 E4 G4 A4 B4 D5 E5 G5 A5 B5 D6",
            ]),
        Instrument("guqin", countsFromFirst: true, ["zhengdiao": "C2 D2 F2 G2 A2 C3 D3"]),
        // At yonhon, with the first string on C, as tuners and teachers write it; it sounds an octave below its staff.
        Instrument(
            "shamisen", countsFromFirst: true,
            ["honchoshi": "C3 F3 C4", "niagari": "C3 G3 C4", "sansagari": "C3 F3 Bb3"]),
        Instrument(
            "sanshin", countsFromFirst: true, ["honchoshi": "C3 F3 C4", "niage": "C3 G3 C4", "sansage": "C3 F3 Bb3"]),
        Instrument("koto", countsFromFirst: true, ["hirajoshi": "D4 G3 A3 Bb3 D4 Eb4 G4 A4 Bb4 D5 Eb5 G5 A5"]),
        Instrument("gayageum", countsFromFirst: true, ["sanjo": "G2 C3 D3 G3 A3 C4 D4 E4 G4 A4 C5 D5"]),
    ]

    /// India.
    static let southAsianStrings: [Instrument] = [
        // Sa is C♯; from the highest chikari to the playing string Ma.
        Instrument(
            "sitar",
            ["kharaj pancham": "C#5 C#4 G#3 C#2 G#2 C#3 F#3", "gandhar pancham": "C#5 C#4 G#3 F3 C#3 F#3"]),
        Instrument("tanpura", ["male": "C#2 C#3 C#3 G#2", "female": "A2 A3 A3 E3"]),
    ]

    /// Africa.
    static let africanInstruments: [Instrument] = [
        Instrument(
            "kora", countsFromFirst: true, ["F": "F2 C3 D3 E3 F3 G3 A3 Bb3 C4 D4 E4 F4 G4 A4 Bb4 C5 D5 E5 F5 G5 A5"]),
        Instrument("kalimba", also: ["17-key kalimba"], countsFromFirst: true, ["C": "C4..E6"]),
    ]
}
