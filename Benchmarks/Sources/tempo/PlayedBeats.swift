import Figures
import Foundation

/// A recording whose beats are known.
struct PlayedBeats {
    let name: String
    let samples: [Float]
    let rate: Double
    /// In seconds, ascending.
    let beats: [Double]

    /// What kind of recording it is.
    var family: String { String(name.prefix { $0 != "_" && !$0.isNumber }) }

    /// Those of `Benchmarks/beat-sounds/generate.py`: NAME.wav with its beats in NAME.csv.
    static func all(in folder: String) throws -> [PlayedBeats] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".wav") }.sorted()
            .map { file in
                let name = String(file.dropLast(4))
                let beats = try String(contentsOfFile: "\(folder)/\(name).csv", encoding: .utf8)
                    .split(whereSeparator: \.isNewline).compactMap { Double($0) }.sorted()
                let (samples, rate) = try readSound("\(folder)/\(file)")
                return PlayedBeats(name: name, samples: samples, rate: rate, beats: beats)
            }
    }

    /// The tempo of the first four beats.
    var firstTempo: Double { beats.count > 4 ? 240 / (beats[4] - beats[0]) : 120 }

    /// The mean tempo.
    var meanTempo: Double { 60 * Double(beats.count - 1) / (beats[beats.count - 1] - beats[0]) }
}
