import Foundation
import Intonation
import Music
import TestNotes
import Testing

@testable import TerminalUI
@testable import TunerUI

@Suite struct TunerScreenTests {
    @Test
    func `Every size from 40 to 250 columns says note, word, cents and hertz, in ASCII where that is all there is`() {
        for columns in 40...250 {
            for rows in [8, 12, 24, 50] {
                for view in TunerModel.View.allCases {
                    var model = tunerModel(441)
                    model.view = view
                    let text = tunerScreen(model, columns, rows)
                    #expect(text.utf8.allSatisfy { $0 < 128 })
                    #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
                    for part in ["sharp", "+3.9", "0.2", "441.00 Hz", "-20 dB", "A4 440.00"] {
                        #expect(text.contains(part), "\(columns) x \(rows) \(view.rawValue): \(part)\n\(text)")
                    }
                }
            }
        }
    }

    @Test func `The smallest terminal there is gets what it has room for`() {
        for columns in 1...39 {
            for rows in 1...14 {
                for view in TunerModel.View.allCases {
                    var model = tunerModel(441)
                    model.view = view
                    let canvas = TunerScreen.draw(model, columns: columns, rows: rows, unicode: true)
                    #expect(canvas.columns == columns && canvas.rows == rows)
                    #expect(columns < 4 || canvas.text.contains { $0 != "\n" }, "\(columns) x \(rows)")
                }
            }
        }
    }

    @Test func `The words are flat, sharp and in tune, and an arrow points to where the pitch should go`() {
        #expect(tunerScreen(tunerModel(438)).contains("flat") && tunerScreen(tunerModel(438)).contains(">>>"))
        #expect(tunerScreen(tunerModel(442)).contains("sharp") && tunerScreen(tunerModel(442)).contains("<<<"))
        let right = tunerScreen(tunerModel(440.1))
        #expect(right.contains("in tune") && !right.contains(">>>") && !right.contains("<<<"))
        #expect(tunerScreen(tunerModel(nil)).contains("play a note"))
    }

    @Test func `The big letters are what the small ones would be`() {
        // 7 rows of "A" at scale 1, drawn with #.
        var canvas = Canvas(columns: 5, rows: 7, unicode: false)
        BigText.draw("A", on: &canvas, row: 0, column: 0, scale: 1)
        #expect(canvas.text == " ###\n#   #\n#   #\n#####\n#   #\n#   #\n#   #")
    }

    @Test func `Large words and numbers stand clear of each other and within the screen`() throws {
        for (hertz, word, cents) in [(440.2, "in tune", "+0.8"), (438, "flat", "-7.9"), (447, "sharp", "+27.3")] {
            // What the two come to on their own.
            var alone = Canvas(columns: 80, rows: 9, unicode: true)
            BigText.draw(word, on: &alone, row: 0, column: 0, scale: 1)
            BigText.draw(cents, on: &alone, row: 5, column: 0, scale: 1)
            let marks = alone.text.count { "█▀▄".contains($0) }
            #expect(marks > 60)
            for columns in 80...250 {
                let rows = tunerScreen(tunerModel(hertz, error: 20), columns, 40, unicode: true).split(
                    separator: "\n", omittingEmptySubsequences: false)
                let last = try #require(rows.lastIndex { $0.hasSuffix(" Hz") })
                #expect(rows[(last - 3)...last].joined().count { "█▀▄".contains($0) } == marks, "\(columns) \(word)")
                #expect(rows[last - 1].hasSuffix("± 20.0") && rows[last - 2].hasSuffix("cents"), "\(columns) \(word)")
            }
        }
    }

    @Test func `Every way of naming notes has a picture at every size`() throws {
        for language in NoteNaming.Language.allCases {
            for octaves in NoteNaming.Octaves.allCases {
                var finder = standardFinder
                finder.naming = NoteNaming(language: language, octaves: octaves)
                for midi in 21...108 {
                    let hertz = try #require(finder.tuning.target(for: Note(midi: midi))).frequency.value
                    var model = TunerModel(finder: finder)
                    model.hear(reading(at: 0, hertz, finder: finder))
                    let label = finder.naming.name(of: Note(midi: midi))
                    let text = TunerScreen.draw(model, columns: 60, rows: 16, unicode: true).text
                    #expect(BigText.canShow(label) || text.contains(label), "\(label)")
                }
            }
        }
    }

    @Test func `The strobe drifts by the pitch error: 1 Hz sharp is one turn a second, and rests when in tune`() {
        let sharp = tunerModel(441), right = tunerModel(440)
        // 199 steps of 480 samples at 48 kHz are 1.99 s.
        #expect(abs(sharp.strobeTurns - 1.99) < 0.001)
        #expect(abs(right.strobeTurns) < 0.001)
    }

    @Test func `A string that was in tune for half a second is marked as done`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        let tuned = tunerModel(110, finder: finder)
        #expect(tuned.doneStrings == [1])
        #expect(tunerScreen(tuned).contains("5:A2*"))
        #expect(tunerModel(112, finder: finder).doneStrings.isEmpty)
        // The peg of another string pulled it down: half a second of that, and it is to be done again.
        var pulled = tuned
        for i in 200..<240 { pulled.hear(reading(at: Int64(i * 480), 109, error: 0.2, finder: finder)) }
        #expect(pulled.doneStrings == [1])
        for i in 240..<280 { pulled.hear(reading(at: Int64(i * 480), 109, error: 0.2, finder: finder)) }
        #expect(pulled.doneStrings.isEmpty)
        var other = tuned
        other.forgetDone()
        #expect(other.doneStrings.isEmpty)
    }

    @Test func `Strings that sound the same are listed once, and done together`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "mandolin").standard
        let mandolin = tunerModel(440, finder: finder)
        #expect(mandolin.doneStrings == [4, 5])
        #expect(tunerScreen(mandolin).contains("4:G3  3:D4  2:A4* 1:E5"), "\(tunerScreen(mandolin))")
        finder.strings = try Instrument(named: "12-string guitar").standard
        #expect(tunerScreen(tunerModel(440, finder: finder)).contains("6:E2  6:E3  5:A2  5:A3"))
        // Two courses of one pitch: the player may say which.
        finder.strings = try Instrument(named: "balalaika").standard
        #expect(tunerModel(329.628, finder: finder).doneStrings == [0, 1])
        finder.lockedString = 1
        #expect(tunerModel(329.628, finder: finder).doneStrings == [1])
    }

    @Test func `Letters and Japanese names have large glyphs, all of them different`() {
        let letters = "ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789イロハニホヘト#♭+-.,'/:"
            .filter { BigText.canShow(String($0)) }
        // O is drawn as zero is.
        #expect(letters.count == 51 + 10 + 7 + 9)
        var pictures: [String: Character] = [:]
        for letter in letters {
            var canvas = Canvas(columns: 5, rows: 7, unicode: false)
            BigText.draw(String(letter), on: &canvas, row: 0, column: 0, scale: 1)
            #expect(pictures[canvas.text] == nil, "\(letter) looks like \(pictures[canvas.text] ?? " ")")
            pictures[canvas.text] = letter
        }
        var finder = standardFinder
        finder.naming = NoteNaming(language: .japanese)
        #expect(
            !TunerScreen.draw(tunerModel(466, finder: finder), columns: 40, rows: 24, unicode: true).text.contains(
                "嬰イ4"))
    }

    @Test func `A step of an equal division is not run together with its octave`() throws {
        let finder = NoteFinder(tuning: try Tuning(scale: .equal(19)))
        let label = try #require(finder.pitch(of: 440.0.hertz)).label
        #expect(label == "14:4")
        #expect(tunerScreen(tunerModel(440, finder: finder), 40, 8).contains("14:4"))
    }

    @Test(arguments: [(40, 12), (80, 24), (200, 50)])
    func `A note that has ended thins out in three stages and then goes, without colour`(columns: Int, rows: Int) {
        // The marks of the big letters and the hand, thickest first.
        for (unicode, marks) in [(false, "#+:."), (true, "█▓▒░")] {
            var model = tunerModel(441)
            func picture() -> String { tunerScreen(model, columns, rows, unicode: unicode) }
            func count(_ mark: Character) -> Int { picture().count { $0 == mark } }
            let filled = count(unicode ? "█" : "#")
            let before = Dictionary(uniqueKeysWithValues: marks.map { ($0, count($0)) })
            #expect(filled > 0 && !picture().contains("was ") && !picture().contains("last heard"))
            // The tone ended at frame 199 · 480. Whole for 12,000 frames, then thirds of 108,000.
            for (stage, mark) in zip(1..., marks.dropFirst()) {
                model.hear(reading(at: 199 * 480 + 12_000 + Int64(stage - 1) * 36_000 + 1, nil))
                #expect(count(unicode ? "◀" : "<") <= 3 - stage, "\(picture())")
                // What else looks like the mark, the dot of 441.00 for one, is there before and after.
                #expect(count(mark) == filled + (before[mark] ?? 0), "\(picture())")
                #expect(count(unicode ? "█" : "#") == 0, "\(picture())")
                #expect(picture().contains("441.00 Hz"), "\(picture())")
                // Where the word itself is written large, beside it.
                #expect(picture().contains("was sharp") != picture().contains("last heard"), "\(picture())")
            }
            model.hear(reading(at: 199 * 480 + 120_000, nil))
            #expect(picture().contains("play a note") && !picture().contains("last heard") && model.pitch == nil)
        }
    }

    @Test func `A gap or an octave error of a few hops does not touch the picture`() {
        var model = tunerModel(441)
        // 8 rows have no trail, which would move.
        func picture() -> Canvas { TunerScreen.draw(model, columns: 80, rows: 8, unicode: true) }
        let before = picture()
        for i in 200..<220 {
            model.hear(reading(at: Int64(i * 480), i % 5 == 0 ? 220.5 : nil, error: 0.2))
            #expect(picture() == before)
        }
        #expect(model.isSounding && model.shownFrequency.value > 440)
    }

    @Test func `While a note fades the screen is written to at each stage and not in between`() {
        var model = tunerModel(441)
        // 8 rows have no trail, which would move; the level is the same throughout.
        func frame() -> Canvas { TunerScreen.draw(model, columns: 80, rows: 8, unicode: true) }
        var display = Screen(colored: true)
        #expect(!display.update(to: frame()).isEmpty)
        var frames: [Int] = []
        for hop in 0..<600 {
            model.hear(reading(at: 199 * 480 + Int64(hop) * 256, nil))
            if !display.update(to: frame()).isEmpty { frames.append(hop * 256) }
        }
        // The first hop after each corner: 12,000, 48,000, 84,000 and 120,000 frames.
        #expect(frames == [12_032, 48_128, 84_224, 120_064])
    }

    @Test func `A transposing instrument shows the written note and the concert one`() throws {
        var finder = standardFinder
        finder.transposition = try Transposition(named: "Bb clarinet")
        let shown = tunerModel(440, finder: finder)
        #expect(shown.pitch?.label == "B4" && shown.pitch?.concert == "A4")
        #expect(tunerScreen(shown).contains("concert A4"))
    }

    @Test func `While it is held nothing changes, and then it goes on`() {
        var model = tunerModel(441)
        model.toggleHold()
        let before = model.pitch?.label
        // The first says that it is held; that sentence ends after 2 s.
        model.hear(reading(at: 200 * 480, 220))
        let picture = tunerScreen(model).split(separator: "\n").dropLast()
        for i in 201..<600 {
            model.hear(reading(at: Int64(i * 480), i < 400 ? 220 : nil))
            #expect(tunerScreen(model).split(separator: "\n").dropLast() == picture)
        }
        #expect(model.pitch?.label == before && model.isHeld)
        model.toggleHold()
        model.hear(reading(at: 600 * 480, 220))
        #expect(model.pitch?.label == "A3")
    }
}

@Suite struct ReferenceLearnerTests {
    @Test(arguments: [415.3, 430.0, 440.0, 442.7, 452.0])
    func `A4 is found from the notes of a scale, wherever it lies`(_ a4: Double) throws {
        var learner = ReferenceLearner()
        for midi in [60, 62, 64, 65, 67, 69, 71, 72] {
            learner.hear(ReferencePitch(a4: a4.hertz).frequency(of: Note(midi: midi)))
        }
        #expect(abs(try #require(learner.a4).value - a4) < 0.001 || a4 < 428 || a4 > 453)
        // Beyond half a semitone the nearest semitone is another one.
        let found = try #require(learner.a4).value
        let semitones = 12 * (log2(found / a4))
        #expect(abs(semitones - semitones.rounded()) < 1e-6)
    }

    @Test func `Notes that agree on nothing give no A4`() {
        var learner = ReferenceLearner()
        for cents in stride(from: 0.0, to: 100, by: 10) { learner.hear(440.0.hertz.raised(by: cents.cents)) }
        #expect(learner.a4 == nil)
    }
}
