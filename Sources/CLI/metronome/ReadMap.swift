internal import Configuration
internal import Glibc
internal import Music
internal import Notation
internal import Timebase

extension MetronomeCommand {
    /// The tempo map: that of `--map`, or the only word if it names a file and is no tempo.
    func mapFile() throws(CommandError) -> String? {
        if let map = beat.map {
            guard words.isEmpty else { throw .excluding("--map", "a tempo") }
            return map
        }
        guard typed.count == 1, let word = typed.first else { return nil }
        let isTempo = (try? TempoWords(parsing: [word])) != nil
        // A word that looks like a file name is a missing file, not a wrong tempo.
        let isFileName =
            word.contains { $0.isLetter } && (word.contains("/") || word.contains(".")) && !isRamp(word)
            && !isFraction(word)
        return !isTempo && (isFileName || access(word, F_OK) == 0) ? word : nil
    }

    /// Whether a word starts like a ramp: 80..160.
    private func isRamp(_ word: String) -> Bool { word.prefix { $0.isNumber || $0 == "." }.dropFirst().contains("..") }

    /// Whether a word is like a fraction or a meter and not like a path: 100/x.
    private func isFraction(_ word: String) -> Bool {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && !word.contains(".") && !parts[0].isEmpty && parts[0].allSatisfy(\.isNumber)
    }

    /// The sections of a map at the speed of `--speed`.
    func readMap(_ path: String) throws -> PlanGrid {
        if let option = beat.optionsOfTheMap.first(where: \.isGiven) {
            throw CommandError(
                .usage, "--\(option.name) does not apply to a tempo map",
                remedy: "write it into the map as a #: comment")
        }
        let text = try readTextFile(path)
        let sections: PlanGrid
        do throws(NotationError) {
            sections = try TempoMap.sections(parsing: text, file: path, seed: practice.seedOrRandom)
        } catch {
            throw CommandError(.input, error)
        }
        guard let speed = try beat.speedFactor() else { return sections }
        guard let scaled = sections.scaled(by: speed) else {
            throw CommandError(
                .usage, "--speed moves a tempo of the map out of range", remedy: "use a factor nearer to 1")
        }
        return scaled
    }
}
