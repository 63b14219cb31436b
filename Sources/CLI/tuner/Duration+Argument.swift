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

    /// Reads a place in a recording, which may be 0.
    static func readingPlace(_ text: String) throws -> Duration {
        if let zero = Double(text), zero == 0 { return .zero }
        return try reading(text)
    }
}
