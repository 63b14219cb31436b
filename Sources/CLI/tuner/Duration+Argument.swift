import ArgumentParser
import Notation

extension Duration {
    /// Reads a duration in the metronome's notation: 10, 90s, 10m, 1h30m or 2:30.
    static func reading(_ text: String) throws -> Duration {
        do throws(NotationError) {
            return try Duration(parsing: text)
        } catch {
            throw ValidationError("\(error.remedy).")
        }
    }
}
