import Figures
import Foundation
import WellTempered

/// Strums of which 20 ms are lost, as where a machine stalls while it captures: the device's layer fills them with zeros.
extension GeneratedRows {
    func printGaps(in table: inout Table) throws {
        let guitar = try Instrument(named: "guitar")
        let tunings = guitar.tunings.map { places($0) }
        let others = Array(tunings.dropFirst())
        // The same strums whole and with a loss.
        for (name, times) in [("whole", nil), ("20 ms lost in 0.3 to 0.8 s", 0.3...0.8)]
            as [(String, ClosedRange<Double>?)]
        {
            var random = SeededNumbers(seed: seed &+ 81)
            var (found, sounds) = (0, 0)
            for index in 0..<2 * count {
                let strings = others[index % others.count]
                let time = random.uniform(0, 1)
                var recipe = StrumRecipe(strings: strings, seconds: 3.8)
                recipe.gap = times.map { $0.lowerBound + time * ($0.upperBound - $0.lowerBound) }
                let outcome = try strum(recipe, tunings[0], others, &random)
                sounds += outcome.soundCount
                found += tunings[outcome.tuning] == strings && outcome.isStrum ? 1 : 0
            }
            let strums = Double(2 * count)
            table.row("unnamed tunings, \(name), 2 s: found", 100 * Double(found) / strums, unit: "%")
            table.row("unnamed tunings, \(name): sounds", Double(sounds) / strums, atMost: 1, unit: "a strum")
        }
        for time in [0.15, 0.5, 0.8] {
            let recipe = StrumRecipe(strings: Strings.guitar, gap: time)
            let found = try score("gap", recipe, window: 1, over: 2.6)
            let name = String(format: "20 ms lost after %g s, 1 s", time)
            table.row("\(name): strings heard within 50 cents", 100 * found.found(within: 50), atLeast: 99)
            table.row("\(name): 95 % of errors", found.p95, atMost: 0.3, unit: "cents")
        }
    }
}
