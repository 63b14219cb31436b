import ArgumentParser
import Timebase

/// `--for` takes times as the metronome does: 10, 90s, 10m, 1h30m or 2:30.
extension TimeSpan {
    /// Reads `text` as the metronome does; the error says what is wrong with it.
    static func reading(_ text: String) throws -> TimeSpan {
        do throws(NotationError) {
            return try TimeSpan(parsing: text)
        } catch {
            throw ValidationError("\(error.remedy).")
        }
    }

    /// The length in seconds.
    var inSeconds: Double { Double(seconds.numerator) / Double(seconds.denominator) }
}
