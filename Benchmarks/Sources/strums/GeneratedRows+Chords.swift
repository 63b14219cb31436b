import Figures
import Foundation
import WellTempered

/// Chords that are fretted on a guitar in standard tuning: no strums of its open strings, nor of those of another tuning.
extension GeneratedRows {
    func printChords(in table: inout Table) throws {
        let guitar = try Instrument(named: "guitar")
        let tunings = guitar.tunings.map { places($0) }
        let others = Array(tunings.dropFirst()) + guitar.capoTunings.map { places($0) }
        var random = SeededNumbers(seed: seed &+ 91)
        // Those whose notes are all open strings of a named tuning, and the others.
        var (alike, alikeNamed, chords) = (0, 0, 0)
        var (told, shown, named, silent, forced) = (0, 0, 0, 0, 0)
        for index in 0..<2 * count {
            let chord = FrettedChord.all[index % FrettedChord.all.count]
            let sounding = zip(tunings[0], chord.frets).map { $0 * exp2(Double(max(0, $1)) / 12) }
            var recipe = StrumRecipe(strings: sounding, range: 8)
            recipe.absent = Set(chord.frets.indices.filter { chord.frets[$0] < 0 })
            let strum = GeneratedStrum(recipe, &random)
            let outcome = try Outcome(
                strum.samples, rate: GeneratedStrum.rate, strings: tunings[0], truth: tunings[0], window: 2,
                others: others)
            let isAlike = recipe.absent.isEmpty && tunings.contains { isSame($0, sounding) }
            if isVerbose {
                let heard = outcome.isHeard.map { $0 ? "x" : "-" }.joined()
                let levels = String(format: "clarity %.2f, explained %.3f", outcome.clarity, outcome.explained)
                Swift.print(
                    "  chord \(index) \(chord.name):", outcome.isStrum ? "strum" : "note", heard, levels,
                    "tuning \((guitar.tunings + guitar.capoTunings)[outcome.tuning].name)",
                    outcome.hasStrum ? "shown" : "",
                    isAlike ? "alike" : "")
            }
            if isAlike {
                alike += 1
                alikeNamed += outcome.isStrum ? 1 : 0
                continue
            }
            chords += 1
            told += outcome.isStrum ? 1 : 0
            shown += outcome.hasStrum ? 1 : 0
            named += outcome.tuning > 0 ? 1 : 0
            silent += outcome.hasSilentStrum ? 1 : 0
            forced += outcome.isExplained ? 1 : 0
        }
        func share(_ part: Int, of whole: Int) -> Double { 100 * Double(part) / Double(max(1, whole)) }
        table.row("fretted chords taken for a strum, 2 s", share(told, of: chords), atMost: 1, unit: "%")
        table.row("fretted chords in another tuning", share(named, of: chords), atMost: 1, unit: "%")
        table.row("fretted chords shown as a strum at any time", share(shown, of: chords), unit: "%")
        table.row("fretted chords explained as a strum is, for --strum", share(forced, of: chords), unit: "%")
        table.row("strums none of whose strings is heard", share(silent, of: chords), atMost: 0, unit: "%")
        table.row("chords with the notes of a named tuning: told in it", share(alikeNamed, of: alike), unit: "%")
    }

    private func isSame(_ strings: [Double], _ other: [Double]) -> Bool {
        zip(strings, other).allSatisfy { abs($0 / $1 - 1) < 1e-3 }
    }
}

/// A chord as guitarists write it: a fret for each string, the lowest first; -1 for one that is not struck.
private struct FrettedChord {
    let name: String
    let frets: [Int]

    static let all: [FrettedChord] = [
        .init("C", -1, 3, 2, 0, 1, 0), .init("Cadd9", -1, 3, 2, 0, 3, 3), .init("C/G", 3, 3, 2, 0, 1, 0),
        .init("C7", -1, 3, 2, 3, 1, 0), .init("Cmaj7", -1, 3, 2, 0, 0, 0), .init("D", -1, -1, 0, 2, 3, 2),
        .init("D/A", -1, 0, 0, 2, 3, 2), .init("D/F#", 2, 0, 0, 2, 3, 2), .init("Dm", -1, -1, 0, 2, 3, 1),
        .init("Dm/A", -1, 0, 0, 2, 3, 1), .init("D7", -1, -1, 0, 2, 1, 2), .init("Dsus2", -1, -1, 0, 2, 3, 0),
        .init("Dsus4", -1, 0, 0, 2, 3, 3), .init("E", 0, 2, 2, 1, 0, 0), .init("Em", 0, 2, 2, 0, 0, 0),
        .init("E7", 0, 2, 0, 1, 0, 0), .init("Em7", 0, 2, 2, 0, 3, 0), .init("Em7, open", 0, 2, 0, 0, 0, 0),
        .init("Em add 9", 0, 2, 4, 0, 0, 0), .init("F", 1, 3, 3, 2, 1, 1), .init("Fmaj7", -1, -1, 3, 2, 1, 0),
        .init("G", 3, 2, 0, 0, 0, 3), .init("G, four fingers", 3, 2, 0, 0, 3, 3), .init("G7", 3, 2, 0, 0, 0, 1),
        .init("G6", 3, 2, 0, 0, 0, 0), .init("G barre", 3, 5, 5, 4, 3, 3), .init("A", -1, 0, 2, 2, 2, 0),
        .init("A/E", 0, 0, 2, 2, 2, 0), .init("Am", -1, 0, 2, 2, 1, 0), .init("Am/E", 0, 0, 2, 2, 1, 0),
        .init("Am/C", -1, 3, 2, 2, 1, 0), .init("A7", -1, 0, 2, 0, 2, 0), .init("Am7", -1, 0, 2, 0, 1, 0),
        .init("Asus2", -1, 0, 2, 2, 0, 0), .init("Asus4", -1, 0, 2, 2, 3, 0), .init("Bm", -1, 2, 4, 4, 3, 2),
        .init("B7", -1, 2, 1, 2, 0, 2), .init("B", -1, 2, 4, 4, 4, 2), .init("F#m", 2, 4, 4, 2, 2, 2),
        .init("Gm", 3, 5, 5, 3, 3, 3), .init("C#m", -1, 4, 6, 6, 5, 4), .init("F#7, open", 2, 4, 3, 3, 0, 0),
        .init("A5", -1, 0, 2, 2, -1, -1), .init("E5", 0, 2, 2, -1, -1, -1), .init("G5", 3, 5, 5, -1, -1, -1),
        .init("Dadd11/F#", 2, 0, 0, 2, 3, 3), .init("C/B", -1, 2, 2, 0, 1, 0), .init("Bb", -1, 1, 3, 3, 3, 1),
    ]

    private init(_ name: String, _ frets: Int...) { (self.name, self.frets) = (name, frets) }
}
