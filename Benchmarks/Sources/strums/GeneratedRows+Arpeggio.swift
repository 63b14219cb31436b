import Figures
import Foundation
import WellTempered

/// Chords whose strings are played one after the other and ring on. With `--strum` three strings at once are told; what is said
/// to be heard must be right.
extension GeneratedRows {
    func printArpeggios(in table: inout Table) throws {
        var (told, wrong, sure) = (0, 0, 0)
        for (index, delay) in [0.2, 0.3, 0.4, 0.6].enumerated() {
            var random = SeededNumbers(seed: seed &+ 95 &+ UInt64(index))
            var own = 0
            for number in 0..<count {
                var recipe = StrumRecipe(strings: Strings.guitar, delay: delay, seconds: 0.5 + 6 * delay + 2.2)
                if number % 2 > 0 { (recipe.pick, recipe.attack) = (0, 0.005...0.02) }
                let sound = GeneratedStrum(recipe, &random)
                for reading in try Outcome.told(
                    sound.samples, rate: GeneratedStrum.rate, strings: recipe.strings, truth: sound.truth)
                {
                    told += 1
                    if isVerbose, abs(reading.error) > 1 { Swift.print("   ", delay, number, reading) }
                    let isWrong = abs(reading.error) > 1 && abs(reading.error) > 4 * reading.standardError
                    wrong += isWrong ? 1 : 0
                    own += isWrong ? 1 : 0
                    sure += abs(reading.error) > 5 ? 1 : 0
                }
            }
            if isVerbose { Swift.print("  arpeggio \(delay) s: \(own) wrong") }
        }
        table.row("arpeggios, --strum: strings told", Double(told), unit: "")
        table.row(
            "told more than 1 cent and 4 standard errors off", 100 * Double(wrong) / Double(max(1, told)), atMost: 1,
            unit: "%")
        table.row("told more than 5 cents off", 100 * Double(sure) / Double(max(1, told)), atMost: 1, unit: "%")
    }
}

extension Outcome {
    /// The strings that `tuner --strum` tells of all strums in a sound: those of the last picture of each.
    static func told(
        _ samples: [Float], rate: Double, strings: [Double], truth: [Double]
    ) throws -> [(error: Double, standardError: Double, string: Int, window: Int)] {
        var engine = try StrumEngine(strings: strings.map { $0.hertz }, sampleRate: rate.hertz)
        var told: [Int: [(error: Double, standardError: Double, string: Int, window: Int)]] = [:]
        for start in stride(from: 0, to: samples.count, by: 480) {
            engine.process(samples.span.extracting(start..<min(samples.count, start + 480)))
            while let picture = engine.refine() {
                var outcome = Outcome()
                outcome.look(at: picture, of: engine)
                told[picture.strum] = nil
                // A strum that was cut short in its first windows is not printed.
                guard picture.isStrum || outcome.isExplained, Double(picture.window) > 0.3 * rate else { continue }
                told[picture.strum] = strings.indices.map { engine.reading(of: $0) }.enumerated().filter(\.1.isHeard)
                    .map {
                        (
                            Cents(from: truth[$0].hertz, to: $1.frequency).value, $1.standardError.value, $0,
                            picture.window
                        )
                    }
            }
        }
        return told.values.flatMap(\.self)
    }
}
