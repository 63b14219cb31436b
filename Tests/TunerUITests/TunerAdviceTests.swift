import Foundation
import Intonation
import Music
import TestNotes
import Testing

@testable import TerminalUI
@testable import TunerUI

/// What the display says beside the pitch: words that stand still, ticks, what is wrong with the sound, the menu.
@Suite struct TunerAdviceTests {
    @Test func `In a vibrato of 25 cents the word stays, and the needle swings`() {
        for rate in [4.5, 5.5, 6.5] {
            var model = TunerModel(finder: standardFinder)
            var words: Set<String> = [], swing: [Double] = []
            for hop in 0..<900 {
                let cents = 25 * sin(2 * .pi * rate * Double(hop) * 256 / 48_000 + 1)
                model.hear(reading(at: Int64(hop) * 256, 440 * exp2(cents / 1_200)))
                if let word = model.word { words.insert(word) }
                swing.append(model.needleCents ?? 0)
            }
            #expect(words == ["in tune"], "\(rate) Hz: \(words)")
            #expect((swing.max() ?? 0) > 24 && (swing.min() ?? 0) < -24)
            #expect(abs(model.shownCents) < 1.5)
        }
    }

    @Test func `A tolerance of 10 cents calls 8 cents in tune`() {
        var model = TunerModel(finder: standardFinder)
        model.tolerance = 10.cents
        for i in 0..<200 { model.hear(reading(at: Int64(i * 480), 442)) }
        #expect(model.word == "in tune" && tunerModel(442).word == "sharp")
    }

    @Test func `A ticked string keeps its tick until it is itself heard out of tune, and the last says all in tune`()
        throws
    {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        var model = TunerModel(finder: finder)
        var hop: Int64 = 0
        func play(_ hertz: Double?, seconds: Double) {
            for _ in 0..<Int(seconds * 100) {
                model.hear(reading(at: hop * 480, hertz, error: 0.2, finder: finder))
                hop += 1
            }
        }
        play(82.407, seconds: 1.5)
        #expect(model.doneStrings == [0])
        // A new A string is tuned up from below: what is nearest to the E is not the E.
        play(90, seconds: 2)
        play(50, seconds: 2)
        play(nil, seconds: 4)
        #expect(model.doneStrings == [0])
        for hertz in [110, 146.832, 195.998, 246.942, 329.628] {
            #expect(!model.isAllInTune)
            play(hertz, seconds: 1.5)
        }
        #expect(model.isAllInTune)
        #expect(tunerScreen(model, 40, 10).contains("all in tune"), "\(tunerScreen(model, 40, 10))")
        play(nil, seconds: 5)
        #expect(tunerScreen(model).contains("all in tune"))
        // The E has gone down by 20 cents.
        play(81.46, seconds: 1.5)
        #expect(!model.isAllInTune && model.doneStrings == [1, 2, 3, 4, 5])
    }

    @Test func `Words tell what is wrong with the sound, on the smallest terminals too`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        for (columns, rows) in [(40, 10), (80, 24), (200, 50)] {
            var model = TunerModel(finder: finder)
            model.hear(reading(at: 0, 50, finder: finder))
            #expect(tunerScreen(model, columns, rows).contains("no string is near this note"))
            var watch = SoundWatch()
            watch.clip(at: .zero)
            model.hear(watch.judge(reading(at: 480, 110, finder: finder)))
            let text = tunerScreen(model, columns, rows)
            #expect(text.contains("too loud: clipping, lower the gain") && text.contains("110.00 Hz"), "\(text)")
        }
        for condition in [SoundCondition.severalNotes, .tooQuiet] {
            let advice = try #require(condition.advice(hasStrings: true))
            #expect(advice.count <= 38, "it fits forty columns: \(advice)")
        }
    }

    @Test
    func `Forty columns and ten rows keep reference, instrument, strings, note, word, cents, hertz, level and keys`()
        throws
    {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        var model = tunerModel(111, finder: finder)
        model.titles = [
            "A4 440.00 Hz  |  equal  |  guitar: standard  |  in tune +-2 c", "A4 440.00 Hz | guitar: standard",
            "guitar: standard",
        ]
        for view in TunerModel.View.allCases {
            model.view = view
            let text = tunerScreen(model, 40, 10)
            for part in [
                "A4 440.00 Hz | guitar: standard", "6:E2", "5:A2", "1:E4", "sharp", "+15.7 c", "+- 0.2", "111.00 Hz",
                "-20 dB", "? help",
            ] { #expect(text.contains(part), "\(view.rawValue): \(part)\n\(text)") }
        }
    }

    @Test(arguments: [(40, 10), (80, 24), (200, 50)])
    func `The menu shows all of its rows with the selected one between arrows`(columns: Int, rows: Int) {
        var model = tunerModel(441)
        let names = ["instrument", "tuning", "capo", "temperament", "key", "transposition"]
        model.menu = TunerMenu(rows: names.map { TunerMenu.Row($0, "my \($0)") })
        model.menu?.move(by: 1)
        let text = tunerScreen(model, columns, rows)
        for name in names { #expect(text.contains(name), "\(text)") }
        #expect(text.contains("< my tuning >") && text.contains("441.00 Hz"), "\(text)")
        model.menu?.move(by: -2)
        #expect(tunerScreen(model, columns, rows).contains("< my transposition >"))
    }

    @Test func `The view of notes has a row for each semitone, and marks sharp and flat apart`() {
        var model = TunerModel(finder: standardFinder)
        model.view = .notes
        for i in 0..<600 {
            let hertz = 440 * exp2((Double([0, 2, 4][i / 200]) + [0.0, 0.3, -0.3][i / 200]) / 12)
            model.hear(reading(at: Int64(i * 480), hertz))
        }
        let text = tunerScreen(model, 80, 24)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        func row(_ name: String) -> Substring? { lines.first { $0.hasPrefix(name) } }
        #expect(row("A4")?.contains("====") == true && row("B4")?.contains("^^^^") == true, "\(text)")
        #expect(lines.first { $0.hasPrefix("C#5") }?.contains("____") == true, "\(text)")
    }
}
