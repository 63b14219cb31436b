import Figures
import Foundation

/// A recording whose notes are known.
struct Melody {
    /// How a note goes on once it has begun.
    enum Family { case plucked, sustained }

    /// A note: seconds, and keys above MIDI's 0.
    struct Note {
        var onset: Double
        var end: Double
        var key: Double
    }

    let name: String
    let samples: [Float]
    let rate: Double
    let notes: [Note]

    var instrument: String { String(name.prefix { $0 != "_" }) }

    var family: Family {
        let plucked = ["nylon", "steel", "epick", "bass", "piano", "guitar", "ukulele", "cello-pluck"]
        let isPlucked = plucked.contains { instrument == $0 || instrument.hasPrefix($0 + "-") }
        return isPlucked ? .plucked : .sustained
    }

    static func all(in folder: String) throws -> [Melody] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".wav") }.sorted()
            .map { try Melody(folder: folder, name: String($0.dropLast(4))) }
    }

    private init(folder: String, name: String) throws {
        self.name = name
        (samples, rate) = try readSound("\(folder)/\(name).wav")
        notes = try String(contentsOfFile: "\(folder)/\(name).csv", encoding: .utf8)
            .split(whereSeparator: \.isNewline).compactMap { line in
                let fields = line.split(separator: ",").compactMap { Double($0) }
                return fields.count >= 3 ? Note(onset: fields[0], end: fields[1], key: fields[2]) : nil
            }
    }
}
