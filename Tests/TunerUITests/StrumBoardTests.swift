import Intonation
import Music
import TestNotes
import Testing

@testable import TerminalUI
@testable import TunerUI

@Suite struct StrumBoardTests {
    private let detuned: [Double?] = [0.4, -9.6, 7.2, nil, -1.8, 55]

    @Test func `A strum brings all strings, one string takes them away`() throws {
        var model = try strummedModel(detuned)
        #expect(model.showsBoard)
        model.hear(strum(detuned, model.finder, at: 2, isStrum: false))
        #expect(!model.showsBoard)
    }

    @Test func `The mode strum shows the strings always, single never, and a locked string is a single one`() throws {
        var model = try strummedModel(detuned)
        model.board.mode = .single
        #expect(!model.showsBoard)
        model.board.mode = .strum
        model.hear(strum(detuned, model.finder, at: 2, isStrum: false))
        #expect(model.showsBoard)
        model.finder.lockedString = 2
        #expect(!model.showsBoard)
        model.finder.lockedString = nil
        model.board.isPossible = false
        #expect(!model.showsBoard, "an instrument whose strums cannot be measured")
    }

    @Test func `Each string has its name, cents, their error and a word, at every width`() throws {
        let model = try strummedModel(detuned)
        for (columns, rows) in [(40, 14), (80, 24), (200, 50)] {
            let text = tunerScreen(model, columns, rows, unicode: true)
            for part in ["6", "1", "±0.03", "±0.83", "flat", "sharp"] { #expect(text.contains(part), "\(text)") }
            // In large letters at 200 columns.
            if columns < 200 {
                for part in ["E2", "B3", "+0.4", "-9.6", "+7.2", "-1.8", "+55.0"] {
                    #expect(text.contains(part), "\(text)")
                }
            }
            #expect(text.contains(columns == 40 ? "heard" : "not heard") && text.contains("▲"), "\(text)")
        }
        let small = tunerScreen(model, 40, 8, unicode: true)
        #expect(small.contains("ok") && small.contains("flat") && small.contains("none"), "\(small)")
    }

    @Test func `Below the strings it says which to tune up and which down`() throws {
        let text = tunerScreen(try strummedModel(detuned), 120, 24, unicode: true)
        #expect(
            text.contains(
                "2 of 6 in tune     tune up: A2     tune down: D3 E4     not heard: G3     measured over 0.50 s"),
            "\(text)")
        #expect(tunerScreen(try strummedModel([0, 0, 0, 0, 0, 0])).contains("all in tune"))
        var empty = TunerModel(finder: try strummedFinder("guitar"))
        (empty.board.mode, empty.board.isPossible) = (.strum, true)
        #expect(tunerScreen(empty).contains("strum all strings"))
    }

    @Test func `Strings in tune get their ticks once half a second was heard, and lose them out of tune`() throws {
        var model = try strummedModel(detuned)
        #expect(model.doneStrings == [0, 4])
        model.hear(strum([9, 0, 0, 0, 0, 0], model.finder, at: 2, window: 0.35))
        #expect(model.doneStrings == [0, 4], "too early to tell")
        model.hear(strum([9, 0, 0, 0, 0, 0], model.finder, at: 2, window: 0.7))
        #expect(model.doneStrings == [1, 2, 3, 4, 5])
        model.hear(strum([0, 0, 0, 0, 0, 0], model.finder, at: 4))
        #expect(model.isAllInTune && model.currentMessage == "all in tune")
    }

    @Test func `While the strings stay, a single string moves its own needle`() throws {
        var model = try strummedModel(detuned)
        model.board.mode = .strum
        func hear(_ hertz: Double, from seconds: Double) {
            for hop in 0..<100 {
                model.hear(reading(at: Int64((seconds + Double(hop) / 100) * 48_000), hertz, finder: model.finder))
            }
        }
        hear(110, from: 1)
        #expect(model.board.readings[1]?.verdict == .flat, "the pitch of a chord is no string's")
        model.hear(strum(detuned, model.finder, at: 2, isStrum: false))
        hear(110, from: 3)
        #expect(model.board.readings[1]?.verdict == .inTune && model.board.readings[2]?.verdict == .sharp)
        #expect(model.doneStrings == [0, 1, 4])
    }

    @Test func `A strum is not scolded for its many notes, and another tuning begins anew`() throws {
        var model = try strummedModel(detuned)
        #expect(model.advice == nil)
        model.forget()
        #expect(model.board.readings.isEmpty && !model.showsBoard)
    }

    @Test func `Twelve strings take two rows of needles where one is too narrow`() throws {
        let cents: [Double?] = [0, 3, 0, -3, 0, 0, nil, 0, 12, 0, 0, -20]
        let text = tunerScreen(try strummedModel(cents, "12-string guitar"), 40, 24, unicode: true)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.contains("6:") } == 1 && lines.count { $0.contains("1:") } == 1, "\(text)")
        #expect(lines.contains { $0.contains("6:") && !$0.contains("1:") }, "\(text)")
    }

    @Test func `One line has all strings in words, and in numbers where it is short`() throws {
        let model = try strummedModel(detuned)
        let wide = model.boardLine(columns: 140, unicode: true)
        #expect(
            wide
                == "  6:E2 +0.4 in tune  5:A2 -9.6 flat  4:D3 +7.2 sharp  3:G3 not heard  2:B3 -1.8 in tune  1:E4 +55.0 sharp",
            "\(wide)")
        #expect(model.boardLine(columns: 79, unicode: true) == "  E2 +0.4  A2 -9.6  D3 +7.2  G3 --  B3 -1.8  E4 +55.0")
        #expect(model.boardLine(columns: 39, unicode: true) == "  E2✓ A2-10 D3+7 G3-- B3✓ E4+55")
    }
}
