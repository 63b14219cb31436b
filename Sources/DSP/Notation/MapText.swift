internal import Music
internal import Timebase

/// The line and column of a character, from 1.
internal struct MapPlace {
    internal var line: Int, column: Int
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

    internal func problem(_ line: Int, column: Int = 1, _ fault: String, remedy: String) -> NotationError {
        let line = max(1, line)
        var error = NotationError(
            text: line <= lines.count ? String(lines[line - 1]) : "", line: line, column: column, fault: fault,
            remedy: remedy)
        error.file = file
        return error
    }

    /// An error of the plan in a word; accents that do not fit the meter are an error at the bar that does not.
    internal func problem(_ error: PlanError, inWordAt place: MapPlace) -> NotationError {
        let word = lines[place.line - 1].dropFirst(place.column - 1).prefix { !$0.endsWord }
        let column = place.column + (NotationError(error, in: String(word))?.column ?? 1) - 1
        return problem(place.line, column: column, error.problem, remedy: error.remedy)
    }
}
