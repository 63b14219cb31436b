import AudioIO
import Foundation
import TestCommands
import TestSignals
import Testing

/// What a string of a strum is said to be, as `--json` writes it.
struct Said: Decodable {
    let file: String?
    let time_s: Double, window_s: Double
    let strum: Int, string: Int, octave: Int, midi: Int
    let note: String, state: String
    let cents: Double?, standard_error_cents: Double?, hz: Double?, target_hz: Double, level_db: Double?
}

/// Takes of generated strums, and what the tuner says of them.
protocol StrumTakes {}

extension StrumTakes {
    var tuner: BuiltCommand { BuiltCommand("tuner") }
    /// The strings of a guitar in hertz, the lowest first.
    static var guitar: [Double] { [82.406_9, 110, 146.832_4, 195.997_7, 246.941_7, 329.627_6] }

    func said(_ arguments: [String]) throws -> [Said] {
        let outcome = try tuner.run(["--strum", "--json"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.lines.map { try JSONDecoder().decode(Said.self, from: Data($0.utf8)) }
    }

    /// Writes a sound of several parts, one after the other.
    func write(_ parts: [[Float]], to folder: URL, rate: Double = 48_000, name: String = "take.wav") throws
        -> String
    {
        let path = folder.appending(path: name).path()
        var writer = try AudioFileWriter(path: path, sampleRate: rate.hertz)
        let sound = parts.flatMap(\.self)
        try writer.write(sound.span)
        try writer.finish()
        return path
    }

    func strummed(_ cents: [Double?], seed: UInt64, seconds: Double = 2.6, strings: [Double] = Self.guitar)
        -> [Float]
    {
        var generator = SeededGenerator(seed: seed)
        let places = zip(strings, cents).map { string, cents in cents.map { string * exp2($0 / 1_200) } }
        return strum(places, seconds: seconds, using: &generator)
    }
}
