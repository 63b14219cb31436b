import Intonation
import Music
import TestNotes

@testable import TerminalUI
@testable import TunerUI

/// The strings of an instrument in equal temperament at 440 Hz.
func strummedFinder(_ instrument: String) throws -> NoteFinder {
    var finder = standardFinder
    finder.strings = try Instrument(named: instrument).standard
    return finder
}

/// A strum of strings that are so many cents off; `nil` for a string that is not heard.
func strum(
    _ cents: [Double?], _ finder: NoteFinder, at seconds: Double = 0, window: Double = 2, isStrum: Bool = true
) -> TunedStrum {
    let strings = cents.enumerated().compactMap { position, cents in
        let note = finder.strings?.strings[position] ?? Note(midi: 0)
        let place = finder.tuning.target(for: note)?.frequency ?? 0.hertz
        return TunedString(
            position, at: place.raised(by: (cents ?? 40).cents), isHeard: cents != nil,
            standardError: (0.03 + 0.2 * Double(position)).cents, inharmonicity: 0.000_07, level: (-20.5).decibels,
            finder: finder)
    }
    return TunedStrum(
        time: .seconds(seconds), window: .seconds(window), isStrum: isStrum, isFinal: window == 2, strings: strings)
}

/// A display that has heard a strum.
func strummedModel(_ cents: [Double?], _ instrument: String = "guitar") throws -> TunerModel {
    var model = TunerModel(finder: try strummedFinder(instrument))
    model.titles = ["A4 440.00 Hz  ·  equal  ·  \(instrument): standard  ·  in tune ±2 c", "\(instrument): standard"]
    model.board.isPossible = true
    for hop in 0..<100 { model.hear(reading(at: Int64(hop) * 480, nil, level: -24, finder: model.finder)) }
    model.hear(strum(cents, model.finder, at: 0.7, window: 0.5))
    return model
}
