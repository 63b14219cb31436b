import Foundation
import Music
import Strum
import Testing

/// Chords that are fretted on a guitar in standard tuning.
@Suite struct StrumChordTests {
    private static let others: [[Double]] = [
        [38, 45, 50, 54, 57, 62], [38, 45, 50, 53, 57, 62], [38, 43, 50, 55, 59, 62], [40, 45, 52, 57, 61, 64],
        [52, 57, 62, 67, 59, 64], [36, 43, 48, 55, 60, 64],
    ]

    private static func hertz(_ key: Double) -> Double { 440 * exp2((key - 69) / 12) }

    /// The pictures of a sound, and how many strings are heard in each.
    private func hear(_ sound: GeneratedStrum) throws -> [(picture: StrumPicture, heard: Int)] {
        var engine = try StrumEngine(
            strings: GeneratedStrum.guitar.map { $0.hertz },
            others: Self.others.map { $0.sorted().map { Self.hertz($0).hertz } },
            sampleRate: GeneratedStrum.sampleRate.hertz)
        var pictures: [(picture: StrumPicture, heard: Int)] = []
        for start in stride(from: 0, to: sound.samples.count - 800, by: 800) {
            engine.process(sound.samples.span.extracting(start..<start + 800))
            while let picture = engine.refine() {
                pictures.append((picture, (0..<6).count { engine.reading(of: $0).isHeard }))
            }
        }
        return pictures
    }

    @Test(
        arguments: [
            ("C/G", [3, 3, 2, 0, 1, 0]), ("D/F#", [2, 0, 0, 2, 3, 2]), ("F", [1, 3, 3, 2, 1, 1]),
            ("G", [3, 2, 0, 0, 0, 3]), ("G7", [3, 2, 0, 0, 0, 1]), ("E7", [0, 2, 0, 1, 0, 0]),
            ("Em7", [0, 2, 2, 0, 3, 0]), ("Am7/E", [0, 0, 2, 0, 1, 0]), ("F#m", [2, 4, 4, 2, 2, 2]),
        ] as [(String, [Double])])
    func `A fretted chord is neither a strum of the open strings nor one in another tuning`(
        _ name: String, _ frets: [Double]
    ) throws {
        let strings = zip(GeneratedStrum.guitar, frets).map { $0 * exp2($1 / 12) }
        for seed: UInt64 in 1...12 {
            let pictures = try hear(GeneratedStrum(strings, seed: seed, range: 8, seconds: 1.8))
            let last = try #require(pictures.last?.picture)
            #expect(last.tuning == 0 && !last.isStrum, "\(name), seed \(seed)")
            #expect(last.hasForeignLines, "\(name), seed \(seed)")
            #expect(pictures.allSatisfy { !$0.picture.isStrum || $0.heard >= 2 }, "\(name), seed \(seed)")
        }
    }

    @Test func `Strings an octave above those of the tuning are not told as these`() throws {
        // Nashville: the four low strings an octave higher.
        let nashville = Self.others[4].sorted().map(Self.hertz)
        for seed: UInt64 in 1...6 {
            let sound = GeneratedStrum(nashville, seed: seed, range: 20, seconds: 1.8)
            let last = try #require(try hear(sound).last)
            #expect(last.picture.isStrum && last.picture.tuning == 5 && last.heard == 6, "seed \(seed)")
            #expect(!last.picture.hasForeignLines)
        }
    }
}
