import Foundation
import Music
import TerminalUI
import Testing

@Suite struct TunerScreenTests {
    /// A display after two seconds of a tone.
    private func model(_ hertz: Double?, finder: NoteFinder = standardFinder, error: Double = 0.2) -> TunerModel {
        var model = TunerModel(finder: finder)
        model.title = "A4 440.00 Hz"
        for i in 0..<200 { model.hear(reading(at: Int64(i * 480), hertz, error: error, finder: finder)) }
        return model
    }

    private func screen(_ model: TunerModel, _ columns: Int = 80, _ rows: Int = 24, unicode: Bool = false) -> String {
        TunerScreen.draw(model, columns: columns, rows: rows, unicode: unicode).text
    }

    @Test
    func `Every size from 40 to 250 columns says note, word, cents and hertz, in ASCII where that is all there is`() {
        for columns in 40...250 {
            for rows in [8, 12, 24, 50] {
                for view in TunerModel.View.allCases {
                    var model = model(441)
                    model.view = view
                    let text = screen(model, columns, rows)
                    #expect(text.utf8.allSatisfy { $0 < 128 })
                    #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
                    for part in ["sharp", "+3.9", "0.2", "441.00 Hz", "-20 dB", "A4 440.00"] {
                        #expect(text.contains(part), "\(columns) x \(rows) \(view.rawValue): \(part)\n\(text)")
                    }
                }
            }
        }
    }

    @Test func `The words are flat, sharp and in tune, and an arrow points to where the pitch should go`() {
        #expect(screen(model(438)).contains("flat") && screen(model(438)).contains(">>>"))
        #expect(screen(model(442)).contains("sharp") && screen(model(442)).contains("<<<"))
        let right = screen(model(440.1))
        #expect(right.contains("in tune") && !right.contains(">>>") && !right.contains("<<<"))
        #expect(screen(model(nil)).contains("play a note"))
    }

    @Test func `The big letters are what the small ones would be`() {
        // 7 rows of "A" at scale 1, drawn with #.
        var canvas = Canvas(columns: 5, rows: 7, unicode: false)
        BigText.draw("A", on: &canvas, row: 0, column: 0, scale: 1)
        #expect(canvas.text == " ###\n#   #\n#   #\n#####\n#   #\n#   #\n#   #")
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
        let sharp = model(441), right = model(440)
        // 199 steps of 480 samples at 48 kHz are 1.99 s.
        #expect(abs(sharp.strobeTurns - 1.99) < 0.001)
        #expect(abs(right.strobeTurns) < 0.001)
    }

    @Test func `A string that was in tune for half a second is marked as done`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        let tuned = model(110, finder: finder)
        #expect(tuned.doneStrings == [1])
        #expect(screen(tuned).contains("5:A2*"))
        #expect(model(112, finder: finder).doneStrings.isEmpty)
    }

    @Test func `A transposing instrument shows the written note and the concert one`() throws {
        var finder = standardFinder
        finder.transposition = try Transposition(named: "Bb clarinet")
        let shown = model(440, finder: finder)
        #expect(shown.pitch?.label == "B4" && shown.pitch?.concert == "A4")
        #expect(screen(shown).contains("concert A4"))
    }

    @Test func `While it is held nothing changes, and then it goes on`() {
        var model = model(441)
        model.toggleHold()
        let before = model.pitch?.label
        for i in 200..<600 { model.hear(reading(at: Int64(i * 480), 220)) }
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
