import Intonation
import Music
import Platform
import TerminalUI

/// The tuner on a terminal: the full display, or one line if the screen is small. It draws changes only, at most 60 times a
/// second.
struct TunerDisplay: ~Copyable {
    var model: TunerModel
    private var output = StandardOutput()
    private var screen = Screen(colored: terminalShowsColor())
    private var live = LiveLine()
    private var line: TunerLine
    private var hasHeard = false
    private let unicode: Bool
    private let prefersLine: Bool
    private var lastDrawn = MonotonicTime(nanoseconds: 0)
    /// Replaces the readings while the device is lost.
    private var notice: String?

    /// A display of a model.
    init(model: TunerModel, unicode: Bool, prefersLine: Bool) {
        self.model = model
        self.unicode = unicode
        self.prefersLine = prefersLine
        line = TunerLine(unicode: unicode)
    }

    /// Adds a reading.
    mutating func hear(_ note: TunedNote) {
        model.hear(note)
        guard !model.isHeld else { return }
        line.hear(note)
        hasHeard = true
    }

    /// Reports that the device is lost, or back.
    mutating func tell(_ sentence: String, isLost: Bool) {
        notice = isLost ? sentence : nil
        if isLost { model.fallSilent(sentence) } else { model.say(sentence) }
    }

    /// The shortest time between two frames: 60 a second.
    static let shortestFrame: Duration = .milliseconds(16)

    /// Whether the next frame may be drawn.
    var isDue: Bool { .now() - lastDrawn >= Self.shortestFrame }

    /// Draws what changed.
    mutating func draw() throws(OutputClosed) {
        lastDrawn = .now()
        guard !output.isInBackground else { return }
        let (columns, rows) = output.size
        if prefersLine || rows < TunerScreen.fewestRows {
            try screen.end(on: &output)
            if let notice { return try live.draw("  " + notice, on: &output) }
            guard hasHeard else { return try live.draw("  listening ...", on: &output) }
            guard !model.isHeld else { return }
            try live.draw(line.text(columns: columns - 1), on: &output)
        } else {
            try live.erase(on: &output)
            let canvas = screen.blank(columns: columns, rows: rows, unicode: unicode)
            try screen.draw(TunerScreen.draw(model, on: canvas), on: &output)
        }
    }

    /// Draws everything again, after something else has written on the terminal.
    mutating func redraw() throws(OutputClosed) {
        screen.invalidate()
        try draw()
    }

    /// Restores the terminal.
    mutating func end() throws(OutputClosed) {
        try screen.end(on: &output)
        try live.end(on: &output)
        try output.flush()
    }
}
