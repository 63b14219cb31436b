import Foundation

/// Real notes with exactly known pitch: recordings taken apart into partials and put together again on a known phase, so
/// that attack, decay, breath and room are real.
///
/// The folder holds `index.csv` (note, family, kind, hz, onset40_s, onset20_s and ring_over or prev_hz), `truth/NOTE.csv`
/// (time_s, f0_hz, period_hz, level_db) and `NOTE.VARIANT.flac` or `.wav`.
public struct RealNoteSet: Sendable {
    /// The sounds, note by note.
    public let sounds: [RealNoteSound]

    /// The notes of this repository. Where they come from: `Notes/README.md`.
    public static func shipped(name: String = "") throws -> RealNoteSet {
        guard let folder = Bundle.module.resourceURL else { throw CocoaError(.fileNoSuchFile) }
        return try RealNoteSet(folder: folder.appending(path: "Notes").path(), name: name)
    }

    /// The notes of a folder.
    ///
    /// - Parameter name: only the notes whose names contain this.
    public init(folder: String, name: String = "") throws {
        let rows = try Self.table(folder + "/index.csv")
        var hertz: [String: Double] = [:]
        for row in rows { hertz[row["note"] ?? ""] = row["hz"].flatMap(Double.init) }
        sounds = rows.flatMap { row -> [RealNoteSound] in
            guard let note = row["note"], let family = row["family"], let pitch = hertz[note],
                let audible = row["onset40_s"].flatMap(Double.init), let onset = row["onset20_s"].flatMap(Double.init),
                name.isEmpty || note.contains(name)
            else { return [] }
            let other = row["ring_over"] ?? ""
            return RealNoteVariant.allCases.compactMap { variant in
                let previous = hertz[other] ?? row["prev_hz"].flatMap(Double.init) ?? 0
                let sound = RealNoteSound(
                    name: note, family: family, variant: variant, hertz: pitch,
                    previous: variant == .ring ? previous : 0, folder: folder,
                    ringing: other.isEmpty ? nil : other, audible: audible, onset: onset,
                    isMelody: row["kind"] == "melody", canBeMade: row["ring_over"] != nil)
                return sound.exists ? sound : nil
            }
        }
        // A table of no rows misses no figure.
        guard !sounds.isEmpty else { throw NoRealNotes(folder: folder, name: name) }
    }

    /// The rows of a comma-separated file without quotes, by the names in its first line.
    private static func table(_ path: String) throws -> [[String: String]] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw NoRealNotes(folder: path, name: "")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        guard let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) else { return [] }
        return lines.dropFirst().map { line in
            var row: [String: String] = [:]
            for (name, value) in zip(header, line.split(separator: ",", omittingEmptySubsequences: false)) {
                row[String(name)] = String(value)
            }
            return row
        }
    }
}

/// What is heard of a note.
public enum RealNoteVariant: String, CaseIterable, Sendable {
    /// The partials with their real amplitudes on exact phases, and all else that is in the recording.
    case amp
    /// The recording itself. Its deviation from the exact phases below 20 Hz is in the truth.
    case full
    /// `amp` in a room: pink noise 50 dB below the note, rumble and mains hum together 35 dB below.
    case room
    /// `amp` while another note rings 20 dB below.
    case ring

    /// Decibels below the note's peak down to which it must be heard: above what else sounds.
    var leastLevel: Double {
        switch self {
        case .amp, .full: -40
        case .room: -25
        case .ring: -10
        }
    }
}

/// There is nothing to measure.
struct NoRealNotes: Error, CustomStringConvertible {
    let folder: String, name: String

    var description: String {
        name.isEmpty ? "no real notes in \(folder)" : "no real note in \(folder) has \"\(name)\" in its name"
    }
}
