import Intonation
import Music
import Platform
import TerminalUI
internal import TunerUI

/// The tuner on a terminal: the full display, or one line if the screen is small. It draws changes only, at most 60 times a
/// second.
struct TunerDisplay: ~Copyable {
    var model: TunerModel
    private var terminal: TerminalDisplay
    private let unicode: Bool
    private var line: TunerLine
    private var hasHeard = false
    private var lastDrawn = MonotonicTime(nanoseconds: 0)
    /// Replaces the readings while the device is lost.
    private var notice: String?

    init(model: TunerModel, unicode: Bool, prefersLine: Bool) {
        (self.model, self.unicode) = (model, unicode)
        terminal = TerminalDisplay(unicode: unicode, prefersLine: prefersLine)
        line = TunerLine(
            unicode: unicode, tolerance: model.tolerance, response: model.response,
            hasStrings: model.finder.strings != nil)
    }

    mutating func hear(_ note: TunedNote) {
        model.hear(note)
        guard !model.isHeld else { return }
        (line.response, line.hasStrings) = (model.response, model.finder.strings != nil)
        line.hear(note)
        hasHeard = true
    }

    mutating func hear(_ sound: TunedStrum) {
        model.hear(sound)
        hasHeard = true
    }

    /// Reports that the device is lost, or back.
    mutating func tell(_ sentence: String, isLost: Bool) {
        notice = isLost ? sentence : nil
        if isLost { model.fallSilent(sentence) } else { model.say(sentence) }
    }

    /// The minimum frame interval. A frame of 15,000 cells every 16 ms would take 1.1 % of a core.
    private(set) var shortestFrame: Duration = .milliseconds(16)

    /// Whether the next frame may be drawn.
    var isDue: Bool { .now() - lastDrawn >= shortestFrame }

    mutating func draw() throws(OutputClosed) {
        lastDrawn = .now()
        let (columns, rows) = terminal.output.size
        shortestFrame = .milliseconds(columns * rows > 10_000 ? 22 : 16)
        let (model, line, notice, hasHeard, unicode) = (model, line, notice, hasHeard, unicode)
        try terminal.draw(picture: { TunerScreen.draw(model, on: $0) }) { columns in
            if let notice { return "  " + notice }
            if !hasHeard { return "  listening ..." }
            if model.showsBoard, !model.isHeld { return model.boardLine(columns: columns - 1, unicode: unicode) }
            return model.isHeld ? nil : line.text(columns: columns - 1)
        }
    }

    /// Draws everything again, after something else has written on the terminal.
    mutating func redraw() throws(OutputClosed) {
        terminal.invalidate()
        try draw()
    }

    mutating func end() throws(OutputClosed) { try terminal.end() }
}
