import Foundation
import Music
import Notation
import TerminalUI
import TestPlans
import Testing
import Timebase

@Suite struct MetronomeScreenTests {
    /// A display that has heard so many beats of a plan.
    private func model(_ plan: PracticePlan, beats count: Int) throws -> MetronomeModel {
        var model = MetronomeModel(grid: try PlanGrid(plan))
        (model.title, model.sound, model.keys) = (
            "title", "wood",
            [KeyHelp("space", "stop; start again with the first bar", "stop"), KeyHelp("q", "quit", "quit")]
        )
        for (index, beat) in try beats(of: plan, limit: count).enumerated() {
            model.hear(beat, at: Double(index) * 0.5)
        }
        return model
    }

    @Test func `At every width from 40 to 250 and every height from 8 on it shows beat, bar and tempo`() throws {
        let seven = try plan("97.3") { $0.accents = try AccentPattern(parsing: "3+2+2") }
        var big = try model(seven, beats: 11)
        big.isBig = true
        for columns in 40...250 {
            for (rows, unicode) in [(8, false), (11, true), (24, true), (24, false), (60, true)] {
                for model in [try model(seven, beats: 11), big] {
                    let canvas = MetronomeScreen.draw(model, columns: columns, rows: rows, unicode: unicode)
                    #expect(canvas.columns == columns && canvas.rows == rows)
                    let text = canvas.text
                    let hasLetters = text.contains("bar 2") && text.contains("97.3 BPM") && text.contains("4/7")
                    // Or in letters a hand high, with the words beneath.
                    let hasBlocks = unicode && columns >= 66 && text.contains("beat") && text.contains("BPM")
                    #expect(hasLetters || hasBlocks, "\(columns)x\(rows) \(unicode)\n\(text)")
                    #expect(text.contains("[") || columns < 45, "the beat that is heard is marked\n\(text)")
                    #expect(unicode || text.utf8.allSatisfy { $0 < 128 })
                }
            }
        }
    }

    @Test func `The smallest terminal there is gets what it has room for`() throws {
        var big = try model(try plan("97.3"), beats: 6)
        big.isBig = true
        let ramp = try model(try plan("80..160/32b"), beats: 6)
        for columns in 1...39 {
            for rows in 1...14 {
                for model in [big, ramp] {
                    let canvas = MetronomeScreen.draw(model, columns: columns, rows: rows, unicode: true)
                    #expect(canvas.columns == columns && canvas.rows == rows)
                    #expect(columns < 4 || canvas.text.contains { $0 != "\n" }, "\(columns) x \(rows)")
                }
            }
        }
    }

    @Test func `Parts of the beat and the voices of a polyrhythm have rows of their own, each stroke at its place`()
        throws
    {
        let triplets = try plan("120") { $0.subdivision = try Subdivision(parsing: "triplet") }
        let cross = try plan("120") {
            $0.cross = .polyrhythm(try CrossRhythm.voices(parsing: "3:4"))
            $0.meter = try Meter(parsing: "4/4")
        }
        for (columns, rows) in [(40, 10), (80, 24), (200, 50)] {
            let parts = MetronomeScreen.draw(
                try model(triplets, beats: 2), columns: columns, rows: rows, unicode: true
            ).text.split(separator: "\n")
            // Four beats of three parts; the current one is filled.
            let row = try #require(parts.first { $0.count { "●○·█".contains($0) } == 12 }, "\(parts)")
            #expect(row.contains("█"))
            let places = row.enumerated().filter { "●○·█".contains($0.element) }.map(\.offset)
            let gaps = zip(places.dropFirst(), places).map { $0 - $1 }
            #expect((gaps.max() ?? 9) - (gaps.min() ?? 0) <= 1, "evenly: \(gaps)")
            let voices = MetronomeScreen.draw(
                try model(cross, beats: 2), columns: columns, rows: rows, unicode: true
            ).text.split(separator: "\n")
            let voice = try #require(voices.first { $0.contains("─") && $0.contains("●") }, "\(voices)")
            #expect(voice.count { "●·█".contains($0) } == 3)
        }
    }

    @Test func `The part and the stroke of a voice that is heard is filled`() throws {
        let both = try plan("120") {
            $0.subdivision = try Subdivision(parsing: "2")
            $0.cross = .polyrhythm(try CrossRhythm.voices(parsing: "3:4"))
            $0.meter = try Meter(parsing: "4/4")
        }
        var model = MetronomeModel(grid: try PlanGrid(both))
        var filled: Set<Int> = []
        for (index, stroke) in try strokes(of: both, sampleRate: 48_000, limit: 12).enumerated() {
            if stroke.isBeat { model.hear(stroke, at: Double(index) * 0.1) } else { model.hear(stroke: stroke) }
            let text = MetronomeScreen.draw(model, columns: 80, rows: 20, unicode: false).text
            guard let row = text.split(separator: "\n").first(where: { $0.contains("---") }) else { continue }
            for (column, mark) in row.enumerated() where mark == "#" { filled.insert(column) }
        }
        #expect(filled.count == 3, "each of the three strokes was lit: \(filled.sorted())")
    }

    @Test func `A tempo is shown with at most two decimals`() {
        let texts: [(Double, String)] = [
            (120, "120"), (97.3, "97.3"), (97.25, "97.25"), (120.04, "120.04"), (100.0 / 3, "33.3"),
            (80.0 + 1e-9, "80"),
            (80.031_25, "80.0"), (120.555_555_5, "120.6"),
        ]
        for (tempo, text) in texts { #expect(MetronomeModel.text(ofTempo: tempo) == text) }
        #expect(MetronomeModel.text(ofTempo: 120, fewest: 1) == "120.0")
    }

    @Test func `Level is height, the beat that is heard is filled, muted ones are dotted: no colour needed`() throws {
        let plan = try plan("120") {
            $0.accents = try AccentPattern(parsing: "Xox.")
            $0.gap = try GapPlan(parsing: "1:1")
        }
        let heard = MetronomeScreen.draw(try model(plan, beats: 2), columns: 60, rows: 16, unicode: false)
        func height(_ mark: Character, _ column: Int) -> Int {
            (0..<16).filter { row in
                let text = Array(heard.text(row: row))
                return column < text.count && text[column] == mark
            }.count
        }
        // Four columns of 14 or fewer, from the left edge.
        let numbers = heard.text.split(separator: "\n").first { $0.contains("[2]") && $0.contains("1") }
        let line = Array(try #require(numbers))
        let places = ["1", "[", "3", "4"].compactMap { line.firstIndex(of: Character($0)) }
        try #require(places.count == 4)
        #expect(height(":", places[0]) == 10 && height("#", places[1]) == 6 && height(":", places[2]) == 3)
        #expect(height("_", places[3]) == 1)
        let muted = MetronomeScreen.draw(try model(plan, beats: 6), columns: 60, rows: 16, unicode: false).text
        #expect(muted.contains("(1)") && muted.contains("[2]") && muted.contains("muted") && !muted.contains("#"))
    }

    @Test func `A picture of the same beat writes nothing, the next beat less than a screen`() throws {
        let plan = try plan("120")
        var screen = Screen(colored: false)
        func frame(_ count: Int) throws -> [UInt8] {
            screen.update(
                to: MetronomeScreen.draw(try model(plan, beats: count), columns: 80, rows: 24, unicode: true))
        }
        #expect(try frame(3).count > 1_000)
        #expect(try frame(3).isEmpty)
        let next = try frame(4)
        #expect(!next.isEmpty && next.count < 2_500)
    }

    @Test func `A key's answer is shown for two seconds, a typed tempo until it is entered`() throws {
        var model = try model(try plan("120"), beats: 3)
        model.say("121 BPM")
        func footer() -> String { MetronomeScreen.draw(model, columns: 80, rows: 24, unicode: false).text(row: 23) }
        #expect(footer().contains("121 BPM"))
        model.advance(to: 2.9)
        #expect(footer().contains("121 BPM"))
        model.advance(to: 3.1)
        #expect(footer().contains("q quit"))
        model.entry = "13"
        #expect(footer().contains("tempo: 13_"))
    }
}

@Suite struct FlashTests {
    @Test func `No second has more than three flashes, whatever the tempo and the jitter of what is heard`() throws {
        for tempo in ["30", "60", "120", "179", "181", "240", "400", "1000"] {
            let plan = try plan(tempo) { $0.meter = try Meter(parsing: "3/4") }
            var model = MetronomeModel(grid: try PlanGrid(plan))
            model.flashes = true
            var starts: [Double] = []
            for (index, beat) in try beats(of: plan, limit: 300).enumerated() {
                // Up to 3 ms of jitter, as on a bad clock.
                let seconds = Double(beat.frame) / 48_000 + Double(index * 7 % 4) * 0.001
                model.advance(to: seconds - 1e-6)
                let wasLit = model.isFlashing
                model.hear(beat, at: seconds)
                if model.isFlashing && !wasLit { starts.append(seconds) }
            }
            #expect(starts.count > 20, "it flashes at \(tempo)")
            for start in starts {
                #expect(starts.filter { $0 >= start && $0 < start + 1 }.count <= 3, "\(tempo) BPM")
            }
            // Up to 3 beats a second all of them.
            if let value = Double(tempo), value < 179 { #expect(starts.count == 300, "\(tempo): \(starts.count)") }
        }
    }

    @Test func `A flash ends by itself, fills the screen, and leaves muted bars dark`() throws {
        let plan = try plan("120") { $0.gap = try GapPlan(parsing: "1:1") }
        let events = try beats(of: plan, limit: 8)
        var model = MetronomeModel(grid: try PlanGrid(plan))
        model.flashes = true
        model.hear(events[0], at: 10)
        #expect(model.isFlashing && model.nextChange == 10.1)
        var screen = Screen(colored: true)
        let lit = screen.update(to: MetronomeScreen.draw(model, columns: 40, rows: 10, unicode: true))
        #expect(String(decoding: lit, as: UTF8.self).contains("[0;7m"))
        model.advance(to: 10.11)
        #expect(!model.isFlashing)
        model.hear(events[4], at: 12)
        #expect(!model.isFlashing, "bar 2 is left out")
        // A beat that the player muted still flashes.
        model.isMuted = true
        var beat = events[1]
        beat.isMuted = true
        model.hear(beat, at: 13)
        #expect(model.isFlashing)
    }
}
