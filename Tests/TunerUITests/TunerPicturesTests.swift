import Foundation
import Intonation
import Music
import Notation
import TestNotes
import TestPlans
import Testing
import Timebase

@testable import TerminalUI
@testable import TunerUI

/// The tuner's screens as text, which were looked at: `RECORD_GOLDEN=1 swift test --filter TunerPictures` writes them anew.
@Suite struct TunerPicturesTests {
    private static let sizes = [(40, 10), (80, 24), (200, 50)]

    private func guitar() throws -> NoteFinder {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        return finder
    }

    /// A guitar whose low strings are tuned, and whose D is 12 cents flat.
    private func tuning() throws -> TunerModel {
        var model = TunerModel(finder: try guitar())
        model.titles = [
            "A4 440.00 Hz  ·  equal  ·  guitar: standard  ·  in tune ±2 c", "A4 440.00 Hz · guitar: standard",
            "guitar: standard",
        ]
        var hop: Int64 = 0
        for hertz in [82.407, 110, 146.832 * exp2(-12 / 1_200)] {
            for _ in 0..<200 {
                model.hear(reading(at: hop * 480, hertz, level: -24, error: 0.3, finder: model.finder))
                hop += 1
            }
        }
        return model
    }

    /// Nine seconds of a voice: a scale with vibrato.
    private func singing(_ view: TunerModel.View) -> TunerModel {
        var model = TunerModel(finder: standardFinder)
        model.titles = ["A4 440.00 Hz  ·  equal  ·  in tune ±10 c"]
        model.view = view
        model.tolerance = 10.cents
        for hop in 0..<1_800 {
            let (seconds, note) = (Double(hop) / 200, [57, 59, 61, 62, 64, 62, 61, 59, 57][hop / 200])
            let cents = [0.0, 20, -6, -30, 4, 0, 8, -18, 2][hop / 200] + 25 * sin(2 * .pi * 5.5 * seconds)
            let hertz = 440 * exp2((Double(note - 69) + cents / 100) / 12)
            model.hear(reading(at: Int64(hop) * 240, hertz, level: -18, error: 1.2))
        }
        return model
    }

    /// Compares the pictures of all scenes in all sizes with a file.
    private func compare<Model>(
        _ scenes: [(name: String, model: Model)], with name: String, draw: (Model, Int, Int) -> String
    ) throws {
        var text = ""
        for (columns, rows) in Self.sizes {
            for scene in scenes {
                text += "=== \(scene.name), \(columns) x \(rows)\n\(draw(scene.model, columns, rows))\n"
            }
        }
        try compare(text, with: name)
    }

    @Test func `The screens are those that were looked at`() throws {
        var menu = try tuning()
        menu.menu = TunerMenu(rows: [
            TunerMenu.Row("instrument", "guitar"), TunerMenu.Row("tuning", "half step down"),
            TunerMenu.Row("capo", "none"),
            TunerMenu.Row("temperament", "Werckmeister III"), TunerMenu.Row("key", "C"),
            TunerMenu.Row("transposition", "concert"),
        ])
        menu.menu?.move(by: 1)
        var hum = TunerModel(finder: try guitar())
        hum.titles = menu.titles
        hum.hear(reading(at: 0, 50, finder: hum.finder))
        var help = try tuning()
        help.showsHelp = true
        help.keys = [KeyHelp("space", "hold or resume the display", "hold"), KeyHelp("q", "quit", "quit")]
        let scenes: [(String, TunerModel)] = [
            ("a guitar", try tuning()), ("the menu", menu), ("a voice, needle", singing(.needle)),
            ("a voice, notes", singing(.notes)), ("no string", hum), ("help", help),
            ("a strum of a guitar", try strummedModel([0.4, -9.6, 7.2, nil, -1.8, 23])),
            (
                "a strum of twelve strings",
                try strummedModel([0, 3, 0, -3, 0, 0, nil, 0, 12, 0, 0, -20], "12-string guitar")
            ),
        ]
        try compare(scenes, with: "tuner-screens.txt") {
            TunerScreen.draw($0, columns: $1, rows: $2, unicode: true).text
        }
    }

    /// A metronome that has heard so many beats of a plan.
    private func metronome(_ words: String, beats count: Int, _ change: (inout PlanOptions) throws -> Void = { _ in })
        throws -> MetronomeModel
    {
        let plan = try plan(words, change)
        var model = MetronomeModel(grid: try PlanGrid(plan))
        (model.title, model.sound) = (words, "wood")
        model.keys = [KeyHelp("space", "stop; start again with the first bar", "stop"), KeyHelp("q", "quit", "quit")]
        for (index, beat) in try beats(of: plan, limit: count).enumerated() {
            model.hear(beat, at: Double(index) * 0.5)
        }
        return model
    }

    @Test func `The metronome's screens of 40, 80 and 200 columns are those that were looked at`() throws {
        var help = try metronome("120", beats: 2)
        help.showsHelp = true
        var big = try metronome("97.3", beats: 7)
        big.isBig = true
        let scenes: [(String, MetronomeModel)] = [
            ("four in a bar", try metronome("120", beats: 3)),
            (
                "a meter in groups, sixteenths, a polyrhythm",
                try metronome("140", beats: 6) {
                    $0.meter = try Meter(parsing: "7/8")
                    $0.accents = try AccentPattern(parsing: "3+2+2")
                    $0.subdivision = try Subdivision(parsing: "16th")
                    $0.cross = .polyrhythm(try CrossRhythm.voices(parsing: "3:4"))
                }
            ),
            ("a ramp", try metronome("80..160/32b", beats: 9)), ("the number of the beat", big), ("help", help),
        ]
        try compare(scenes, with: "metronome-screens.txt") {
            MetronomeScreen.draw($0, columns: $1, rows: $2, unicode: true).text
        }
    }

    @Test(arguments: [(2.0, 2, 1), (60, 12, 1), (600, 60, 10)])
    func `The pictures of two seconds, a minute and ten minutes are those that were looked at`(
        seconds: Double, notes: Int, rows: Int
    ) throws {
        var take = Take(name: "melody.wav", finder: standardFinder)
        // As few readings as a picture of that length shows.
        let rate = seconds > 100 ? 12.5 : 100
        for i in 0..<Int(seconds * rate) {
            let time = Double(i) / rate
            // A note every half second at least, up and down the range.
            let step = Int(time / max(0.5, seconds / Double(4 * notes)))
            let place = step % (2 * notes)
            let midi = 69 - notes / 2 + (place < notes ? place : 2 * notes - 1 - place)
            let cents = 6 * sin(2 * .pi * 5 * time) + Double(step % 7) * 3 - 9
            take.add(reading(at: Int64(48_000 * time), 440 * exp2((Double(midi - 69) + cents / 100) / 12)))
        }
        take.finish()
        let levels = (0..<40 * 30).map { Float(-($0 % 80)) }
        let picture = SpectrogramPicture(columns: 40, rows: 30, pitches: 33...108, levels: levels)
        let plot = TakePlot(take: take, spectrogram: picture)
        #expect(plot.layout.rowCount == rows && plot.notes.count == notes)
        // Every note stands in the panel, clear of its neighbors.
        #expect(plot.layout.noteStep >= 14)
        let svg = plot.svg
        for note in plot.notes { #expect(svg.contains(">\(note.label)</text>"), "\(note.label)") }
        try compare(svg, with: "take-\(Int(seconds))s.svg")
    }

    @Test func `The colours of a picture follow the tolerance`() {
        let take = driftingTake()
        #expect(TakePlot(take: take, spectrogram: nil).svg.contains("green within 5 cents, amber within 15"))
        let voice = TakePlot(take: take, spectrogram: nil, tolerance: 20.cents).svg
        // Nothing lies farther off than 20 cents.
        #expect(voice.contains("green within 20 cents, amber within 60") && !voice.contains(SVG.fair))
    }

    private func compare(_ text: String, with name: String) throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil { try Data(text.utf8).write(to: golden) }
        #expect(text == (try String(contentsOf: golden, encoding: .utf8)), "\(name)")
    }
}
