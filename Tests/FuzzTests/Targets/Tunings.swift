import Music

extension FuzzTarget {
    /// A Scala scale. One that is read names the notes of the whole keyboard.
    static let scale = FuzzTarget(name: "scale", longest: 4_096) { bytes in
        guard let scale = try? Scale(parsing: scalaText(decoding: Array(bytes))),
            let tuning = try? Tuning(scale: scale, reference: .standard)
        else { return }
        check(tuning)
    }

    /// A Scala keyboard mapping, of a scale of twelve notes.
    static let mapping = FuzzTarget(name: "mapping", longest: 1_024) { bytes in
        guard let mapping = try? KeyboardMapping(parsing: scalaText(decoding: Array(bytes))),
            let scale = try? Scale(equalDivision: "12edo"), let tuning = try? Tuning(scale: scale, mapping: mapping)
        else { return }
        check(tuning)
    }

    /// The names of notes, intervals, instruments, tunings, transpositions, temperaments and scales.
    static let names = FuzzTarget(name: "names", longest: 128) { bytes in
        let text = bytes.text
        _ = try? Interval(named: text)
        for naming in NoteNaming.Style.allCases.map(\.naming) {
            _ = (try? naming.note(named: text), try? naming.pitchClass(named: text))
        }
        _ = try? Note(named: text)
        _ = try? Instrument(named: text)
        _ = try? Instrument(named: "guitar").tuning(named: text)
        _ = try? StringTuning(name: "own", strings: text)
        _ = try? Transposition(named: text)
        _ = try? Temperament(named: text)
        _ = try? Scale(equalDivision: text)
        _ = try? Sweetening(parsing: text)
    }

    /// A tuning finds a note at a finite distance for everything that can be played, or none at all.
    private static func check(_ tuning: Tuning) {
        for hertz in [20, 27.5, 440, 441.3, 4_186, 20_000] {
            guard let (target, deviation) = tuning.nearest(to: Hertz(hertz)) else { continue }
            precondition(deviation.value.isFinite, "\(hertz) Hz is \(deviation.value) cents off")
            _ = tuning.name(of: target)
        }
    }
}
