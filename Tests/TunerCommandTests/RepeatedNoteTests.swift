import AudioIO
import Foundation
import Music
import TestCommands
import Testing

/// Recorded notes, played again and again.
@Suite struct RepeatedNoteTests {
    private let tuner = BuiltCommand("tuner")
    private static let rate = 48_000.0

    /// The beginning of a shipped recording, twelve times for 0.24 to 0.42 s, each faded out over 30 ms as a bow is lifted, with
    /// `gap` seconds between them.
    ///
    /// - Returns: where each of them begins, in seconds.
    private func write(_ name: String, gap: Double, seed: UInt64, to file: String) throws -> [Double] {
        let recording = try samples(of: repository.appending(path: "samples/\(name).flac").path())
        let loudest = recording.reduce(0) { max($0, abs($1)) }
        let first = max(0, (recording.firstIndex { abs($0) > 0.1 * loudest } ?? 0) - Int(0.01 * Self.rate))
        var random = seed
        var sound = [Float](repeating: 0, count: Int(0.3 * Self.rate))
        var starts: [Double] = []
        for _ in 0..<12 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let seconds = 0.24 + 0.18 * Double(random >> 40) / Double(1 << 24)
            let count = min(Int(seconds * Self.rate), recording.count - first), fade = Int(0.03 * Self.rate)
            starts.append(Double(sound.count) / Self.rate)
            for n in 0..<count {
                let left = min(1, Double(count - n) / Double(fade))
                sound.append(recording[first + n] * Float(0.5 - 0.5 * cos(.pi * left)))
            }
            sound += [Float](repeating: 0, count: Int(gap * Self.rate))
        }
        sound += [Float](repeating: 0, count: Int(0.5 * Self.rate))
        var writer = try AudioFileWriter(path: file, sampleRate: Self.rate.hertz)
        try writer.write(sound.span)
        try writer.finish()
        return starts
    }

    /// The new sound of such a note is the noise of its attack, which is like some other key.
    @Test(arguments: [
        ("bass-e1", "E1"), ("cello-c2", "C2"), ("guitar-d3", "D3"), ("guitar-a4", "A4"), ("panflute-e4", "E4"),
        ("piano-fs5", "F#5"), ("trombone-d3", "D3"), ("ukulele-c4", "C4"), ("violins-g3", "G3"),
    ])
    func `A recorded note that is played again is told again, once, as what it is`(name: String, note: String) throws {
        try withTemporaryFolder { folder in
            for (gap, seed) in [(0.0, 20_261_127 as UInt64), (0.03, 20_261_128)] {
                print("\(name): seed \(seed)")
                let file = folder.appending(path: "again.wav").path()
                let starts = try write(name, gap: gap, seed: seed, to: file)
                let notes = try tuner.run(["transcribe", "--json", file]).output.split(separator: "\n").map { line in
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
                }
                #expect(notes.compactMap { $0["note"] as? String } == starts.map { _ in note })
                // The bow scratches on the cello's string for 0.13 s before its tone comes; the violins rise for 0.1 s.
                for (told, start) in zip(notes.compactMap { $0["start_s"] as? Double }, starts) {
                    #expect(abs(told - start) < 0.15)
                }
            }
        }
    }
}
