import Foundation
import Music
import Testing
import Transcription

/// Notes whose period is longer than the windows that look for onsets.
@Suite struct LowNoteTests {
    /// B0 to F#1 as a bowed string or a synthesizer sounds: 40 partials of amplitude 1/k, which make a pulse in each period.
    @Test(arguments: [23, 24, 25, 26, 27, 28, 29, 30])
    func `The periods of a steady low note are no strokes`(key: Int) throws {
        let rate = 48_000.0
        let turn = 2 * Double.pi * 440 * exp2(Double(key - 69) / 12) / rate
        var samples = [Float](repeating: 0, count: Int(5 * rate))
        for (start, seconds) in [(0.5, 1.4), (2.0, 1.4), (3.5, 1.4)] {
            for n in 0..<Int(seconds * rate) {
                let time = Double(n) / rate
                let fade = min(1, time / 0.01, (seconds - time) / 0.02)
                let sum = (1...40).reduce(0.0) { sum, k in sum + sin(turn * Double(k * n)) / Double(k) }
                samples[Int(start * rate) + n] = Float(0.2 * fade * sum)
            }
        }
        #expect(try endedNotes(samples).map { $0.note.midi } == [key, key, key])
    }
}
