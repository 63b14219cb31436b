internal import Glibc
internal import Music
internal import Notation
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// The map to be read: named by its option, or the only word if it is no tempo but a file.
    func mapFile() throws(CommandError) -> String? {
        if let map = beat.map {
            guard words.isEmpty else {
                throw CommandError("--map and a tempo: give one of them", exitStatus: ExitStatus.usage)
            }
            return map
        }
        guard words.count == 1, let word = words.first else { return nil }
        let isTempo = complaint("") { () throws(NotationError) in _ = try TempoWords(parsing: [word]) } == nil
        // What looks like a file's name and is none is a file that is missing, not a tempo.
        let isFileName =
            word.contains { $0.isLetter } && (word.contains("/") || word.contains(".")) && !isRamp(word)
            && !isFraction(word)
        return !isTempo && (isFileName || access(word, F_OK) == 0) ? word : nil
    }

    /// Whether a word begins as a ramp does: 80..160.
    private func isRamp(_ word: String) -> Bool { word.prefix { $0.isNumber || $0 == "." }.dropFirst().contains("..") }

    /// Whether a word begins as a fraction or a meter does and has no more of a path's marks: 100/x.
    private func isFraction(_ word: String) -> Bool {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && !word.contains(".") && !parts[0].isEmpty && parts[0].allSatisfy(\.isNumber)
    }

    func readMap(_ path: String) throws(CommandError) -> PracticePlan {
        if let option = beat.optionOfTheMap {
            throw CommandError(
                "\(option) belongs into the tempo map: write it there as a #: comment", exitStatus: ExitStatus.usage)
        }
        let text = try readTextFile(path)
        let plan: PracticePlan
        do throws(NotationError) {
            plan = try TempoMap(parsing: text, file: path, seed: practice.seedOrRandom).plan
        } catch {
            throw CommandError(error.message, exitStatus: ExitStatus.noInput)
        }
        guard let speed = try beat.speedFactor() else { return plan }
        guard let scaled = plan.scaled(by: speed) else {
            throw CommandError(
                "--speed: a tempo of the map goes out of reach: use a factor nearer to 1", exitStatus: ExitStatus.usage)
        }
        return scaled
    }
}
