import Foundation

/// Strums that a thumb plays, without the noise of picks, and the noise of a room.
extension GeneratedRows {
    func printSoft(in table: inout Table) throws {
        var thumb = StrumRecipe(strings: Strings.guitar, delay: 0.06)
        (thumb.pick, thumb.attack) = (0, 0.005...0.02)
        var (white, pink, late) = (thumb, thumb, thumb)
        (white.noise, white.wait) = (0.003, 1)
        (pink.pink, pink.wait) = (0.003, 1)
        (late.noise, late.wait, late.noiseLead) = (0.003, 1, 0.25)
        var fast = white
        fast.delay = 0.012
        var twelve = white
        // The two strings of a course half as far apart.
        (twelve.strings, twelve.delay) = (Strings.twelve, 0.03)
        let rows: [(String, StrumRecipe)] = [
            ("thumb", thumb), ("thumb, after white noise 30 dB below", white),
            ("thumb, after pink noise 30 dB below", pink), ("thumb, noise from 0.25 s before on", late),
            ("fast thumb, after white noise", fast), ("12 strings, thumb, after white noise", twelve),
        ]
        for (name, recipe) in rows {
            let found = try score(name, recipe, window: 1)
            table.row("\(name): found within 15 ms", 100 * found.dated(at: recipe.start, within: 0.015), atLeast: 99)
            table.row("\(name): 95 % of dates within", 1_000 * found.dateError(of: recipe.start), unit: "ms")
            recipe.strings.count == 6
                ? table.row("\(name), 1 s: heard within 50 cents", 100 * found.found(within: 50), atLeast: 99)
                : table.row("\(name), 1 s: heard within 5 cents", 100 * found.found(within: 5), unit: "%")
        }
        for (name, isPink) in [("white", false), ("pink", true)] {
            var noise = StrumRecipe(strings: Strings.guitar, absent: Set(Strings.guitar.indices))
            (noise.noise, noise.pink) = isPink ? (0, 0.003) : (0.003, 0)
            (noise.wait, noise.pick) = (10, 0)
            let found = try score("\(name) alone", noise, window: 1)
            let minutes = Double(count) * 11.7 / 60
            table.row("\(name) noise alone taken for a strum", 100 * found.everStrummed, atMost: 0, unit: "%")
            table.row("\(name) noise alone: sounds that begin in it", found.sounds / minutes, unit: "a minute")
        }
    }
}
