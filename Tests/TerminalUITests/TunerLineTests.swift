import Music
import TerminalUI
import Testing

@Suite struct TunerLineTests {
    @Test func `Every line fits its columns, from 40 to 250, with a pitch and without`() {
        for columns in 40...250 {
            for hertz in [nil, 27.5, 440, 452.8, 4_186.009] as [Double?] {
                for unicode in [true, false] {
                    var line = TunerLine(unicode: unicode)
                    let text = line.text(reading(at: 0, hertz), columns: columns)
                    #expect(text.count <= columns, "\(columns): \(text)")
                    if !unicode { #expect(text.utf8.allSatisfy { $0 < 128 }) }
                }
            }
        }
    }

    @Test func `The line names note, octave, cents, frequency, level and what to do`() {
        var line = TunerLine(unicode: false)
        let text = line.text(reading(at: 0, 441), columns: 80)
        for part in ["A4", "+3.9 c", "441.00 Hz", "-20 dB", "sharp"] { #expect(text.contains(part), "\(text)") }
        let flat = line.text(reading(at: 0, 439), columns: 80)
        #expect(flat.contains("flat") && flat.contains("-3.9 c"))
        #expect(line.text(reading(at: 0, 440.2), columns: 80).contains("in tune"))
    }

    @Test func `The last pitch stays for a second, marked as held, and then goes`() {
        var line = TunerLine(unicode: false)
        let live = line.text(reading(at: 0, 440), columns: 80)
        let held = line.text(reading(at: 24_000, nil), columns: 80)
        let gone = line.text(reading(at: 96_000, nil), columns: 80)
        #expect(live.hasPrefix("* A4"))
        #expect(held.hasPrefix("  A4"))
        #expect(!gone.contains("A4"))
    }
}

@Suite struct NeedleTests {
    @Test func `The hand stands in the middle at 0 cents and at the ends from 50`() {
        let needle = Needle(unicode: false)
        #expect(needle.text(0.0.cents, width: 11) == "-----O-----")
        #expect(needle.text((-50.0).cents, width: 11) == "O----+-----")
        #expect(needle.text(80.0.cents, width: 11) == "-----+----O")
        #expect(needle.text(nil, width: 11) == "-----+-----")
        #expect(needle.text(.init(.nan), width: 10).count == 9)
    }
}
