import Figures
import Foundation

/// How the notes of an instrument begin and go on.
enum Family: String, CaseIterable {
    case percussive, plucked, sustained

    /// Of the instruments that the generator knows.
    init?(instrument: String) {
        switch instrument {
        case "noise", "drums": self = .percussive
        case "ks", "guitar", "epick", "bass", "piano": self = .plucked
        case "violin", "trumpet", "flute": self = .sustained
        default: return nil
        }
    }
}

/// A recording whose onsets are known.
struct SoundWithOnsets {
    let name: String
    let instrument: String
    let family: Family
    let samples: [Float]
    let rate: Double
    /// In seconds, in order.
    let onsets: [Double]

    static func all(in folder: String) throws -> [SoundWithOnsets] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".wav") }.sorted()
            .compactMap { try SoundWithOnsets(folder: folder, file: $0) }
    }

    private init?(folder: String, file: String) throws {
        name = String(file.dropLast(4))
        instrument = String(name.prefix { $0 != "_" })
        guard let family = Family(instrument: instrument) else { return nil }
        self.family = family
        (samples, rate) = try readSound("\(folder)/\(file)")
        onsets = try String(contentsOfFile: "\(folder)/\(name).csv", encoding: .utf8)
            .split(whereSeparator: \.isNewline).compactMap { Double($0.prefix { $0 != "," }) }.sorted()
    }
}
