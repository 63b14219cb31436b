import Figures
import Foundation

/// The rows of generated strums, whose truth is the first partial.
struct GeneratedRows {
    let count: Int
    let seed: UInt64
    let isVerbose: Bool

    func print(_ group: RowGroup, in table: inout Table) throws {
        switch group {
        case .guitar: try printGuitar(in: &table)
        case .courses: try printCourses(in: &table)
        case .instruments: try printInstruments(in: &table)
        case .muted: try printMuted(in: &table)
        case .life: try printLife(in: &table)
        case .soft: try printSoft(in: &table)
        case .tunings: try printTunings(in: &table)
        case .unnamed: try printUnnamed(in: &table)
        case .chords: try printChords(in: &table)
        case .arpeggios: try printArpeggios(in: &table)
        case .gaps: try printGaps(in: &table)
        case .cost: try printCost(in: &table)
        case .composites, .others, .mixed: break
        }
    }

    private func printGuitar(in table: inout Table) throws {
        let plain = try score("guitar", StrumRecipe(strings: Strings.guitar), window: 0.5)
        table.row("guitar, 0.5 s: strings heard within 50 cents", 100 * plain.found(within: 50), atLeast: 100)
        table.row("guitar, 0.5 s: median error", plain.median, atMost: 0.01, unit: "cents")
        table.row("guitar, 0.5 s: 95 % of errors", plain.p95, atMost: 0.1, unit: "cents")
        let wide = try score("60 cents", StrumRecipe(strings: Strings.guitar, range: 60), window: 0.5)
        table.row("the same, up to 60 cents off: heard within 50", 100 * wide.found(within: 50), atLeast: 100)
        for law in DecayLaw.allCases where law != .linear {
            let other = try score(law.rawValue, StrumRecipe(strings: Strings.guitar, law: law), window: 0.5)
            table.row("decay \(law.rawValue), 0.5 s: 95 % of errors", other.p95, atMost: 0.3, unit: "cents")
        }
        // 30 dB below the strum.
        let noisy = try score("noise", StrumRecipe(strings: Strings.guitar, noise: 0.003), window: 0.5)
        table.row("white noise 30 dB below, 0.5 s: heard within 50 cents", 100 * noisy.found(within: 50), atLeast: 100)
        let body = try score("body", StrumRecipe(strings: Strings.guitar, body: 1), window: 0.5)
        table.row("body resonances, 0.5 s: heard within 50 cents", 100 * body.found(within: 50), atLeast: 100)
        let covered = 100 * Score(plain, noisy, body).covered
        table.row("generated: within two standard errors", covered, atLeast: 90)
        table.row("generated: within two standard errors", covered, atMost: 99, unit: "%")
        var missed = 0.0
        for single in Strings.guitar.indices {
            let recipe = StrumRecipe(strings: Strings.guitar, only: single)
            missed += try score("single", recipe, window: 0.5, share: 0.3).taken / 6
        }
        table.row("generated single strings taken for a strum", 100 * missed, atMost: 1, unit: "%")
        let strums = Score(plain, wide, noisy, body)
        table.row("generated strums taken for a note", 100 * strums.takenForNote, atMost: 1, unit: "%")
    }

    private func printCourses(in table: inout Table) throws {
        for (name, strings, window) in [
            ("12 strings", Strings.twelve, 2.0), ("12 strings", Strings.twelve, 1), ("mandolin", Strings.mandolin, 1),
            ("mandolin", Strings.mandolin, 2), ("mandolin", Strings.mandolin, 0.5),
        ] {
            let share = name == "mandolin" ? 1 : 0.4
            let found = try score(name, StrumRecipe(strings: strings), window: window, share: share)
            let title = String(format: "%@, %g s", name, window)
            if name == "mandolin" {
                let share = 100 * found.found(within: 50)
                window == 1
                    ? table.row("\(title): strings heard within 50 cents", share, atLeast: 100)
                    : table.row("\(title): strings heard within 50 cents", share, unit: "%")
            }
            let both = 100 * found.found(within: 5)
            window == 2 && name != "mandolin"
                ? table.row("\(title): heard within 5 cents", both, atLeast: 95)
                : table.row("\(title): heard within 5 cents", both, unit: "%")
            let limit = name == "mandolin" ? (window == 1 ? 0.3 : nil) : (window == 2 ? 0.5 : nil)
            if let limit {
                table.row("\(title): 95 % of errors", found.p95, atMost: limit, unit: "cents")
            } else {
                table.row("\(title): 95 % of errors", found.p95, unit: "cents")
            }
            table.row("\(title): within two standard errors", 100 * found.covered, unit: "%")
        }
    }

    private func printInstruments(in table: inout Table) throws {
        for (name, strings) in [("ukulele", Strings.ukulele), ("bass", Strings.bass)] {
            let found = try score(name, StrumRecipe(strings: strings), window: 1)
            table.row("\(name), 1 s: strings heard within 50 cents", 100 * found.found(within: 50), atLeast: 100)
            table.row("\(name), 1 s: 95 % of errors", found.p95, atMost: 0.3, unit: "cents")
        }
    }

    private func printMuted(in table: inout Table) throws {
        let one = try silence("muted", 77) { StrumRecipe(strings: Strings.guitar, muted: [$0 % 6]) }
        table.row("one string muted, 1 s: said so", one.said, atLeast: 98)
        table.row("sounding strings said to be missing", one.missed, atMost: 1, unit: "%")
        let two = try silence("two muted", 78) { StrumRecipe(strings: Strings.guitar, muted: pair($0)) }
        table.row("two strings muted, 1 s: said so", two.said, atLeast: 98)
        table.row("sounding strings said to be missing", two.missed, atMost: 1, unit: "%")
        let few = try silence("two not struck", 79) { StrumRecipe(strings: Strings.guitar, absent: pair($0)) }
        table.row("two strings not struck, 1 s: said so", few.said, atLeast: 98)
        table.row("sounding strings said to be missing", few.missed, atMost: 1, unit: "%")
    }

    /// Two of six strings, another pair each time.
    private func pair(_ index: Int) -> Set<Int> { [index % 6, (index + 1 + index / 6 % 5) % 6] }

    /// The shares of silent strings that are said to be so, and of sounding ones that are said to be silent, in per cent.
    private func silence(
        _ name: String, _ salt: UInt64, _ recipe: (Int) -> StrumRecipe
    ) throws -> (said: Double, missed: Double) {
        var (said, silent, missed, sounding) = (0, 0, 0, 0)
        var random = SeededNumbers(seed: seed &+ salt)
        for index in 0..<count {
            let recipe = recipe(index)
            let strum = GeneratedStrum(recipe, &random)
            let outcome = try Outcome(
                strum.samples, rate: GeneratedStrum.rate, strings: recipe.strings, truth: strum.truth, window: 1)
            for (string, isHeard) in outcome.isHeard.enumerated() {
                let isSilent = recipe.muted.contains(string) || recipe.absent.contains(string)
                silent += isSilent ? 1 : 0
                sounding += isSilent ? 0 : 1
                said += isSilent && !isHeard ? 1 : 0
                missed += !isSilent && !isHeard ? 1 : 0
                if isVerbose && isHeard == isSilent {
                    Swift.print(
                        "  \(name) \(index): string \(string)", isHeard ? "heard" : "missed",
                        outcome.summary(recipe.strings, strum.truth))
                }
            }
        }
        return (100 * Double(said) / Double(silent), 100 * Double(missed) / Double(sounding))
    }

    private func printLife(in table: inout Table) throws {
        let guitar = Strings.guitar
        var dropped = guitar
        dropped[0] *= exp2(-2 / 12.0)
        let modal = [73.416_2, 110, 146.832_4, 195.997_7, 220, 293.664_8]
        let rows: [(String, StrumRecipe)] = [
            ("pink noise 30 dB below", StrumRecipe(strings: guitar, pink: 0.003)),
            ("strings struck 60 ms apart", StrumRecipe(strings: guitar, delay: 0.06)),
            ("one string left ringing", StrumRecipe(strings: guitar, ringing: 1)),
            ("capo at fret 5", StrumRecipe(strings: guitar.map { $0 * exp2(5 / 12.0) })),
            ("drop D", StrumRecipe(strings: dropped)), ("D A D G A D", StrumRecipe(strings: modal)),
        ]
        for (name, recipe) in rows {
            let found = try score(name, recipe, window: 1)
            table.row("\(name), 1 s: heard within 50 cents", 100 * found.found(within: 50), atLeast: 99)
            table.row("\(name), 1 s: 95 % of errors", found.p95, atMost: 0.5, unit: "cents")
            table.row("\(name): within two standard errors", 100 * found.covered, unit: "%")
        }
    }

    private func printCost(in table: inout Table) throws {
        for (name, strings) in [
            ("guitar", Strings.guitar), ("mandolin", Strings.mandolin), ("12 strings", Strings.twelve),
        ] {
            let whole = try score("cost", StrumRecipe(strings: strings), window: 2, share: 0.2)
            table.row("\(name): core used in the 2 s of refining", 100 * whole.cost / 2.1, atMost: 8, unit: "%")
            table.row("\(name): first picture after the first string", whole.firstPicture, atMost: 0.3, unit: "s")
            table.row("\(name): first pictures that show a strum", 100 * whole.firstTaken, unit: "%")
            table.row("\(name): strings within 25 cents there", 100 * whole.firstFound, unit: "%")
            table.row("\(name): longest step of the analysis", 1_000 * whole.longestStep, unit: "ms")
            table.row("\(name): heap calls after init", Double(whole.heapCalls), atMost: 0, unit: "")
        }
    }

    /// - Parameter seconds: of the sound; `nil` for half a second more than the window.
    func score(
        _ name: String, _ recipe: StrumRecipe, window: Double, share: Double = 1, over seconds: Double? = nil
    ) throws -> Score {
        // Each row has numbers of its own, whatever the others use.
        var random = SeededNumbers(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        return Score(
            try (0..<max(1, Int(share * Double(count)))).map { index in
                var recipe = recipe
                recipe.seconds = seconds ?? window + 0.5 + recipe.lead + recipe.delay * Double(recipe.strings.count)
                let strum = GeneratedStrum(recipe, &random)
                let outcome = try Outcome(
                    strum.samples, rate: GeneratedStrum.rate, strings: recipe.strings, truth: strum.truth,
                    window: window, after: recipe.lead)
                if isVerbose { Swift.print("  \(name) \(index):", outcome.summary(recipe.strings, strum.truth)) }
                return outcome
            })
    }
}
