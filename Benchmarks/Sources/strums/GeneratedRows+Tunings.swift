import Foundation

/// Strums in open tunings, whose strings repeat together as those of one note do.
extension GeneratedRows {
    func printTunings(in table: inout Table) throws {
        var (strums, early): ([Score], [Score]) = ([], [])
        for (name, notes) in Self.tunings {
            let strings = notes.map { 440 * exp2(Double($0 - 69) / 12) }
            let recipe = StrumRecipe(strings: strings)
            strums.append(try score(name, recipe, window: 1))
            early.append(try score(name, recipe, window: 0.5))
            var taken = 0.0
            for single in strings.indices {
                let recipe = StrumRecipe(strings: strings, only: single)
                taken += try score("single", recipe, window: 1, share: 0.3).taken / Double(strings.count)
            }
            table.row("\(name), 1 s: taken for a note", 100 * strums[strums.count - 1].takenForNote, unit: "%")
            table.row("\(name): single strings taken for a strum", 100 * taken, atMost: 1, unit: "%")
        }
        let (all, before) = (Score(joining: strums), Score(joining: early))
        table.row("open tunings, 1 s: strings heard within 50 cents", 100 * all.found(within: 50), atLeast: 99)
        table.row("open tunings, 1 s: 95 % of errors", all.p95, atMost: 0.5, unit: "cents")
        table.row("open tunings, 1 s: taken for a note", 100 * all.takenForNote, atMost: 1, unit: "%")
        table.row("open tunings, 0.5 s: taken for a note", 100 * before.takenForNote, unit: "%")
    }

    /// By their MIDI numbers.
    private static let tunings: [(String, [Int])] = [
        ("open D", [38, 45, 50, 54, 57, 62]), ("open D minor", [38, 45, 50, 53, 57, 62]),
        ("open E", [40, 47, 52, 56, 59, 64]), ("open G", [38, 43, 50, 55, 59, 62]),
        ("open A", [40, 45, 52, 57, 61, 64]), ("open C", [36, 43, 48, 55, 60, 64]),
        ("D A D G A D", [38, 45, 50, 55, 57, 62]),
    ]
}
