internal import Music
internal import Timebase

/// The line and column of a character, from 1.
internal struct MapPlace {
    internal var line: Int
    internal var column: Int
}

/// The lines of a tempo map, for errors with their place.
internal struct MapText {
    internal let file: String
    internal let lines: [Substring]

    internal init(_ text: String, file: String) {
        let text = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        self.file = file
    }

    internal func problem(_ line: Int, _ remedy: String, column: Int = 1) -> NotationError {
        let line = max(1, line)
        var error = NotationError(
            text: line <= lines.count ? String(lines[line - 1]) : "", line: line, column: column, remedy: remedy)
        error.file = file
        return error
    }

    internal func unreadable(_ expected: String, at place: MapPlace) -> NotationError {
        let error = NotationError.unreadable(String(lines[place.line - 1]), at: place.column, expected: expected)
        return problem(place.line, error.remedy, column: place.column)
    }

    /// An error of the plan in a word; accents that do not fit the meter are an error at the bar that does not.
    internal func problem(_ error: PlanError, inWordAt place: MapPlace) -> NotationError {
        let word = lines[place.line - 1].dropFirst(place.column - 1).prefix { !$0.endsWord }
        let accents = NotationError(error, in: String(word))
        return problem(
            place.line, accents?.remedy ?? error.message, column: place.column + (accents?.column ?? 1) - 1)
    }
}
