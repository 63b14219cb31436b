internal import ArgumentParser

/// A number that may have its unit after it, as in `442Hz`, `442 Hz` or `-20 dB`; `nil` if it is none.
///
/// - Parameter unit: in lower case.
package func number(_ text: String, unit: String) -> Double? {
    // A decimal comma, as in 442,5; two of them are no number.
    let lower = text.lowercased().replacing(",", with: ".")
    let bare = lower.hasSuffix(unit) ? String(lower.dropLast(unit.count)) : lower
    let trimmed = bare.drop { $0 == " " }
    return Double(String(trimmed.reversed().drop { $0 == " " }.reversed())).flatMap { $0.isFinite ? $0 : nil }
}

extension Double {
    /// Reads a level, as in `-20` or `-20dB`.
    package static func readingDecibels(_ text: String) throws -> Double {
        guard let value = number(text, unit: "db") else {
            throw ValidationError("\"\(text)\" is not a level in decibels, as in -20.")
        }
        return value
    }

    /// Reads an interval in cents, as in `5`, `5c` or `5 cents`.
    package static func readingCents(_ text: String) throws -> Double {
        for unit in ["cents", "cent", "ct", "c"] { if let value = number(text, unit: unit) { return value } }
        throw ValidationError("\"\(text)\" is not a number of cents, as in 5.")
    }
}
