import Intonation
import Music
import TestNotes

@testable import TerminalUI
@testable import TunerUI

/// A display after two seconds of a tone, or of silence.
func tunerModel(_ hertz: Double?, finder: NoteFinder = standardFinder, error: Double = 0.2) -> TunerModel {
    var model = TunerModel(finder: finder)
    model.title = "A4 440.00 Hz"
    for i in 0..<200 { model.hear(reading(at: Int64(i * 480), hertz, error: error, finder: finder)) }
    return model
}

/// The text of the tuner's screen.
func tunerScreen(_ model: TunerModel, _ columns: Int = 80, _ rows: Int = 24, unicode: Bool = false) -> String {
    TunerScreen.draw(model, columns: columns, rows: rows, unicode: unicode).text
}

extension TunerScreen {
    static func draw(_ model: TunerModel, columns: Int, rows: Int, unicode: Bool) -> Canvas {
        draw(model, on: Canvas(columns: columns, rows: rows, unicode: unicode))
    }
}

extension MetronomeScreen {
    static func draw(_ model: MetronomeModel, columns: Int, rows: Int, unicode: Bool) -> Canvas {
        draw(model, on: Canvas(columns: columns, rows: rows, unicode: unicode))
    }
}
