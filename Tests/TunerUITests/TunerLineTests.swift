import Foundation
import Intonation
import Music
import TestNotes
import Testing

@testable import TerminalUI
@testable import TunerUI

@Suite struct TunerLineTests {
    @Test func `Every line fits its columns, from 40 to 250, with a pitch and without`() {
        for columns in 1...39 {
            var line = TunerLine(unicode: false)
            line.hear(reading(at: 0, 440))
            #expect(!line.text(columns: columns).isEmpty)
        }
        for columns in 40...250 {
            for hertz in [nil, 27.5, 440, 452.8, 4_186.009] as [Double?] {
                for unicode in [true, false] {
                    var line = TunerLine(unicode: unicode)
                    line.hear(reading(at: 0, hertz))
                    let text = line.text(columns: columns)
                    #expect(text.count <= columns, "\(columns): \(text)")
                    line.hear(reading(at: 60_000, nil))
                    #expect(line.text(columns: columns).count <= columns, "\(columns): fading")
                    if !unicode { #expect(text.utf8.allSatisfy { $0 < 128 }) }
                }
            }
        }
    }

    /// A line that has heard a steady pitch for 0.2 s, up to frame 0.
    private func line(_ hertz: Double, unicode: Bool = false) -> TunerLine {
        var line = TunerLine(unicode: unicode)
        for frame in stride(from: -9_600, through: 0, by: 480) { line.hear(reading(at: Int64(frame), hertz)) }
        return line
    }

    @Test func `The line names note, octave, cents, frequency, level and what to do`() {
        var line = line(441)
        let text = line.text(columns: 80)
        for part in ["A4", "+3.9 c", "441.00 Hz", "-20 dB", "sharp"] { #expect(text.contains(part), "\(text)") }
        // Number and word are means over half a second.
        func hear(_ hertz: Double, from second: Int64) {
            for hop in 0..<Int64(200) { line.hear(reading(at: second * 48_000 + hop * 256, hertz)) }
        }
        hear(439, from: 2)
        let flat = line.text(columns: 80)
        #expect(flat.contains("flat") && flat.contains("-3.9 c"), "\(flat)")
        hear(440.2, from: 4)
        #expect(line.text(columns: 80).contains("in tune"))
        // 2.5 cents: not at the limit that the word came in at.
        hear(440.64, from: 6)
        #expect(line.text(columns: 80).contains("in tune"))
    }

    @Test
    func
        `Where room is short the level goes first, then the frequency, then the needle, and never note, cents or word`()
    {
        for (hertz, word) in [(441, "sharp"), (439, "flat"), (440, "in tune")] as [(Double, String)] {
            var seen: [(needle: Bool, hertz: Bool, level: Bool)] = []
            for columns in 29...199 {
                let text = line(hertz).text(columns: columns)
                #expect(text.contains("A4") && text.contains(" c  ") && text.contains(word), "\(columns): \(text)")
                #expect(text.count <= columns)
                seen.append((text.contains("O"), text.contains(" Hz"), text.contains(" dB")))
                // At 38 columns of 39 there is a needle, at 60 the frequency, at 80 all.
                if columns >= 38 { #expect(text.contains("O"), "\(columns): \(text)") }
                if columns >= 59 { #expect(text.contains(" Hz"), "\(columns): \(text)") }
                if columns >= 79 { #expect(text.contains(" dB"), "\(columns): \(text)") }
            }
            for (narrow, wide) in zip(seen, seen.dropFirst()) {
                #expect(!narrow.needle || wide.needle)
                #expect(!narrow.hertz || wide.hertz && narrow.needle)
                #expect(!narrow.level || wide.level && narrow.hertz)
            }
            // A word may lose its blanks, but not its letters, down to 23 columns.
            #expect(line(hertz).text(columns: 23).contains(word))
        }
    }

    @Test func `The needle stays in its place when a note begins`() throws {
        for columns in [39, 49, 59, 79, 119, 199] {
            var idle = TunerLine(unicode: false)
            idle.hear(reading(at: 0, nil))
            let (before, after) = (idle.text(columns: columns), line(440).text(columns: columns))
            #expect(
                before.firstIndex(of: "+")?.utf16Offset(in: before) == after.firstIndex(of: "O")?.utf16Offset(in: after)
            )
            #expect(before.contains(" dB") && before.count <= columns, "\(before)")
        }
    }

    @Test func `Vibrato moves the needle, but neither the word nor the number`() {
        var line = TunerLine(unicode: false)
        var words: Set<String> = [], needles: Set<Int> = []
        for hop in 0..<800 {
            let cents = 25 * sin(2 * .pi * 5.5 * Double(hop) * 256 / 48_000)
            line.hear(reading(at: Int64(hop) * 256, 440 * exp2(cents / 1_200)))
            let text = line.text(columns: 100)
            for word in ["flat", "sharp", "in tune"] where text.contains("  \(word)  ") { words.insert(word) }
            if let hand = text.firstIndex(of: "O") { needles.insert(hand.utf16Offset(in: text)) }
        }
        #expect(words == ["in tune"] && needles.count > 10, "\(words) \(needles)")
    }

    @Test func `What is wrong with the sound is said in place of a note`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        var line = TunerLine(unicode: false, hasStrings: true)
        line.hear(reading(at: 0, 50, finder: finder))
        #expect(line.text(columns: 80).hasPrefix("  no string is near this note"))
        for columns in 40...100 { #expect(line.text(columns: columns).count <= columns) }
    }

    @Test func `The last pitch fades by lead, hand and word, without colour, and then goes`() {
        for (unicode, hands) in [(false, "Oo:."), (true, "●○◦·")] {
            for columns in [79, 199] {
                var line = line(441, unicode: unicode)
                // 48,000 frames are a second: whole for 0.25 s, then thirds of 2.25 s.
                for (frame, lead, hand, word) in zip4(
                    [12_000, 12_001, 48_001, 84_001], "*+:.", hands, ["sharp", "was sharp", "was sharp", "was sharp"])
                {
                    line.hear(reading(at: Int64(frame), nil))
                    let text = line.text(columns: columns)
                    #expect(text.hasPrefix("\(lead) A4  ") && text.contains("  \(word)  "), "\(text)")
                    #expect(text.dropFirst().contains(hand) && text.contains("+3.9 c") && text.count <= columns)
                    #expect(hands.filter { $0 != hand && $0 != "." }.allSatisfy { !text.contains($0) }, "\(text)")
                }
                line.hear(reading(at: 120_000, nil))
                let gone = line.text(columns: columns)
                #expect(!gone.contains("A4") && gone.hasPrefix("  --") && gone.contains("-20 dB"))
            }
        }
    }

    @Test func `A gap or an octave error of a few hops does not change the line`() {
        var line = TunerLine(unicode: false)
        for hop in 0..<10 { line.hear(reading(at: Int64(hop) * 256, 440)) }
        let before = line.text(columns: 79)
        for hop in 10..<50 {
            line.hear(reading(at: Int64(hop) * 256, hop % 4 == 0 ? 880 : nil))
            #expect(line.text(columns: 79) == before)
        }
        for hop in 50..<150 { line.hear(reading(at: Int64(hop) * 256, 442)) }
        #expect(line.text(columns: 79).contains("442.00 Hz"))
    }
}

/// Four sequences of equal length, element by element.
private func zip4<A, B, C, D>(
    _ a: [A], _ b: some Sequence<B>, _ c: some Sequence<C>, _ d: [D]
) -> [(A, B, C, D)] { zip(zip(a, b), zip(c, d)).map { ($0.0, $0.1, $1.0, $1.1) } }

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
