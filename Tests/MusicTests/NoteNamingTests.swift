import Music
import TestSignals
import Testing

@Suite struct NoteNamingTests {
    @Test func `Every language has its twelve names`() {
        func names(_ naming: NoteNaming) -> String {
            (0..<12).map { naming.name(ofPitchClass: $0) }.joined(separator: " ")
        }
        #expect(names(NoteNaming()) == "C C# D D# E F F# G G# A A# B")
        #expect(names(NoteNaming(accidentals: .flats, symbols: true)) == "C D♭ D E♭ E F G♭ G A♭ A B♭ B")
        #expect(names(NoteNaming(language: .german)) == "C Cis D Dis E F Fis G Gis A Ais H")
        #expect(names(NoteNaming(language: .german, accidentals: .flats)) == "C Des D Es E F Ges G As A B H")
        #expect(names(NoteNaming(language: .solfege)) == "Do Do# Re Re# Mi Fa Fa# Sol Sol# La La# Si")
        #expect(
            names(NoteNaming(language: .solfege, accidentals: .flats, symbols: true))
                == "Do Re♭ Re Mi♭ Mi Fa Sol♭ Sol La♭ La Si♭ Si")
        #expect(names(NoteNaming(language: .japanese)) == "ハ 嬰ハ ニ 嬰ニ ホ ヘ 嬰ヘ ト 嬰ト イ 嬰イ ロ")
        #expect(names(NoteNaming(language: .japanese, accidentals: .flats)) == "ハ 変ニ ニ 変ホ ホ ヘ 変ト ト 変イ イ 変ロ ロ")
        #expect(names(NoteNaming(language: .korean)) == "다 올림다 라 올림라 마 바 올림바 사 올림사 가 올림가 나")
        #expect(names(NoteNaming(language: .sargam)) == "S r R g G m M P d D n N")
    }

    @Test func `Helmholtz counts octaves from great C, scientific from the lowest`() throws {
        let helmholtz = NoteNaming(octaves: .helmholtz)
        for (midi, name) in [(21, "A,,"), (24, "C,"), (36, "C"), (48, "c"), (60, "c'"), (69, "a'"), (108, "c'''''")] {
            #expect(helmholtz.name(of: Note(midi: midi)) == name)
            #expect(try helmholtz.note(named: name).midi == midi)
        }
        #expect(NoteNaming(language: .german, octaves: .helmholtz).name(of: Note(midi: 66)) == "fis'")
        #expect(NoteNaming(language: .solfege, octaves: .helmholtz).name(of: Note(midi: 69)) == "La4")
    }

    @Test func `Whatever is written is read back as the same note`() throws {
        let seed: UInt64 = 71
        print("note name property test, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let naming = NoteNaming(
                language: NoteNaming.Language.allCases.randomElement(using: &random) ?? .english,
                accidentals: NoteNaming.Accidentals.allCases.randomElement(using: &random) ?? .sharps,
                octaves: NoteNaming.Octaves.allCases.randomElement(using: &random) ?? .scientific,
                symbols: Bool.random(using: &random))
            let note = Note(midi: Int.random(in: -24...150, using: &random))
            let text = naming.name(of: note)
            #expect(try naming.note(named: text) == note, "\(text) in \(naming)")
            let step = naming.name(ofPitchClass: note.pitchClass)
            #expect(try naming.pitchClass(named: step) == note.pitchClass)
        }
    }

    @Test func `German B is a semitone below H, English B is not`() throws {
        let german = NoteNaming(language: .german)
        #expect(try german.note(named: "B3").midi == 58)
        #expect(try german.note(named: "H3").midi == 59)
        #expect(try german.note(named: "Bb3").midi == 58)
        #expect(try german.note(named: "F#4").midi == 66)
        #expect(try german.note(named: "es'").midi == 63)
        #expect(try Note(named: "B3").midi == 59)
        #expect(try NoteNaming(language: .solfege).note(named: "Sib3").midi == 58)
        #expect(try NoteNaming(language: .solfege).note(named: "D4").midi == 62)
    }

    @Test func `Every style has names of its own, but for the naturals of English sharps and flats`() {
        for (index, style) in NoteNaming.Style.allCases.enumerated() {
            let names = (0..<12).map { style.naming.name(ofPitchClass: $0) }
            #expect(Set(names).count == 12, "\(style)")
            for other in NoteNaming.Style.allCases[..<index] {
                #expect((0..<12).map { other.naming.name(ofPitchClass: $0) } != names, "\(style) writes like \(other)")
            }
            let isEnglish = style == .sharps || style == .flats
            #expect((style.naming.language == .english) == isEnglish, "\(style)")
        }
    }

    @Test func `In a key black keys have the names of its scores`() {
        func names(_ fifths: Int, isMinor: Bool = false, _ style: NoteNaming.Style = .sharps) -> String {
            var naming = style.naming
            naming.key = KeySignature(fifths: fifths, isMinor: isMinor)
            return [1, 3, 6, 8, 10].map { naming.name(ofPitchClass: $0) }.joined(separator: " ")
        }
        // F major and D minor have B flat; C sharp leads to D, and F sharp to G.
        #expect(names(-1) == "C# Eb F# Ab Bb")
        // G sharp leads to A.
        #expect(names(0, isMinor: true) == "C# Eb F# G# Bb")
        #expect(names(-4) == "Db Eb Gb Ab Bb")
        #expect(names(5) == "C# D# F# G# A#")
        #expect(names(-1, .german) == "Cis Es Fis As B")
        #expect(names(-4, .solfege) == "Reb Mib Solb Lab Sib")
        #expect(names(-4, .sargam) == names(5, .sargam))
    }
}
