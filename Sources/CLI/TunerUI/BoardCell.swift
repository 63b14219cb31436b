internal import Intonation
internal import Music
internal import TerminalUI

/// A string on the board, as text.
struct BoardCell: Sendable {
    /// The number that players give to its course.
    let number: Int
    /// Its note, as written for the instrument.
    let name: String
    /// What was heard of it; `nil` before anything was.
    let reading: StrumBoard.Reading?
    /// Whether it has been tuned.
    let isDone: Bool
    let unicode: Bool

    var isHeard: Bool { reading?.verdict != nil }

    var tick: String { unicode ? "✓" : "*" }

    /// The deviation: `+12.3`.
    var cents: String {
        guard isHeard, let reading else { return "--" }
        return fixedPoint(reading.cents, decimals: abs(reading.cents) < 99.95 ? 1 : 0, signed: true)
    }

    /// The standard error: `±0.03`; empty while it is unknown.
    var error: String {
        guard isHeard, let error = reading?.error, error > 0 else { return "" }
        let shown = min(99.9, max(0.01, error))
        return (unicode ? "±" : "+-") + fixedPoint(shown, decimals: shown < 9.95 ? 2 : 1)
    }

    /// The deviation in so many columns: `+12.3`, `+12`, or nothing. A number is never cut.
    func cents(_ columns: Int) -> String {
        let whole = isHeard ? fixedPoint(reading?.cents ?? 0, decimals: 0, signed: true) : "-"
        return [cents, whole].first { $0.count <= columns } ?? ""
    }

    /// What it is in words, in up to so many rows: shorter words, and at last signs, where there is less room.
    func words(columns: Int, rows: Int) -> [String] {
        guard let reading, rows > 0 else { return [] }
        let texts =
            switch reading.verdict {
            case .inTune: ["in tune", "ok"]
            case .flat: ["flat", "b"]
            case .sharp: ["sharp", "#"]
            case nil: ["not heard", "none", "-"]
            }
        let lines = texts[0].split(separator: " ").map(String.init)
        if displayWidth(of: texts[0]) > columns, lines.count <= rows,
            lines.allSatisfy({ displayWidth(of: $0) <= columns })
        {
            return lines
        }
        return [widest(of: texts, columns: columns)]
    }
}

extension TunerModel {
    /// The strings in the order of the tuning.
    func boardCells(unicode: Bool) -> [BoardCell] {
        guard let strings = finder.strings else { return [] }
        return strings.strings.enumerated().map { index, note in
            BoardCell(
                number: strings.courseNumber(ofString: index),
                name: finder.naming.name(of: finder.transposition.written(concert: note)),
                reading: board.readings[index], isDone: doneStrings.contains(index), unicode: unicode)
        }
    }

    func ink(_ reading: StrumBoard.Reading) -> Ink {
        guard let verdict = reading.verdict, !isBoardOld else { return .dim }
        return shade(reading.cents, verdict)
    }

    /// Whether nothing has been heard for as long as the trail remembers.
    var isBoardOld: Bool { board.readings.isEmpty || seconds - board.heardAt > Self.trailSeconds }

    /// What to do, from the longest text to the shortest.
    var boardSentences: [String] {
        if board.readings.isEmpty { return [advice ?? "strum all strings"] }
        let cells = boardCells(unicode: true)
        func names(_ verdict: TuningVerdict?) -> String? {
            let found = cells.filter { $0.reading != nil && $0.reading?.verdict == verdict }.map(\.name)
            return found.isEmpty ? nil : found.joined(separator: " ")
        }
        let count = cells.count { $0.reading?.verdict == .inTune }
        let summary = count == cells.count ? "all in tune" : "\(count) of \(cells.count) in tune"
        let parts = [
            names(.flat).map { "tune up: " + $0 }, names(.sharp).map { "tune down: " + $0 },
            names(nil).map { "not heard: " + $0 },
        ].compactMap(\.self)
        let rest = seconds - board.heardAt
        let measured =
            isBoardOld
            ? "\(Int(rest)) s ago"
            : board.window.map { "measured over " + fixedPoint($0.inSeconds, decimals: 2) + " s" }
        return [
            ([summary] + parts + [measured].compactMap(\.self)).joined(separator: "     "),
            ([summary] + parts).joined(separator: "   "), parts.joined(separator: "  "), summary,
        ].filter { !$0.isEmpty }
    }

    /// All strings on one line, at most `columns` wide.
    package func boardLine(columns: Int, unicode: Bool) -> String {
        let cells = boardCells(unicode: unicode)
        let full = cells.map { cell in
            "\(cell.number):\(cell.name) " + (cell.isHeard ? cell.cents + " " : "")
                + cell.words(columns: .max, rows: 1).joined()
        }
        let short = cells.map { cell in
            let cents = cell.reading.map { fixedPoint($0.cents, decimals: 0, signed: true) } ?? ""
            return cell.name + (cell.isHeard ? cell.isDone ? cell.tick : cents : "--")
        }
        let texts = [full.joined(separator: "  "), cells.map { $0.name + " " + $0.cents }.joined(separator: "  ")]
        return fitted("  " + widest(of: texts + [short.joined(separator: " ")], columns: columns - 2), columns)
    }
}
