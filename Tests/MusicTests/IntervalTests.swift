import Music
import Testing

@Suite struct IntervalTests {
    @Test func `Names count semitones as a musician does`() throws {
        let names = [
            ("P1", 0), ("m2", 1), ("M2", 2), ("m3", 3), ("M3", 4), ("P4", 5), ("A4", 6), ("d5", 6), ("P5", 7),
            ("m6", 8),
            ("M6", 9), ("d7", 9), ("m7", 10), ("M7", 11), ("P8", 12), ("d8", 11), ("M9", 14), ("P15", 24), ("-M2", -2),
            ("+m3", 3), ("down P5", -7), ("up M2", 2), ("−P8", -12), ("major second", 2), ("minor third", 3),
            ("down octave", -12), ("-octave", -12), ("Perfect Fifth", 7), ("tone", 2), ("tritone", 6),
        ]
        for (name, semitones) in names { #expect(try Interval(named: name).semitones == semitones, "\(name)") }
    }

    @Test func `What is no interval is refused with its place`() {
        for text in [
            "", "M", "M5", "P3", "m4", "P0", "P65", "M+2", "X2", "--M2", "M2x", "second", "P999999999999999999999",
        ] {
            #expect(throws: NameError.self, "\(text)") { try Interval(named: text) }
        }
        #expect(throws: NameError.notAnInterval(text: "-M5", column: 2, expected: "P, A or d")) {
            try Interval(named: "-M5")
        }
    }
}
