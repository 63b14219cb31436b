import Figures
import Foundation
import WellTempered

/// Strums in a tuning that nobody has named: the engine knows the instrument's standard tuning and that there are others.
extension GeneratedRows {
    func printUnnamed(in table: inout Table) throws {
        let guitar = try Instrument(named: "guitar")
        let tunings = guitar.tunings.map { places($0) }
        let others = Array(tunings.dropFirst()) + guitar.capoTunings.map { places($0) }
        var (found, named, wrong, notes, strums, taken, singles) = (0, 0, 0, 0, 0, 0, 0)
        var (times, costs) = ([Double](), [Double]())
        for (index, strings) in tunings.enumerated() {
            var random = SeededNumbers(seed: seed &+ 1_000 &* UInt64(index))
            var (own, heard) = (0, 0)
            for _ in 0..<count {
                let outcome = try strum(StrumRecipe(strings: strings), tunings[0], others, &random)
                let isOwn = ([tunings[0]] + others)[outcome.tuning] == strings
                own += isOwn && outcome.isStrum ? 1 : 0
                wrong += !isOwn && outcome.tuning > 0 ? 1 : 0
                notes += outcome.isStrum ? 0 : 1
                heard += outcome.isStrum ? 1 : 0
                if outcome.tuning > 0 { times.append(outcome.named) }
                costs.append(outcome.cost)
            }
            strums += count
            (found, named) = (found + own, named + 1)
            table.row("\(guitar.tunings[index].name): tuning found", 100 * Double(own) / Double(count), unit: "%")
            for string in strings.indices {
                let recipe = StrumRecipe(strings: strings, only: string)
                let outcome = try strum(recipe, tunings[0], others, &random)
                singles += 1
                taken += outcome.hasStrum ? 1 : 0
            }
        }
        try printCapos(guitar, tunings[0], others, in: &table)
        func share(_ part: Int, of whole: Int) -> Double { 100 * Double(part) / Double(max(1, whole)) }
        table.row("unnamed tunings, 2 s: found", share(found, of: strums), atLeast: 99)
        table.row("unnamed tunings, 2 s: another one named", share(wrong, of: strums), atMost: 0, unit: "%")
        table.row("unnamed tunings, 2 s: taken for a note", share(notes, of: strums), atMost: 1, unit: "%")
        table.row("unnamed tunings: single strings taken for a strum", share(taken, of: singles), atMost: 0, unit: "%")
        table.row("unnamed tunings: 95 % named within", percentile(times, 0.95), unit: "s")
        let cost = costs.reduce(0, +) / Double(max(1, costs.count))
        table.row("unnamed tunings: core used in the 2 s of refining", 100 * cost / 2.1, atMost: 8, unit: "%")
    }

    /// Strums of the usual tuning with a capo that nobody has named.
    private func printCapos(
        _ guitar: Instrument, _ standard: [Double], _ others: [[Double]], in table: inout Table
    ) throws {
        var random = SeededNumbers(seed: seed &+ 93)
        var (own, wrong, strums) = (0, 0, 0)
        for capo in guitar.capoTunings {
            let strings = places(capo)
            for _ in 0..<count {
                let outcome = try strum(StrumRecipe(strings: strings), standard, others, &random)
                let isOwn = outcome.tuning > 0 && others[outcome.tuning - 1] == strings
                strums += 1
                own += isOwn && outcome.isStrum ? 1 : 0
                wrong += outcome.isStrum && !isOwn ? 1 : 0
            }
        }
        let whole = Double(max(1, strums))
        table.row("capo that nobody has named, 2 s: told", 100 * Double(own) / whole, atLeast: 97, unit: "%")
        table.row("capo that nobody has named: other words", 100 * Double(wrong) / whole, atMost: 0, unit: "%")
    }

    func places(_ tuning: StringTuning) -> [Double] {
        tuning.strings.map { 440 * exp2(Double($0.midi - 69) / 12) }.sorted()
    }

    func strum(
        _ recipe: StrumRecipe, _ strings: [Double], _ others: [[Double]], _ random: inout SeededNumbers
    ) throws -> Outcome {
        let strum = GeneratedStrum(recipe, &random)
        let outcome = try Outcome(
            strum.samples, rate: GeneratedStrum.rate, strings: strings, truth: strum.truth, window: 2, others: others)
        if isVerbose { Swift.print("  ", outcome.summary(strings, strum.truth), "tuning \(outcome.tuning)") }
        return outcome
    }
}
