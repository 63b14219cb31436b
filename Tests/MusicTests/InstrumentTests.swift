import Music
import Testing

@Suite struct InstrumentTests {
    private func strings(_ name: String, _ tuning: String? = nil) throws -> [Int] {
        let instrument = try Instrument(named: name)
        return try (tuning.map { try instrument.tuning(named: $0) } ?? instrument.standard).strings.map(\.midi)
    }

    @Test(arguments: [
        ("E A D G B E", [40, 45, 50, 55, 59, 64]), ("e a d g b e", [40, 45, 50, 55, 59, 64]),
        ("D A D G B E", [38, 45, 50, 55, 59, 64]), ("Eb Ab Db Gb Bb Eb", [39, 44, 49, 54, 58, 63]),
        ("eb", [39, 44, 49, 54, 58, 63]), ("Eb", [39, 44, 49, 54, 58, 63]), ("D standard", [38, 43, 48, 53, 57, 62]),
        ("c# tuning", [37, 42, 47, 52, 56, 61]),
    ]) func `A guitar is tuned by letters with blanks, or by the letter of its lowest string`(
        text: String, notes: [Int]
    ) throws {
        #expect(try Instrument(named: "guitar").tuning(named: text).strings.map(\.midi) == notes)
    }

    @Test(arguments: ["E A D G B", "E A D G B E E", "E A D G B X", "x standard", "standard standard x"])
    func `Letters that do not fit the strings are refused`(text: String) throws {
        let guitar = try Instrument(named: "guitar")
        #expect(throws: NameError.self) { try guitar.tuning(named: text) }
    }

    @Test func `There are at least 45 instruments, each with a name of its own`() {
        print("instruments: \(Instrument.all.count), tunings: \(Instrument.all.reduce(0) { $0 + $1.tunings.count })")
        #expect(Instrument.all.count > 100, "README.md says so")
        let names = Instrument.all.flatMap { [$0.name] + $0.aliases }.map { $0.lowercased() }
        #expect(Set(names).count == names.count)
        for instrument in Instrument.all {
            #expect(Set(instrument.tunings.map(\.name)).count == instrument.tunings.count)
            #expect((try? Instrument(named: instrument.name)) == instrument)
            for alias in instrument.aliases { #expect((try? Instrument(named: alias)) == instrument, "\(alias)") }
        }
    }

    @Test(arguments: [
        // Frequencies of the lowest and the highest string, in hertz, as makers and string charts print them.
        ("guitar", 82.41, 329.63), ("bass", 41.20, 98.00), ("5-string bass", 30.87, 98.00),
        ("7-string guitar", 61.74, 329.63),
        ("8-string guitar", 46.25, 329.63), ("ukulele", 261.63, 440.00), ("baritone ukulele", 146.83, 329.63),
        ("banjo", 146.83, 392.00), ("mandolin", 196.00, 659.26), ("violin", 196.00, 659.26), ("viola", 130.81, 440.00),
        ("cello", 65.41, 220.00), ("double bass", 41.20, 98.00), ("harp", 32.70, 3_135.96), ("erhu", 293.66, 440.00),
        ("pipa", 110.00, 220.00), ("guzheng", 73.42, 1_174.66), ("bouzouki", 130.81, 349.23),
        ("balalaika", 329.63, 440.00),
        ("piano", 27.50, 4_186.01), ("charango", 329.63, 659.26), ("kora", 87.31, 880.00), ("sitar", 69.30, 554.37),
        ("bass viol", 73.42, 293.66), ("shamisen", 130.81, 261.63), ("lap steel", 130.81, 329.63),
        ("pedal steel", 123.47, 415.30), ("autoharp", 87.31, 1_046.50), ("koto", 196.00, 880.00),
        ("oud", 65.41, 261.63),
    ]) func `Lowest and highest strings are at the printed frequencies`(name: String, low: Double, high: Double) throws
    {
        let notes = try Instrument(named: name).standard.strings
        let lowest = try #require(notes.min())
        let highest = try #require(notes.max())
        // The charts are printed to a hundredth of a hertz.
        #expect(abs(ReferencePitch.standard.frequency(of: lowest).value - low) < 0.006)
        #expect(abs(ReferencePitch.standard.frequency(of: highest).value - high) < 0.006)
    }

    @Test func `Families stand in their intervals`() throws {
        // Fifths throughout, and an octave or a fifth from one member to the next.
        for name in ["violin", "viola", "cello"] {
            let notes = try strings(name)
            #expect(zip(notes, notes.dropFirst()).allSatisfy { $1 - $0 == 7 }, "\(name)")
        }
        #expect(try strings("viola") == strings("violin").map { $0 - 7 })
        #expect(try strings("cello") == strings("viola").map { $0 - 12 })
        #expect(try strings("mandolin") == strings("violin").flatMap { [$0, $0] })
        #expect(try strings("octave mandolin") == strings("mandolin").map { $0 - 12 })
        #expect(try strings("mandocello") == strings("mandola").map { $0 - 12 })
        #expect(try strings("bass") == strings("double bass"))
        #expect(try strings("bass") == strings("guitar").prefix(4).map { $0 - 12 })
        #expect(try strings("bass VI") == strings("guitar").map { $0 - 12 })
        #expect(try strings("guitalele") == strings("guitar").map { $0 + 5 })
        #expect(try strings("baritone guitar") == strings("guitar").map { $0 - 5 })
        #expect(try strings("tenor viol") == strings("bass viol").map { $0 + 5 })
        #expect(try strings("treble viol") == strings("bass viol").map { $0 + 12 })
        #expect(try strings("lute", "A") == strings("lute", "G").map { $0 + 2 })
        #expect(try strings("laud") == strings("bandurria").map { $0 - 12 })
        #expect(try strings("ronroco") == strings("charango").map { $0 - 12 })
        #expect(try strings("contrabass balalaika") == strings("bass balalaika").map { $0 - 12 })
        #expect(try strings("alto balalaika") == strings("balalaika").map { $0 - 12 })
        #expect(try strings("Portuguese guitar", "Coimbra") == strings("Portuguese guitar", "Lisbon").map { $0 - 2 })
        #expect(try strings("double bass", "solo") == strings("double bass", "orchestra").map { $0 + 2 })
        #expect(try strings("guitar", "half step down") == strings("guitar").map { $0 - 1 })
        #expect(try strings("guitar", "open E") == strings("guitar", "open D").map { $0 + 2 })
        #expect(try strings("guitar", "open A") == strings("guitar", "open G").map { $0 + 2 })
        #expect(try strings("guitar", "drop C") == strings("guitar", "drop D").map { $0 - 2 })
        #expect(try strings("bajo quinto") == Array(strings("bajo sexto").dropFirst(2)))
    }

    @Test func `The shamisen's three tunings move one string each`() throws {
        let honchoshi = try strings("shamisen", "honchoshi")
        #expect(honchoshi.map { $0 - honchoshi[0] } == [0, 5, 12])
        // Niagari: the second string goes up. Sansagari: the third goes down. A tone each.
        #expect(try strings("shamisen", "niagari") == [honchoshi[0], honchoshi[1] + 2, honchoshi[2]])
        #expect(try strings("shamisen", "sansagari") == [honchoshi[0], honchoshi[1], honchoshi[2] - 2])
    }

    @Test func `Harps, pianos and zithers have all their strings`() throws {
        #expect(try strings("harp").count == 47)
        #expect(try strings("harp", "C flat major") == strings("harp").map { $0 - 1 })
        #expect(try strings("lever harp").count == 34)
        #expect(try strings("36-string harp").count == 36)
        #expect(try strings("piano").count == 88)
        #expect(try strings("autoharp").count == 36)
        #expect(try strings("guzheng").count == 21)
        #expect(try strings("koto").count == 13)
        #expect(try strings("kora").count == 21)
        #expect(try strings("kalimba").count == 17)
        #expect(try strings("gayageum").count == 12)
        #expect(try strings("harpsichord").count == 61)
        #expect(try Instrument(named: "Baroque lute").standard.courses.count == 13)
    }

    @Test func `Tunings are found by name or spelled out`() throws {
        let guitar = try Instrument(named: "Guitar")
        #expect(try guitar.tuning(named: "dadgad").strings.map(\.description) == ["D2", "A2", "D3", "G3", "A3", "D4"])
        #expect(try guitar.tuning(named: "Open-G").name == "open G")
        #expect(try guitar.tuning(named: "C2 G2 D3 A3 B3 E4").strings.count == 6)
        // Letters alone, as players write them: each string goes the shortest way.
        let letters = [
            "EADGBE": "E2 A2 D3 G3 B3 E4", "CGDGBD": "C2 G2 D3 G3 B3 D4", "C#G#C#F#BbEb": "C#2 G#2 C#3 F#3 A#3 D#4",
        ]
        for (text, notes) in letters {
            let tuning = try guitar.tuning(named: text)
            #expect(tuning.strings.map(\.description).joined(separator: " ") == notes && tuning.name == text)
        }
        let twelve = try Instrument(named: "12-string guitar").tuning(named: "DADGBE")
        #expect(twelve.courses[0].map(\.description) == ["D2", "D3"] && twelve.courses.count == 6)
        for wrong in ["EADGB", "EADGBEE", "eadgbe", "EADGBX"] {
            #expect(throws: NameError.self, "\(wrong)") { try guitar.tuning(named: wrong) }
        }
        #expect(try Instrument(named: "5 string banjo").name == "banjo")
        #expect(try Instrument(named: "bağlama").name == "saz")
        #expect {
            try guitar.tuning(named: "drop")
        } throws: { error in
            guard case .unknown("tuning of the guitar", "drop", let known) = error as? NameError else { return false }
            return known == ["drop D", "double drop D", "drop C", "drop B"]
        }
        #expect {
            try Instrument(named: "bas")
        } throws: { error in
            guard case .unknown("instrument", "bas", let known) = error as? NameError else { return false }
            return known.contains("bass") && known.contains("5-string bass") && !known.contains("violin")
        }
        // A word in common counts more than a few letters; a slip of the finger is understood; a hundred names are no help.
        for (wrong, likely) in [("hammered dulcimer", ["dulcimer"]), ("giutar bass", nil), ("manodlin", nil)] {
            guard case .unknown(_, _, let known)? = unknown(wrong) else { Issue.record("\(wrong)"); continue }
            if let likely { #expect(known == likely) }
        }
        guard case .unknown(_, _, let viola)? = unknown("vuola") else { Issue.record("vuola"); return }
        #expect(viola.contains("viola") && viola.count < 5)
        #expect(unknown("xyzzy")?.message.count ?? 0 < 450)
    }

    private func unknown(_ name: String) -> NameError? {
        do throws(NameError) {
            _ = try Instrument(named: name)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A guitar has a tuning for each fret that a capo is put on, and a violin none`() throws {
        let capos = try Instrument(named: "guitar").capoTunings
        #expect(capos.map(\.name).contains("standard, capo 2") && capos.count == 7)
        #expect(capos[1].strings == (try Instrument(named: "guitar").standard.capo(2).strings))
        #expect(try Instrument(named: "violin").capoTunings.isEmpty)
    }
}
