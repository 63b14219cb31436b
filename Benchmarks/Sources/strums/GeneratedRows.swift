import Foundation

/// The rows of generated strums, whose truth is the first partial.
struct GeneratedRows {
    let count: Int
    let seed: UInt64
    let isVerbose: Bool

    private static let guitar = [82.406_9, 110, 146.832_4, 195.997_7, 246.941_7, 329.627_6]
    private static let twelve = [
        82.406_9, 164.813_8, 110, 220, 146.832_4, 293.664_8, 195.997_7, 391.995_4, 246.941_7, 246.941_7, 329.627_6,
        329.627_6,
    ]
    private static let others: [(name: String, strings: [Double])] = [
        ("ukulele", [391.995_4, 261.625_6, 329.627_6, 440]),
        ("bass", [41.203_4, 55, 73.416_2, 97.998_9]),
        ("mandolin", [195.997_7, 195.997_7, 293.664_8, 293.664_8, 440, 440, 659.255_1, 659.255_1]),
    ]

    func print(in table: inout Table) throws {
        let plain = try score("guitar", StrumRecipe(strings: Self.guitar), window: 0.5)
        table.row("guitar, 0.5 s: strings heard within 50 cents", 100 * plain.found(within: 50), atLeast: 100)
        table.row("guitar, 0.5 s: median error", plain.median, atMost: 0.01, unit: "cents")
        table.row("guitar, 0.5 s: 95 % of errors", plain.p95, atMost: 0.1, unit: "cents")
        let wide = try score("60 cents", StrumRecipe(strings: Self.guitar, range: 60), window: 0.5)
        table.row("the same, up to 60 cents off: heard within 50", 100 * wide.found(within: 50), atLeast: 100)
        for law in DecayLaw.allCases where law != .linear {
            let other = try score(law.rawValue, StrumRecipe(strings: Self.guitar, law: law), window: 0.5)
            table.row("decay \(law.rawValue), 0.5 s: 95 % of errors", other.p95, atMost: 0.3, unit: "cents")
        }
        // 30 dB below the strum.
        let noisy = try score("noise", StrumRecipe(strings: Self.guitar, noise: 0.003), window: 0.5)
        table.row("noise 30 dB below, 0.5 s: heard within 50 cents", 100 * noisy.found(within: 50), atLeast: 100)
        let body = try score("body", StrumRecipe(strings: Self.guitar, body: 1), window: 0.5)
        table.row("body resonances, 0.5 s: heard within 50 cents", 100 * body.found(within: 50), atLeast: 100)
        let courses = try score("12 strings", StrumRecipe(strings: Self.twelve), window: 2, share: 0.4)
        table.row("12 strings, 2 s: heard within 5 cents", 100 * courses.found(within: 5), atLeast: 95)
        table.row("12 strings, 2 s: 95 % of errors", courses.p95, atMost: 0.5, unit: "cents")
        for other in Self.others {
            let found = try score(other.name, StrumRecipe(strings: other.strings), window: 1)
            table.row("\(other.name), 1 s: strings heard within 50 cents", 100 * found.found(within: 50), atLeast: 100)
            table.row("\(other.name), 1 s: 95 % of errors", found.p95, atMost: 0.3, unit: "cents")
        }
        try printMuted(in: &table)
        let covered = 100 * Score(plain, noisy, body).covered
        table.row("generated: within two standard errors", covered, atLeast: 90)
        table.row("generated: within two standard errors", covered, atMost: 99, unit: "%")
        var missed = 0.0
        for single in Self.guitar.indices {
            let recipe = StrumRecipe(strings: Self.guitar, only: single)
            missed += try score("single", recipe, window: 0.5, share: 0.3).taken / 6
        }
        table.row("generated single strings taken for a strum", 100 * missed, atMost: 1, unit: "%")
        let strums = Score(plain, wide, noisy, body)
        table.row("generated strums taken for a note", 100 * (1 - strums.taken), atMost: 1, unit: "%")
        let whole = try score("cost", StrumRecipe(strings: Self.guitar), window: 2, share: 0.2)
        table.row("guitar: core used in the 2 s of refining", 100 * whole.cost / 2.1, atMost: 8, unit: "%")
    }

    private func printMuted(in table: inout Table) throws {
        var (said, sounding, all, muted) = (0, 0, 0, 0)
        var random = Noise(seed: seed &+ 77)
        for index in 0..<count {
            let silent = index % 6
            let strum = GeneratedStrum(StrumRecipe(strings: Self.guitar, muted: silent), &random)
            let outcome = try Outcome(
                strum.samples, rate: GeneratedStrum.rate, strings: Self.guitar, truth: strum.truth, window: 1)
            for (string, isHeard) in outcome.isHeard.enumerated() {
                if string == silent {
                    muted += 1
                    if !isHeard { said += 1 }
                } else {
                    all += 1
                    if !isHeard { sounding += 1 }
                }
            }
        }
        table.row("one string muted, 1 s: said so", 100 * Double(said) / Double(muted), atLeast: 98)
        table.row("sounding strings said to be missing", 100 * Double(sounding) / Double(all), atMost: 1, unit: "%")
    }

    private func score(_ name: String, _ recipe: StrumRecipe, window: Double, share: Double = 1) throws -> Score {
        // Each row has numbers of its own, whatever the others use.
        var random = Noise(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
        return Score(
            try (0..<max(1, Int(share * Double(count)))).map { index in
                var recipe = recipe
                recipe.seconds = window + 0.5
                let strum = GeneratedStrum(recipe, &random)
                let outcome = try Outcome(
                    strum.samples, rate: GeneratedStrum.rate, strings: recipe.strings, truth: strum.truth,
                    window: window)
                if isVerbose {
                    let errors = outcome.errors.map { String(format: "%.4f", $0) }.joined(separator: " ")
                    Swift.print("  \(name) \(index):", outcome.isStrum ? "strum" : "note", errors)
                }
                return outcome
            })
    }
}
