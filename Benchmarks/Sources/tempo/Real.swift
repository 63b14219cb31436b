import ArgumentParser
import Figures
import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

/// Measures the tracker on real loops whose tempo stands in the file name, played again and again.
struct Real: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells the tempo of real recordings beside the one in their names, such as beat_92bpm.flac.")
    @Argument(help: "A folder of recordings.") var folder: String
    @Option(help: "Seconds that a recording is repeated for.") var seconds = 30.0
    @Flag(name: .customLong("hint"), help: "Give the tempo in the name as a hint.") var isHinted = false
    @OptionGroup var limits: Limits

    func run() throws {
        let constants = try limits.constants
        let table = Table()
        var (count, right, related) = (0, 0, 0)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard let tempo = Self.tempo(in: file) else { continue }
            let (sound, rate) = try readSound("\(folder)/\(file)")
            guard !sound.isEmpty else { continue }
            // A whole number of beats, so that the next turn is in time.
            let beat = 60 * rate / tempo
            let beats = max(1, (Double(sound.count) / beat).rounded(.down))
            let turn = min(sound.count, Int((beats * beat).rounded()))
            let samples = (0..<Int(seconds * rate)).map { sound[$0 % turn] }
            let around = isHinted ? try hint(tempo) : nil
            let told = try trackedBeats(samples, rate: rate, around: around, constants)
            let found = told.last?.tempo
            let ratio = (found?.beatsPerMinute ?? 0) / tempo
            let isRight = abs(ratio - 1) < 0.04
            let isRelated = levelError(ratio) < 0.04
            count += 1
            right += isRight ? 1 : 0
            related += isRelated ? 1 : 0
            table.note(
                file,
                String(
                    format: "%.1f: %.2f ± %.2f BPM, %d beats, %@", tempo, found?.beatsPerMinute ?? 0,
                    found?.standardError ?? 0, told.count, isRight ? "right" : isRelated ? "another level" : "WRONG"))
        }
        guard count > 0 else { throw ValidationError("no recordings with a tempo in their names in \(folder)") }
        print("\(count) recordings: \(right) right, \(related - right) at another level, \(count - related) wrong")
    }

    /// The number before "bpm".
    private static func tempo(in name: String) -> Double? {
        guard let end = name.range(of: "bpm", options: .caseInsensitive)?.lowerBound else { return nil }
        let digits = name[..<end].reversed().prefix { $0.isNumber || $0 == "." }.reversed()
        return Double(String(digits))
    }
}
